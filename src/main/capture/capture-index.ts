import { applyEdits, ownText, referenceOf } from '../../shared/capture/body-reference'
import type { CallEvent, CallReceived, Edit, ResponseFrame, UpstreamFrame } from '../../shared/capture/events'
import { applyToSummary, emptySummary, startSummary } from '../../shared/capture/summarise'
import type { CallSummary } from '../../shared/capture/summary'
import { EventTable, type EventPlace, type EventPlaces } from './event-table'

/** Names repeat in every call; one copy of each is kept. */
const MAX_NAMES = 10_000
/** Frames longer than this are not put together for their summary. */
const MAX_READ_LENGTH = 65_536
/** Texts that may be recorded by reference are at least this long. */
const LARGE_FRAME = 8_192
const MAX_LARGE_FRAMES = 64
/** Numbers that may be missing between calls before they are sorted instead of counted through. */
const SPARSE = 10_000

/**
 * What memory keeps of every call: its row, and where its events stand in the file. The oldest calls are let go when
 * there are more than `maxCalls`; the file has them all.
 */
export class CaptureIndex {
  private readonly summaries = new Map<number, CallSummary>()
  private readonly lastSeq = new Map<number, number>()
  private readonly operations = new Map<string, number[]>()
  private readonly names = new Map<string, string>()
  /** UTF-8 bytes of large texts of open calls, by call and event: what refers to them is measured by them. */
  private readonly largeTexts = new Map<number, Map<number, number>>()
  private newest = 0
  /** Of the calls before this one, only those that were still open are left. */
  private firstWhole = 1
  private forgottenSeq = 0
  private forgottenCalls = 0
  /** The numbers of all calls in order, while they are known to be. */
  private sorted: readonly number[] | null = null

  constructor(
    private readonly maxCalls: number,
    private readonly table: EventPlaces = new EventTable(),
  ) {}

  /** Calls that were let go. */
  get forgotten(): number {
    return this.forgottenCalls
  }

  /** All rows with the `seq` of their last events, in no order. */
  *entries(): Generator<{ summary: CallSummary; lastSeq: number }> {
    for (const [call, summary] of this.summaries) yield { summary, lastSeq: this.lastSeq.get(call) ?? 0 }
  }

  /** Takes a row that was in an index before; the table has its events already. */
  restore(summary: CallSummary, lastSeq: number): void {
    this.lastSeq.set(summary.call, lastSeq)
    summary.endpoint = this.name(summary.endpoint)
    if (summary.method !== null) summary.method = this.name(summary.method)
    if (summary.target !== null) summary.target = this.name(summary.target)
    if (summary.client !== null) summary.client = this.name(summary.client)
    this.add(summary)
    this.routed(summary)
  }

  /** Calls in the index. */
  get size(): number {
    return this.summaries.size
  }

  /** Bytes of the places of events. */
  get placesBytes(): number {
    return this.table.bytes
  }

  get(call: number): CallSummary | undefined {
    return this.summaries.get(call)
  }

  /** Rows of calls after `after`, in order. */
  list(after: number, limit: number): { calls: CallSummary[]; more: boolean } {
    const calls: CallSummary[] = []
    for (const call of this.numbers(after)) {
      const summary = this.summaries.get(call)
      if (summary === undefined) continue
      if (calls.length === limit) return { calls, more: true }
      calls.push(summary)
    }
    return { calls, more: false }
  }

  /** Numbers of calls after `after` that may be here, in order. */
  private *numbers(after: number): Iterable<number> {
    // A part of a capture, or a file from elsewhere, may name calls that are far apart.
    if (this.newest - Math.max(after, this.firstWhole) > 2 * this.summaries.size + SPARSE) {
      const sorted = (this.sorted ??= [...this.summaries.keys()].sort((a, b) => a - b))
      yield* sorted.slice(firstAfter(sorted, after))
      return
    }
    if (after + 1 < this.firstWhole) {
      for (const call of this.summaries.keys()) {
        if (call >= this.firstWhole) break
        if (call > after) yield call
      }
    }
    for (let call = Math.max(after + 1, this.firstWhole); call <= this.newest; call++) yield call
  }

  /** Calls of one operation, in order of rounds. */
  operation(operation: string): number[] {
    const calls = this.operations.get(operation) ?? []
    const round = (call: number): number => this.summaries.get(call)?.round ?? 0
    return calls.filter((call) => this.summaries.has(call)).sort((a, b) => round(a) - round(b) || a - b)
  }

