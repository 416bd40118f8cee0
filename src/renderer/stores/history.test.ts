import { describe, expect, it } from 'vitest'
import { History, type Place } from './history'

const call = (number: number | null, more: Partial<Place> = {}): Place => ({
  source: null,
  view: 'calls',
  backend: null,
  call: number,
  ...more,
})
const all = (): boolean => true

describe('History', () => {
  it('goes back and forward, and stops at both ends', () => {
    const history = new History(call(null))
    history.visit(call(1))
    history.visit(call(2))
    expect(history.back(all)?.call).toBe(1)
    expect(history.back(all)?.call).toBeNull()
    expect(history.back(all)).toBeUndefined()
    expect(history.forward(all)?.call).toBe(1)
    expect(history.forward(all)?.call).toBe(2)
    expect(history.forward(all)).toBeUndefined()
  })

  it('says whether there is a way back or forward', () => {
    const history = new History(call(null))
    expect([history.has(-1, all), history.has(1, all)]).toEqual([false, false])
    history.visit(call(1))
    expect([history.has(-1, all), history.has(1, all)]).toEqual([true, false])
    expect(history.has(-1, () => false)).toBe(false)
    history.back(all)
    expect([history.has(-1, all), history.has(1, all)]).toEqual([false, true])
  })

  it('does not count the same place twice, so that going back is no new visit', () => {
    const history = new History(call(1))
    history.visit(call(2))
    const back = history.back(all)
    if (back !== undefined) history.visit(back)
    expect(history.forward(all)?.call).toBe(2)
  })

  it('forgets what lay ahead when another way is taken', () => {
    const history = new History(call(1))
    history.visit(call(2))
    history.back(all)
    history.visit(call(3))
    expect(history.forward(all)).toBeUndefined()
    expect(history.back(all)?.call).toBe(1)
  })

  it('passes over places that are gone', () => {
    const history = new History(call(1))
    history.visit(call(5, { source: 'closed' }))
    history.visit(call(2))
    expect(history.back(({ source }) => source === null)?.call).toBe(1)
  })

  it('keeps a bounded number of places', () => {
    const history = new History(call(0))
    for (let number = 1; number <= 500; number++) history.visit(call(number))
    let steps = 0
    while (history.back(all) !== undefined) steps++
    expect(steps).toBe(99)
  })
})
