import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { NewCaptureEvent } from '../../shared/capture/events'
import { EventQueue } from './event-queue'

const ended: NewCaptureEvent = { kind: 'call.ended', call: 1, outcome: 'result', by: 'backend' }
describe('EventQueue', () => {
  const taken: number[] = []
  const turns: boolean[] = []
  let left = 0
  let gather = 8
  let seq = 0
  let queue: EventQueue

  const push = (event: NewCaptureEvent): void => queue.push({ seq: ++seq, at: 0, event })

  beforeEach(() => {
    vi.useFakeTimers()
    taken.length = 0
    turns.length = 0
    left = 0
    gather = 8
    seq = 0
    queue = new EventQueue({
      take: (batch) => taken.push(...batch.map((one) => one.seq)),
      beside: (quiet) => {
        turns.push(quiet)
        return left-- > 0
      },
      gatherMs: () => gather,
    })
  })
  afterEach(() => vi.useRealTimers())

  it('gathers events for a moment, in order', () => {
    push(ended)
    vi.advanceTimersByTime(7)
    push(ended)
    expect(taken).toEqual([])
    vi.advanceTimersByTime(1)
    expect(taken).toEqual([1, 2])
  })

  it('gathers as long as it is told to', () => {
    gather = 50
    push(ended)
    vi.advanceTimersByTime(49)
    expect(taken).toEqual([])
    vi.advanceTimersByTime(1)
    expect(taken).toEqual([1])
  })

  it('takes many in slices, of a flood larger ones, with room for others in between', () => {
    for (let count = 0; count < 4_000; count++) push(ended)
    vi.advanceTimersByTime(8)
    expect(taken).toHaveLength(1_000)
    vi.advanceTimersToNextTimer()
    expect(taken).toHaveLength(1_750)
    vi.runAllTimers()
    expect(taken).toEqual(Array.from({ length: 4_000 }, (_, index) => index + 1))
    expect(turns).toEqual([false])
  })

  it('takes everything at once when told to', () => {
    for (let count = 0; count < 1_000; count++) push(ended)
    queue.drain()
    expect(taken).toHaveLength(1_000)
  })

  it('says whether anything came between turns, and goes on while there is something left to do', () => {
    left = 3
    push(ended)
    vi.advanceTimersByTime(16)
    push(ended)
    vi.advanceTimersByTime(16)
    expect(turns).toEqual([false, true, false, true])
    vi.advanceTimersByTime(1_000)
    expect(turns).toHaveLength(4)
  })
})
