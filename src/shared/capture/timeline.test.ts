import { describe, expect, it } from 'vitest'
import { emptySummary } from './summarise'
import type { CallSummary } from './summary'
import { timelineOf } from './timeline'

const at = (receivedAt: number, more: Partial<CallSummary> = {}): CallSummary => ({
  ...emptySummary(1, receivedAt),
  ...more,
})

describe('timelineOf', () => {
  it('is nothing without calls', () => {
    expect(timelineOf([], 100)).toBeNull()
  })

  it('has one bucket for one call', () => {
    expect(timelineOf([at(1_234_567)], 100)).toMatchObject({ from: 1_234_000, to: 1_235_000, most: 1 })
  })

  it('puts every call into the bucket in which it began, in any order', () => {
    const timeline = timelineOf([at(9_500_000), at(0), at(500_000), at(2_100_000)], 10)
    expect(timeline).toMatchObject({ from: 0, to: 10_000_000, most: 2 })
    expect(timeline?.buckets.map(({ calls }) => calls)).toEqual([2, 0, 1, 0, 0, 0, 0, 0, 0, 1])
  })

  it('counts errors and streams', () => {
    const answer = { form: 'sse', status: 200, cause: 'notification' } as const
    const timeline = timelineOf(
      [at(1, { outcome: 'tool-error' }), at(2, { outcome: 'error', answer }), at(3, { answer })],
      5,
    )
    expect(timeline?.buckets).toEqual([{ from: 0, to: 1_000, calls: 3, errors: 2, streams: 2 }])
  })

  it.each([2, 7, 60, 400])('never has more than %d buckets, and always holds all calls', (most) => {
    for (const span of [1, 999, 1_000, 59_999_999, 86_400e6 * 500]) {
      const calls = [at(17), at(17 + span / 2), at(17 + span)]
      const timeline = timelineOf(calls, most)
      expect(timeline?.buckets.length).toBeLessThanOrEqual(most)
      expect(timeline?.buckets.reduce((sum, { calls }) => sum + calls, 0)).toBe(3)
    }
  })
})
