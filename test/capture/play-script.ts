import type { CallEvent, NewCaptureEvent } from '../../src/shared/capture/events'
import type { Recorder } from '../../src/main/capture/recorder-contract'
import { unstamped } from './call-script'

/** Records a scripted call under the next number; returns that number. */
export function play(recorder: Recorder, script: readonly CallEvent[]): number {
  const call = recorder.nextCall()
  const first = script[0]?.seq ?? 1
  const seqs = new Map<number, number>()
  for (const [index, event] of unstamped(script).entries()) {
    const moved = { ...event, call } as NewCaptureEvent
    if (moved.kind === 'response.frame' && moved.from !== undefined) moved.from = seqs.get(moved.from) ?? moved.from
    seqs.set(first + index, recorder.record(moved))
  }
  return call
}
