import { createHash } from 'node:crypto'
import type { CallSummary } from '../../../shared/capture/summary'
import type { CallRows } from '../capture-view'
import type { EventPlace } from '../event-table'
import { NamePool } from '../name-pool'
import { placesIn } from './event-log'
import { decodeRow } from './row-code'

/** How much an index has of each. */
export interface IndexSizes {
  calls: number
  /** Bytes of rows and of places. */
  rows: number
  places: number
}

/** The parts of an index, one behind the other in `bytes`: columns with one number a call, then rows, then places. */
export interface IndexParts extends IndexSizes {
  /** Begins at a multiple of eight in its buffer. */
  bytes: Uint8Array<ArrayBuffer>
}

interface Columns {
  /** Numbers of the calls, rising. */
  numbers: Float64Array
  /** Rising: the digest of an operation, and behind it (`SLOTS`) which call in order has it. */
  operations: Float64Array
  /** Where the row of each call ends in `rows`, and its places in `places`. */
  rowEnds: Uint32Array
  placeEnds: Uint32Array
  rows: Uint8Array
  places: Uint8Array
}

/** Calls that an index holds at most, so that a digest and one of them are one whole number. */
export const SLOTS = 262_144
const CALL_BYTES = 24

/**
 * The rows of an opened capture, and where its events stand, as the plain bytes in which an index file keeps them. A row
 * is read out of them when it is asked for, so that opening costs nothing for each call.
 */
export class RowIndex implements CallRows {
  private readonly names = new NamePool()
  private readonly columns: Columns

  private constructor(readonly parts: IndexParts) {
    this.columns = columnsOf(parts)
  }

  /** Undefined when the parts do not fit together. */
  static of(parts: IndexParts): RowIndex | undefined {
    const { calls, rows, places, bytes } = parts
    if (calls > SLOTS || bytes.length !== bytesOf(parts)) return undefined
    const index = new RowIndex(parts)
    const { numbers, operations, rowEnds, placeEnds } = index.columns
    for (let at = 1; at < calls; at++) {
      if ((numbers[at] ?? 0) <= (numbers[at - 1] ?? 0) || (operations[at] ?? 0) < (operations[at - 1] ?? 0))
        return undefined
      if ((rowEnds[at] ?? 0) < (rowEnds[at - 1] ?? 0) || (placeEnds[at] ?? 0) < (placeEnds[at - 1] ?? 0))
        return undefined
    }
    const whole = calls === 0 || (rowEnds[calls - 1] === rows && placeEnds[calls - 1] === places)
    return whole ? index : undefined
  }

  /** An index of `sizes`, to be filled by `fill`. */
  static make(sizes: IndexSizes, fill: (columns: Columns) => void): RowIndex {
    const index = new RowIndex({ ...sizes, bytes: new Uint8Array(bytesOf(sizes)) })
    fill(index.columns)
    return index
  }

  get size(): number {
    return this.parts.calls
  }

  has(call: number): boolean {
    return this.columns.numbers[this.firstFrom(call)] === call
  }

  get(call: number): CallSummary | undefined {
    return this.has(call) ? this.rowAt(this.firstFrom(call)) : undefined
  }

  list(after: number, limit: number): { calls: CallSummary[]; more: boolean } {
    const from = this.firstFrom(after + 1)
    const to = Math.min(this.size, from + limit)
    const calls: CallSummary[] = []
    for (let at = from; at < to; at++) calls.push(this.rowAt(at))
    return { calls, more: to < this.size }
  }

  operation(operation: string): number[] {
    const { operations } = this.columns
    const digest = operationDigest(operation)
    const found: CallSummary[] = []
    for (let at = firstNotBelow(operations, digest * SLOTS); at < this.size; at++) {
      const key = operations[at] ?? 0
      if (Math.floor(key / SLOTS) !== digest) break
      const row = this.rowAt(key % SLOTS)
      if (row.operation === operation) found.push(row)
    }
    return found.sort((a, b) => a.round - b.round || a.call - b.call).map(({ call }) => call)
  }

  /** Where the events of `call` stand, in order. */
  places(call: number): EventPlace[] {
    return this.has(call) ? placesIn(this.placesAt(this.firstFrom(call))) : []
  }

  /** Number, row, places and digest of every call, as they are kept. */
  *kept(): Generator<{ call: number; row: Uint8Array; places: Uint8Array; digest: number }> {
    const { numbers, operations } = this.columns
    const digests = new Float64Array(this.size)
    for (const key of operations) digests[key % SLOTS] = Math.floor(key / SLOTS)
    for (let at = 0; at < this.size; at++) {
      yield { call: numbers[at] ?? 0, row: this.rowBytes(at), places: this.placesAt(at), digest: digests[at] ?? 0 }
    }
  }

  private rowAt(at: number): CallSummary {
    const bytes = this.rowBytes(at)
    const row = decodeRow(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'))
    this.names.share(row)
    return row
  }

  private rowBytes(at: number): Uint8Array {
    const { rows, rowEnds } = this.columns
    return rows.subarray(rowEnds[at - 1] ?? 0, rowEnds[at])
  }

  private placesAt(at: number): Uint8Array {
    const { places, placeEnds } = this.columns
    return places.subarray(placeEnds[at - 1] ?? 0, placeEnds[at])
  }

  /** Which call in order is the first that is not below `call`. */
  private firstFrom(call: number): number {
    return firstNotBelow(this.columns.numbers, call)
  }
}

/** A number that stands for an operation: 1 and above. Nobody finds operations with the same one cheaply. */
export function operationDigest(operation: string): number {
  return 1 + createHash('sha256').update(operation).digest().readUInt32LE(0)
}

function bytesOf({ calls, rows, places }: IndexSizes): number {
  return calls * CALL_BYTES + rows + places
}

function columnsOf({ bytes, calls, rows, places }: IndexParts): Columns {
  const { buffer, byteOffset } = bytes
  const from = byteOffset + calls * CALL_BYTES
  return {
    numbers: new Float64Array(buffer, byteOffset, calls),
    operations: new Float64Array(buffer, byteOffset + calls * 8, calls),
    rowEnds: new Uint32Array(buffer, byteOffset + calls * 16, calls),
    placeEnds: new Uint32Array(buffer, byteOffset + calls * 20, calls),
    rows: new Uint8Array(buffer, from, rows),
    places: new Uint8Array(buffer, from + rows, places),
  }
}

function firstNotBelow(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
