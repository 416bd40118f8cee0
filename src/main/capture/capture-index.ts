import type { CallEvent } from '../../shared/capture/events'
import type { CallSummary } from '../../shared/capture/summary'
import type { CallRows } from './capture-view'
import { EventTable, type EventPlace } from './event-table'
import { SummaryMaker } from './summary-maker'

/** Numbers that may be missing between calls before they are sorted instead of counted through. */
const SPARSE = 10_000

/**
 * What memory keeps of every call: its row, and where its events stand in the file. The oldest calls are let go when
 * there are more than `maxCalls`; the file has them all.
 */
export class CaptureIndex implements CallRows {
  private readonly summaries = new Map<number, CallSummary>()
  private readonly lastSeq = new Map<number, number>()
  private readonly operations = new Map<string, number[]>()
  private readonly maker = new SummaryMaker()
  private readonly table = new EventTable()
  private newest = 0
  /** Of the calls before this one, only those that were still open are left. */
  private firstWhole = 1
  private forgottenSeq = 0
  /** The numbers of all calls in order, while they are known to be. */
  private sorted: readonly number[] | null = null

  constructor(private readonly maxCalls: number) {}

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
    if (summary === undefined) {
      summary = this.maker.begin(event)
      this.add(summary)
    }
    this.maker.apply(summary, event, find)
    if (event.kind === 'call.routed') this.routed(summary)
    return summary
  }

  private routed({ operation, call }: CallSummary): void {
    if (operation === null) return
    const calls = this.operations.get(operation)
    if (calls === undefined) this.operations.set(operation, [call])
    else if (!calls.includes(call)) calls.push(call)
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
      this.maker.forget(call)
      if (summary.operation !== null) this.forgetRound(summary.operation, call)
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
