import { applyEdits, ownText, referenceOf } from '../../shared/capture/body-reference'
import type { CallEvent, Edit, ResponseFrame, UpstreamFrame } from '../../shared/capture/events'
import { applyToSummary, emptySummary, startSummary } from '../../shared/capture/summarise'
import type { CallSummary } from '../../shared/capture/summary'
import { NamePool } from './name-pool'

/** Frames longer than this are not put together for their summary. */
const MAX_READ_LENGTH = 65_536
/** Texts that may be recorded by reference are at least this long. */
const LARGE_FRAME = 8_192
const MAX_LARGE_FRAMES = 64

/** Makes the rows of calls out of their events, as they come. */
export class SummaryMaker {
  private readonly names = new NamePool()
  /** UTF-8 bytes of large texts of open calls, by call and event: what refers to them is measured by them. */
  private readonly largeTexts = new Map<number, Map<number, number>>()

  /** The row of a call of which `event` is the first that is known. The event itself is still to be applied. */
  begin(event: CallEvent): CallSummary {
    if (event.kind !== 'call.received') return emptySummary(event.call, event.at)
    const summary = startSummary(event, Buffer.byteLength(event.body))
    this.names.share(summary)
    return summary
  }

  /** Brings a row up to date with the next event of its call; `find` gives the event that a reference names. */
  apply(summary: CallSummary, event: CallEvent, find: (seq: number) => CallEvent | undefined): void {
    const open = summary.endedAt === null
    if (open && event.kind === 'upstream.frame' && event.raw.length > LARGE_FRAME) this.keepLarge(event)
    if (event.kind === 'call.ended') this.forget(event.call)
    if (event.kind === 'response.frame') this.frame(summary, event, find)
    else applyToSummary(summary, event)
    if (event.kind === 'call.routed') this.names.share(summary)
  }

  /** Nothing more is measured of a call. */
  forget(call: number): void {
    this.largeTexts.delete(call)
  }

  private frame(summary: CallSummary, event: ResponseFrame, find: (seq: number) => CallEvent | undefined): void {
    const reference = referenceOf(event)
    if (reference === undefined) return applyToSummary(summary, event, { bytes: Buffer.byteLength(event.raw ?? '') })
    const bytes = (this.largeTexts.get(event.call)?.get(reference.seq) ?? 0) + lengthened(reference.edits)
    const source = find(reference.seq)
    const text = source === undefined || source.cut !== undefined ? undefined : ownText(source)
    if (text === undefined || text.length > MAX_READ_LENGTH) return applyToSummary(summary, event, { bytes })
    applyToSummary(summary, event, { text: applyEdits(text, reference.edits) })
  }

  private keepLarge(event: UpstreamFrame): void {
    let sizes = this.largeTexts.get(event.call)
    if (sizes === undefined) this.largeTexts.set(event.call, (sizes = new Map()))
    sizes.set(event.seq, Buffer.byteLength(ownText(event) ?? ''))
    // A frame is carried on soon after it came, if at all.
    if (sizes.size > MAX_LARGE_FRAMES) for (const oldest of sizes.keys()) return void sizes.delete(oldest)
  }
}

/** By how many bytes edits make a text longer. */
function lengthened(edits: readonly Edit[]): number {
  let bytes = 0
  for (const edit of edits) bytes += Buffer.byteLength(edit.now ?? '') - Buffer.byteLength(edit.was ?? '')
  return bytes
}
