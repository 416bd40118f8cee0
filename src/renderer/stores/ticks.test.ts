import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Ticks } from './ticks'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function setUp() {
  const tasks: (() => void)[] = []
  const ticks = new Ticks((task) => tasks.push(task))
  return { ticks, tasks }
}

it('tells all listeners in one go, and none that has left', () => {
  const { ticks, tasks } = setUp()
  const told: string[] = []
  const leave = ticks.onTick(100, () => told.push('a'))
  vi.advanceTimersByTime(60)
  ticks.onTick(100, () => told.push('b'))
  ticks.onTick(1_000, () => told.push('slow'))
  vi.advanceTimersByTime(40)
  expect(told).toEqual([])
  tasks.shift()!()
  expect(told).toEqual(['a', 'b'])
  leave()
  vi.advanceTimersByTime(100)
  tasks.shift()!()
  expect(told).toEqual(['a', 'b', 'b'])
  expect(tasks).toEqual([])
})

it('waits for a tick that has not been drawn', () => {
  const { ticks, tasks } = setUp()
  ticks.onTick(100, () => undefined)
  vi.advanceTimersByTime(500)
  expect(tasks).toHaveLength(1)
})

it('ends when nobody listens, and begins anew', () => {
  const { ticks, tasks } = setUp()
  const listener = vi.fn()
  ticks.onTick(100, listener)()
  vi.advanceTimersByTime(100)
  expect(vi.getTimerCount()).toBe(0)
  ticks.onTick(100, listener)
  vi.advanceTimersByTime(100)
  tasks.shift()!()
  expect(listener).toHaveBeenCalledTimes(1)
})