  /** Where the events of `call` stand, in order. */
  places(call: number): EventPlace[] {
    return this.table.chain(this.lastSeq.get(call) ?? 0)
  }

  place(seq: number, offset: number, length: number): void {
    this.table.place(seq, offset, length)
  }

  forgetPlaces(): void {
    this.table.forgetPlaces()
  }

  /** Enters the next event of a call; `find` gives the event that a reference names. Returns the call's row. */
  enter(event: CallEvent, find: (seq: number) => CallEvent | undefined): CallSummary {
    this.table.enter(event.seq, this.lastSeq.get(event.call) ?? 0)
    this.lastSeq.set(event.call, event.seq)
    let summary = this.summaries.get(event.call)
    if (event.kind === 'call.received' && summary === undefined) {
      summary = this.begin(event)
      this.add(summary)
      return summary
    }
    if (summary === undefined) {
      summary = emptySummary(event.call, event.at)
      this.add(summary)
    }
    const open = summary.endedAt === null
    if (open && event.kind === 'upstream.frame' && event.raw.length > LARGE_FRAME) this.keepLarge(event)
    if (event.kind === 'call.ended') this.largeTexts.delete(event.call)
    if (event.kind === 'response.frame') this.frame(summary, event, find)
    else applyToSummary(summary, event)
    if (event.kind === 'call.routed') this.routed(summary)
    return summary
  }

  private begin(event: CallReceived): CallSummary {
    const summary = startSummary(event, Buffer.byteLength(event.body))
    summary.endpoint = this.name(summary.endpoint)
    if (summary.method !== null) summary.method = this.name(summary.method)
    if (summary.target !== null) summary.target = this.name(summary.target)
    if (summary.client !== null) summary.client = this.name(summary.client)
    return summary
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

  private routed(summary: CallSummary): void {
    if (summary.backend !== null) summary.backend = this.name(summary.backend)
    if (summary.upstreamTarget !== null) summary.upstreamTarget = this.name(summary.upstreamTarget)
    if (summary.operation === null) return
    const calls = this.operations.get(summary.operation)
    if (calls === undefined) this.operations.set(summary.operation, [summary.call])
    else if (!calls.includes(summary.call)) calls.push(summary.call)
  }

  private add(summary: CallSummary): void {
    this.summaries.set(summary.call, summary)
    this.sorted = null
    this.newest = Math.max(this.newest, summary.call)
    if (this.summaries.size > this.maxCalls) this.forgetOldest()
  }

  /** Lets a tenth of the calls go at once, so that it is not to be done for every call. */
  private forgetOldest(): void {
    let count = Math.ceil(this.maxCalls / 10)
    const crowded = this.summaries.size > this.maxCalls * 1.5
    const before = this.forgottenSeq
    for (const [call, summary] of this.summaries) {
      if (count <= 0) break
      if (summary.endedAt === null && !crowded) continue
      this.forgottenSeq = Math.max(this.forgottenSeq, this.lastSeq.get(call) ?? 0)
      this.firstWhole = Math.max(this.firstWhole, call + 1)
      this.summaries.delete(call)
      this.lastSeq.delete(call)
      this.largeTexts.delete(call)
      if (summary.operation !== null) this.forgetRound(summary.operation, call)
      this.forgottenCalls++
      count--
    }
    // Calls next to those forgotten now have events between theirs; what was forgotten before is well behind.
    this.table.forgetBefore(before)
  }

  private forgetRound(operation: string, call: number): void {
    const calls = this.operations.get(operation)?.filter((one) => one !== call) ?? []
    if (calls.length === 0) this.operations.delete(operation)
    else this.operations.set(operation, calls)
  }

  private name(text: string): string {
    const known = this.names.get(text)
    if (known !== undefined) return known
    if (this.names.size >= MAX_NAMES) this.names.clear()
    this.names.set(text, text)
    return text
  }
}

/** Index of the first of the sorted numbers that is greater than `after`. */
function firstAfter(sorted: readonly number[], after: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) > after) high = middle
    else low = middle + 1
  }
  return low
}

/** By how many bytes edits make a text longer. */
function lengthened(edits: readonly Edit[]): number {
  let bytes = 0
  for (const edit of edits) bytes += Buffer.byteLength(edit.now ?? '') - Buffer.byteLength(edit.was ?? '')
  return bytes
}
