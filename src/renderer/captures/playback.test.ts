import { describe, expect, it, vi } from 'vitest'
import { emptySummary } from '../../shared/capture/summarise'
import type { CallSummary } from '../../shared/capture/summary'
import { Playback } from './playback'
import { summaryAt } from './summary-at'

const SECOND = 1_000_000

/** Received at `from`, ended at `to`, in seconds. */
const call = (number: number, from: number, to: number | null, more: Partial<CallSummary> = {}): CallSummary => ({
  ...emptySummary(number, from * SECOND),
  outcome: to === null ? null : 'result',
  endedAt: to === null ? null : to * SECOND,
  ...more,
})

function setUp(all: readonly CallSummary[]) {
  let now = 0
  let due: (() => void)[] = []
  const shown = new Map<number, CallSummary>()
  const apply = vi.fn((rows: readonly CallSummary[]) => rows.forEach((row) => shown.set(row.call, row)))
  const calls = {
    get: (number: number) => shown.get(number),
    apply,
    replace: vi.fn((rows: readonly CallSummary[]) => {
      shown.clear()
      rows.forEach((row) => shown.set(row.call, row))
    }),
  }
  const playback = new Playback({
    calls,
    now: () => now,
    frame: (task) => void due.push(task),
    together: (task) => task(),
  })
  playback.load(all)
  const pass = (milliseconds: number) => {
    now += milliseconds
    const tasks = due
    due = []
    for (const task of tasks) task()
  }
  const rows = () => [...shown.values()].map((row) => `${row.call}${row.outcome === null ? ' in flight' : ''}`)
  return { playback, calls, pass, rows, shown, waiting: () => due.length }
}

