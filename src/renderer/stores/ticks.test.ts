import { afterEach, expect, it, vi } from 'vitest'
import { Ticks } from './ticks'

afterEach(() => vi.useRealTimers())

it('tells all listeners at the same moments, and none that has left', () => {
  vi.useFakeTimers()
  const ticks = new Ticks(100)
  const told: string[] = []
  const leave = ticks.onTick(() => told.push('a'))
  vi.advanceTimersByTime(60)
  const leaveToo = ticks.onTick(() => told.push('b'))
  vi.advanceTimersByTime(40)
  expect(told).toEqual(['a', 'b'])
  leave()
  vi.advanceTimersByTime(100)
  expect(told).toEqual(['a', 'b', 'b'])
  leaveToo()
  expect(vi.getTimerCount()).toBe(0)
})

it('goes on when somebody listens again', () => {
  vi.useFakeTimers()
  const ticks = new Ticks(100)
  const listener = vi.fn()
  ticks.onTick(listener)()
  vi.advanceTimersByTime(500)
  expect(listener).not.toHaveBeenCalled()
  ticks.onTick(listener)
  vi.advanceTimersByTime(250)
  expect(listener).toHaveBeenCalledTimes(2)
})
