import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallScript, plainCall, progress } from '../../../test/capture/call-script'
import { play } from '../../../test/capture/play-script'
import { recordingFolder } from '../../../test/capture/recording-folder'
import type { Recorder } from './recorder-contract'

/** Progress without a token, and no response. */
const bad = (): ReturnType<typeof plainCall> =>
  new CallScript().received().routed().sent().head().event(progress(1)).upstreamEnded().ended().events

const folder = recordingFolder()
let recorder: Recorder

beforeEach(() => {
  recorder = folder.create()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('findings of recorded calls', () => {
  it('finds what a backend sends when the call is over', async () => {
    const call = play(recorder, plainCall())
    await recorder.settled()
    expect(recorder.index.get(call)?.findings).toBe(0)
    const raw = `data: ${JSON.stringify(progress(1))}`
    recorder.record({ kind: 'upstream.frame', call, exchange: 1, form: 'event', raw })
    await recorder.settled()
    expect(recorder.index.get(call)?.findings).toBe(2)
  })

  it('are counted when no calls come, while nobody looks', () => {
    vi.useFakeTimers()
    const call = play(recorder, bad())
    for (let count = 0; count < 10; count++) {
      play(recorder, plainCall())
      vi.advanceTimersByTime(50)
    }
    expect(recorder.index.get(call)).toMatchObject({ outcome: 'result', findings: 0 })
    vi.advanceTimersByTime(200)
    expect(recorder.index.get(call)?.findings).toBe(2)
  })

  it('are counted as calls end while somebody looks, also those of before', () => {
    vi.useFakeTimers()
    const before = play(recorder, bad())
    play(recorder, plainCall())
    vi.advanceTimersByTime(50)
    const leave = recorder.attend()
    const call = play(recorder, bad())
    vi.advanceTimersByTime(50)
    expect([before, call].map((one) => recorder.index.get(one)?.findings)).toEqual([2, 2])
    leave()
    leave()
    const after = play(recorder, bad())
    vi.advanceTimersByTime(50)
    expect(recorder.index.get(after)?.findings).toBe(0)
  })

  it('are counted as calls end where memory alone has the calls', async () => {
    await recorder.close()
    recorder = folder.create({ file: null })
    vi.useFakeTimers()
    const call = play(recorder, bad())
    vi.advanceTimersByTime(50)
    expect(recorder.index.get(call)?.findings).toBe(2)
  })

  it('are counted of calls that memory let go', async () => {
    const call = play(recorder, bad())
    const large = 'x'.repeat(1_000_000)
    for (let count = 0; count < 20; count++) {
      const script = new CallScript().received().routed().sent().head().event(large).upstreamEnded().ended().events
      play(recorder, script)
    }
    await recorder.settled()
    expect(recorder.index.get(call)?.findings).toBe(2)
  })
})