describe('Playback', () => {
  const all = [call(1, 1, 2), call(2, 3, 8), call(3, 4, 5)]

  it('shows everything until it is played, then what there was at the moment that is shown', () => {
    const { playback, pass, rows } = setUp(all)
    expect(playback.store.getState()).toMatchObject({ active: false, begin: SECOND, end: 8 * SECOND, head: 8 * SECOND })
    expect(playback.horizon).toBe(Infinity)
    playback.play()
    expect(rows()).toEqual(['1 in flight'])
    pass(3_500)
    expect(rows()).toEqual(['1', '2 in flight', '3 in flight'])
    expect(playback.horizon).toBe(4.5 * SECOND)
    pass(3_500)
    expect(rows()).toEqual(['1', '2', '3'])
  })

  it('stops at the end, and begins anew from there', () => {
    const { playback, pass, rows, waiting } = setUp(all)
    playback.play()
    pass(60_000)
    expect(playback.store.getState()).toMatchObject({ playing: false, head: 8 * SECOND })
    expect(waiting()).toBe(0)
    playback.play()
    expect(rows()).toEqual(['1 in flight'])
  })

  it('moves as fast as it is told to, and not while it is paused', () => {
    const { playback, pass } = setUp(all)
    playback.setSpeed(0.5)
    playback.play()
    pass(2_000)
    expect(playback.store.getState().head).toBe(2 * SECOND)
    playback.setSpeed(2)
    pass(1_000)
    expect(playback.store.getState().head).toBe(4 * SECOND)
    playback.pause()
    pass(5_000)
    expect(playback.store.getState().head).toBe(4 * SECOND)
  })

  it('forwards draws only what changed; back draws anew', () => {
    const { playback, calls, rows } = setUp(all)
    playback.seek(4.5 * SECOND)
    expect(calls.replace).toHaveBeenCalledTimes(1)
    playback.seek(6 * SECOND)
    expect(calls.replace).toHaveBeenCalledTimes(1)
    expect(calls.apply.mock.lastCall?.[0].map((row) => row.call)).toEqual([2, 3])
    playback.seek(1.5 * SECOND)
    expect(calls.replace).toHaveBeenCalledTimes(2)
    expect(rows()).toEqual(['1 in flight'])
    playback.seek(-5)
    expect(playback.store.getState().head).toBe(SECOND)
  })

  it('renews the rows less often than the playhead moves, and less often still when there are many', () => {
    const many = Array.from({ length: 400 }, (_, index) => call(index + 1, 1 + index / 1_000, 9))
    const { playback, pass, rows, calls } = setUp(many)
    const drawnWithRows = vi.fn()
    const moved = vi.fn()
    playback.play()
    playback.onHorizon(moved)
    pass(16)
    expect(rows()).toHaveLength(17)
    playback.together(drawnWithRows)
    pass(16)
    expect(playback.store.getState().head).toBe(1.032 * SECOND)
    expect(moved).toHaveBeenCalledTimes(2)
    expect(rows()).toHaveLength(17)
    expect(drawnWithRows).not.toHaveBeenCalled()
    pass(36)
    expect(rows()).toHaveLength(69)
    expect(drawnWithRows).toHaveBeenCalledTimes(1)
    calls.apply.mockClear()
    pass(100)
    expect(calls.apply).not.toHaveBeenCalled()
    pass(100)
    expect(rows()).toHaveLength(269)
    pass(10)
    playback.pause()
    expect(rows()).toHaveLength(279)
  })

  it('is left with everything shown again', () => {
    const { playback, rows } = setUp(all)
    const moved = vi.fn()
    playback.onHorizon(moved)
    playback.seek(SECOND)
    playback.leave()
    expect(rows()).toEqual(['1', '2', '3'])
    expect(playback.horizon).toBe(Infinity)
    expect(moved).toHaveBeenCalledTimes(2)
  })

  it('tells how busy the capture was, and does without calls', () => {
    const { density } = setUp([...all, call(4, 8, 9, { outcome: 'error' })]).playback.store.getState()
    expect(density.reduce((sum, { calls }) => sum + calls, 0)).toBe(4)
    expect(density.at(-21)).toEqual({ calls: 0, failed: 0 })
    expect(density.findLast(({ calls }) => calls > 0)).toEqual({ calls: 1, failed: 1 })
    const { playback, rows } = setUp([])
    playback.seek(5)
    expect(rows()).toEqual([])
  })

  it('keeps what a reader puts on a call at every moment, and changes nothing else', () => {
    const { playback, shown, calls } = setUp(all)
    const annotation = { mark: 'red', pinned: false, comment: 'here' } as const
    playback.seek(4 * SECOND)
    playback.annotate(2, annotation)
    playback.annotate(3, annotation)
    expect(shown.get(2)).toMatchObject({ annotation, outcome: null })
    playback.seek(9 * SECOND)
    expect(shown.get(2)).toMatchObject({ annotation, outcome: 'result' })
    playback.leave()
    expect([1, 2, 3].map((number) => shown.get(number)?.annotation)).toEqual([null, annotation, annotation])
    calls.apply.mockClear()
    playback.seek(SECOND)
    // Not shown yet: it comes with its annotation.
    playback.annotate(3, null)
    expect(calls.apply).not.toHaveBeenCalled()
    playback.seek(8 * SECOND)
    expect(shown.get(3)?.annotation).toBeNull()
  })
})

describe('summaryAt', () => {
  const whole = call(1, 1, 5, {
    answer: { form: 'sse', status: 200, cause: 'notification' },
    committedAt: 2 * SECOND,
    progress: 2,
    pings: 1,
    frames: 3,
    findings: 1,
    lastProgress: { progress: 2, total: 2 },
    life: [
      { at: SECOND, mark: 'progress' },
      { at: 2 * SECOND, mark: 'ping' },
      { at: 3 * SECOND, mark: 'progress' },
    ],
  })

  it('is the row itself once the call has ended', () => {
    expect(summaryAt(whole, 5 * SECOND)).toBe(whole)
  })

  it('knows nothing of what came later', () => {
    expect(summaryAt(whole, 1.5 * SECOND)).toMatchObject({
      answer: null,
      outcome: null,
      progress: 0,
      frames: 0,
      life: [],
    })
    expect(summaryAt(whole, 3.5 * SECOND)).toMatchObject({
      answer: { form: 'sse' },
      endedAt: null,
      progress: 1,
      pings: 1,
      frames: 1,
      findings: 0,
      lastProgress: null,
    })
  })
})
