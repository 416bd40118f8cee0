import type { EventPlace, EventPlaces } from './event-table'

const FIRST_CAPACITY = 8_192

/** The table as arrays of one length, the way it is kept in an index file. */
export interface OrdinalColumns {
  seqs: Float64Array
  offsets: Float64Array
  lengths: Uint32Array
  /** Ordinal (from 1) of the event of the same call before this one; 0 at the beginning. */
  previous: Uint32Array
}

/**
 * Places of the events of a file that was opened: 24 bytes an event, whatever its `seq`, which may be any number in a
 * file from elsewhere. Events come with growing `seq`.
 */
export class OrdinalTable implements EventPlaces {
  private columns: OrdinalColumns
  private count: number

  constructor(columns: OrdinalColumns = emptyColumns(0)) {
    this.columns = columns
    this.count = columns.seqs.length
  }

  get size(): number {
    return this.count
  }

  get bytes(): number {
    return this.columns.seqs.length * 24
  }

  enter(seq: number, previous: number): void {
    if (this.count === this.columns.seqs.length) this.grow()
    this.columns.seqs[this.count] = seq
    this.columns.previous[this.count] = previous === 0 ? 0 : this.find(previous) + 1
    this.count++
  }

  place(seq: number, offset: number, length: number): void {
    const index = this.find(seq)
    if (index < 0) return
    this.columns.offsets[index] = offset
    this.columns.lengths[index] = length
  }

  chain(last: number): EventPlace[] {
    const { seqs, offsets, lengths, previous } = this.columns
    const places: EventPlace[] = []
    for (let ordinal = this.find(last) + 1; ordinal > 0;) {
      const index = ordinal - 1
      const before = previous[index] ?? 0
      places.push({ seq: seqs[index] ?? 0, offset: offsets[index], length: lengths[index] ?? 0 })
      // Chains go backwards, also in an index that somebody has written by hand.
      ordinal = before < ordinal ? before : 0
    }
    return places.reverse()
  }

  /** Events are bounded when they are entered; there is nothing to forget. */
  forgetBefore(): void {
    return
  }

  forgetPlaces(): void {
    this.columns.lengths.fill(0)
  }

  /** The arrays without their spare room. */
  trimmed(): OrdinalColumns {
    const { seqs, offsets, lengths, previous } = this.columns
    const end = this.count
    return {
      seqs: seqs.subarray(0, end),
      offsets: offsets.subarray(0, end),
      lengths: lengths.subarray(0, end),
      previous: previous.subarray(0, end),
    }
  }

  /** Index of `seq`, or -1. The newest is asked for most. */
  private find(seq: number): number {
    const { seqs } = this.columns
    if (seqs[this.count - 1] === seq) return this.count - 1
    let low = 0
    let high = this.count - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const found = seqs[middle] ?? 0
      if (found === seq) return middle
      if (found < seq) low = middle + 1
      else high = middle - 1
    }
    return -1
  }

  private grow(): void {
    const grown = emptyColumns(Math.max(FIRST_CAPACITY, Math.ceil(this.count * 1.5)))
    grown.seqs.set(this.columns.seqs)
    grown.offsets.set(this.columns.offsets)
    grown.lengths.set(this.columns.lengths)
    grown.previous.set(this.columns.previous)
    this.columns = grown
  }
}

export function emptyColumns(length: number): OrdinalColumns {
  return {
    seqs: new Float64Array(length),
    offsets: new Float64Array(length),
    lengths: new Uint32Array(length),
    previous: new Uint32Array(length),
  }
}
