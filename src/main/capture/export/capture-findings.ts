import { allRows } from '../../../shared/capture/call-selection'
import { foldCall } from '../../../shared/capture/fold'
import type { CallSummary } from '../../../shared/capture/summary'
import { findingsOf } from '../../../shared/findings'
import type { Finding } from '../../../shared/findings/finding'
import { readCapture } from '../capture-file'
import type { CaptureView } from '../capture-view'

/** A finding, and the call it is of. */
export interface FoundInCall extends Finding {
  call: number
  method: string | null
  target: string | null
  backend: string | null
}

/** Calls of more events were not looked at when the index was made. */
const MAX_JUDGED_FRAMES = 2_000

/** All findings of the calls that `matches`, call by call. Rejects with the reason of `signal`. */
export async function* findingsIn(
  capture: CaptureView,
  matches: (call: number) => boolean,
  signal: AbortSignal,
): AsyncGenerator<FoundInCall, void, undefined> {
  for (const row of allRows(capture.index)) {
    signal.throwIfAborted()
    if (!matches(row.call) || !mayHaveFindings(row)) continue
    const { call, method, target, backend } = row
    for (const finding of findingsOf(foldCall(await capture.events(call)))) {
      yield { call, method, target, backend, ...finding }
    }
  }
}

/** The index counted findings of calls that ended and are not very long. */
function mayHaveFindings({ findings, endedAt, frames, pings }: CallSummary): boolean {
  return findings > 0 || endedAt === null || frames + pings > MAX_JUDGED_FRAMES
}

/** In which lines of a capture file events stand, by their `seq`. */
export async function linesOf(path: string, seqs: ReadonlySet<number>): Promise<Map<number, number>> {
  const lines = new Map<number, number>()
  if (seqs.size === 0) return lines
  const reader = await readCapture(path)
  for await (const batch of reader.batches()) {
    for (const { event, number } of batch) if (seqs.has(event.seq)) lines.set(event.seq, number)
    if (lines.size === seqs.size) break
  }
  return lines
}
