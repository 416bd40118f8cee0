import { CallFold } from '../../shared/capture/fold'
import type { CallRecord } from '../../shared/capture/record'
import type { CallSummary } from '../../shared/capture/summary'
import { recordedExchanges, type RecordedExchange } from '../../shared/replay/recorded-exchange'
import type { CaptureView } from '../capture/capture-view'

/** Rows taken from the index in one go. */
const PAGE = 1_000

/** What a replay reads of a capture. */
export type ReplayedCapture = Pick<CaptureView, 'header' | 'index' | 'events'>

/** All rows of a capture, in order. */
export function* rowsOf({ index }: Pick<CaptureView, 'index'>): Generator<CallSummary> {
  for (let after = 0, more = true; more;) {
    const page = index.list(after, PAGE)
    yield* page.calls
    after = page.calls.at(-1)?.call ?? after
    more = page.more
  }
}

export async function recordOf(capture: Pick<CaptureView, 'events'>, call: number): Promise<CallRecord> {
  const fold = new CallFold(undefined, false)
  for (const event of await capture.events(call)) fold.add(event)
  return fold.record
}

/** The exchange of a call, as it is in the capture; undefined when it is not there any more. */
export async function exchangeOf(
  capture: Pick<CaptureView, 'events'>,
  call: number,
  exchange: number,
): Promise<RecordedExchange | undefined> {
  return recordedExchanges(await recordOf(capture, call)).find((one) => one.exchange === exchange)
}
