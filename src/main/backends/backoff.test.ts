import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { timingOf } from './backend-options'
import { Backoff } from './backoff'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('pauses grow with the failures in a row, and begin anew after a reset', () => {
  const backoff = new Backoff([10, 20])
  const attempts: number[] = []
  const begun = Date.now()
  const attempt = (): void => {
    attempts.push(Date.now() - begun)
    if (attempts.length < 3) backoff.again(attempt)
  }
  backoff.again(attempt)
  vi.advanceTimersByTime(1_000)
  expect(attempts).toEqual([10, 30, 50])
  expect(backoff.pauseMs).toBe(20)
  backoff.reset()
  expect(backoff.pauseMs).toBe(10)
})

it('a backend that is down is asked again within half a second, and then every few', () => {
  const { probePausesMs } = timingOf({ maxMessageBytes: 1, version: '0', via: 'v' })
  const backoff = new Backoff(probePausesMs)
  const attempts: number[] = []
  const begun = Date.now()
  const attempt = (): void => {
    attempts.push(Date.now() - begun)
    backoff.again(attempt)
  }
  backoff.again(attempt)
  vi.advanceTimersByTime(10_000)
  expect(attempts).toEqual([500, 1_500, 3_500, 6_500, 9_500])
})

it('keeps one attempt at most, and none once stopped', () => {
  const backoff = new Backoff([10])
  const attempt = vi.fn()
  backoff.again(attempt)
  backoff.again(attempt)
  vi.advanceTimersByTime(100)
  expect(attempt).toHaveBeenCalledTimes(1)
  backoff.again(attempt)
  backoff.reset()
  backoff.again(attempt)
  backoff.stop()
  backoff.again(attempt)
  vi.advanceTimersByTime(100)
  expect(attempt).toHaveBeenCalledTimes(1)
})
