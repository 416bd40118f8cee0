import type { CallEvent } from '../../../shared/capture/events'
import type { CallSummary } from '../../../shared/capture/summary'
import { SummaryMaker } from '../summary-maker'
import { ByteLog } from './byte-log'
import { EventLog } from './event-log'
import { decodeRow, encodeRow } from './row-code'
import { operationDigest, RowIndex, SLOTS } from './row-index'

/** Rows that are kept as objects; all others are text. */
const LIVE_ROWS = 2_000
/** Room for rows that were written anew. */
const SPARE_BYTES = 16_777_216

/** What is known of a call whatever its row is. */
interface Slot {
  /** Which one it is, in the order in which calls began. */
  number: number
  /** Where the text of its row stands; of a row that is an object, an older one. */
  at: number
  /** 0 while there is no text. */
  length: number
  /** Of its operation; 0 for none. */
  digest: number
}

interface LiveRow {
  row: CallSummary
  slot: Slot
}

export interface RowStoreLimits {
  /** When there are more, the oldest calls are let go. */
  calls: number
  /** Bytes of all rows, of which the same is true. */
  bytes: number
}

const NO_PLACES = new Uint8Array(0)

/** Rows and places while a capture is looked through: the rows of calls that something happens to as objects, the others as text. */
export class RowStore {
  /** Calls that were let go. */
  forgotten = 0
  private readonly maker = new SummaryMaker()
  private readonly live = new Map<number, LiveRow>()
  private readonly slots = new Map<number, Slot>()
  private readonly open = new Set<number>()
  private readonly log = new EventLog()
  private readonly placesBefore: Uint8Array[] = []
  private texts = new ByteLog()
  /** Bytes of texts that count. */
  private counted = 0
  private nextSlot = 0

  constructor(
    private readonly limits: RowStoreLimits,
    before?: RowIndex,
  ) {
    if (before === undefined) return
    for (const { call, row, places, digest } of before.kept()) {
      this.slots.set(call, { number: this.nextSlot++, at: this.texts.append(row), length: row.length, digest })
      this.counted += row.length
      this.placesBefore.push(places)
      if (decodeRow(textOf(row)).endedAt === null) this.open.add(call)
    }
  }

  /** Calls without an end. */
  get openCalls(): number {
    return this.open.size
  }

  /** Enters the next event of the file, which stands at `offset`; `find` gives the event that a reference names. Returns the row of its call. */
  enter(event: CallEvent, offset: number, length: number, find: (seq: number) => CallEvent | undefined): CallSummary {
    const { row, slot } = this.rowOf(event.call) ?? this.begin(event)
    this.maker.apply(row, event, find)
    if (event.kind === 'call.ended') this.open.delete(event.call)
    this.log.push(slot.number, event.seq, offset, length)
    return row
  }

  get(call: number): CallSummary | undefined {
    return this.rowOf(call)?.row
  }

  /** To be called now and then: keeps what memory holds within bounds. */
  settle(): void {
    if (this.live.size <= LIVE_ROWS) return
    for (const [call, live] of this.live) {
      if (this.live.size <= LIVE_ROWS / 2) break
      this.pack(live)
      this.live.delete(call)
    }
    while (this.counted > this.limits.bytes) this.forgetOldest()
    if (this.texts.size > 2 * this.counted + SPARE_BYTES) this.writeAnew()
  }

  /** The index of all that was entered. Nothing is to be entered afterwards. */
  finish(): RowIndex {
    for (const live of this.live.values()) this.pack(live)
    this.live.clear()
    const calls = [...this.slots].sort((a, b) => a[0] - b[0])
    const slots = Uint32Array.from(calls, ([, { number }]) => number)
    const { places, ends } = this.log.grouped(slots, (slot) => this.placesBefore[slot] ?? NO_PLACES)
    const sizes = { calls: calls.length, rows: this.counted, places: places.length }
    return RowIndex.make(sizes, ({ numbers, operations, rowEnds, placeEnds, ...blobs }) => {
      let end = 0
      for (const [index, [call, { at, length, digest }]] of calls.entries()) {
        numbers[index] = call
        operations[index] = digest * SLOTS + index
        blobs.rows.set(this.texts.at(at, length), end)
        rowEnds[index] = end += length
      }
      operations.sort()
      placeEnds.set(ends)
      blobs.places.set(places)
    })
  }

  private rowOf(call: number): LiveRow | undefined {
    const known = this.live.get(call)
    if (known !== undefined) return known
    const slot = this.slots.get(call)
    if (slot === undefined) return undefined
    const again = { row: decodeRow(textOf(this.texts.at(slot.at, slot.length))), slot }
    this.live.set(call, again)
    return again
  }

  private begin(event: CallEvent): LiveRow {
    const { call } = event
    const slot = { number: this.nextSlot++, at: 0, length: 0, digest: 0 }
    const begun = { row: this.maker.begin(event), slot }
    this.slots.set(call, slot)
    this.live.set(call, begun)
    this.open.add(call)
    if (this.slots.size > this.limits.calls) this.forgetOldest()
    return begun
  }

  private pack({ row, slot }: LiveRow): void {
    const text = Buffer.from(encodeRow(row))
    this.counted += text.length - slot.length
    slot.at = this.texts.append(text)
    slot.length = text.length
    slot.digest = row.operation === null ? 0 : operationDigest(row.operation)
  }

  /** Lets a tenth of the calls go at once, ended ones first, so that it is not to be done for every call. */
  private forgetOldest(): void {
    let count = Math.ceil(this.slots.size / 10)
    for (const others of [this.open, NO_CALLS]) {
      for (const [call, { length }] of this.slots) {
        if (count === 0) return
        if (others.has(call)) continue
        this.slots.delete(call)
        this.live.delete(call)
        this.open.delete(call)
        this.maker.forget(call)
        this.counted -= length
        this.forgotten++
        count--
      }
    }
  }

  private writeAnew(): void {
    const before = this.texts
    this.texts = new ByteLog()
    for (const slot of this.slots.values()) {
      if (slot.length > 0) slot.at = this.texts.append(before.at(slot.at, slot.length))
    }
  }
}

const NO_CALLS: ReadonlySet<number> = new Set()

function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('utf8')
}
