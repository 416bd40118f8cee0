import type { EventPlace } from '../event-table'
import { MAX_VARINT_BYTES, putVarint, varintBytes, VarintReader } from './varints'

const CHUNK_BYTES = 1_048_576

interface Chunk {
  bytes: Uint8Array
  end: number
}

type Take = (slot: number, seq: number, offset: number, length: number) => void

/**
 * Where the events of a file stand, in the order of the file: about seven bytes an event. Each is entered for a slot, a
 * small number that stands for its call.
 */
export class EventLog {
  /** Events entered. */
  size = 0
  private readonly chunks: Chunk[] = []
  private slots = 0
  private seq = 0
  private offset = 0

  /** `seq` and `offset` are greater than those of the event before. */
  push(slot: number, seq: number, offset: number, length: number): void {
    let chunk = this.chunks.at(-1)
    if (chunk === undefined || chunk.bytes.length - chunk.end < 4 * MAX_VARINT_BYTES) {
      chunk = { bytes: new Uint8Array(CHUNK_BYTES), end: 0 }
      this.chunks.push(chunk)
    }
    const { bytes } = chunk
    let at = putVarint(bytes, chunk.end, slot)
    at = putVarint(bytes, at, seq - this.seq)
    at = putVarint(bytes, at, offset - this.offset)
    chunk.end = putVarint(bytes, at, length)
    this.seq = seq
    this.offset = offset
    this.slots = Math.max(this.slots, slot + 1)
    this.size++
  }

  /**
   * The places call by call, in the order of `slots`: behind those that a slot has from `before`, those entered here.
   * `ends[i]` is where the places of `slots[i]` end. What was entered for other slots is left out.
   */
  grouped(slots: Uint32Array, before: (slot: number) => Uint8Array): { places: Uint8Array; ends: Uint32Array } {
    const count = slots.reduce((most, slot) => Math.max(most, slot + 1), this.slots)
    const sizes = new Float64Array(count).fill(-1)
    const seqs = new Float64Array(count)
    const lineEnds = new Float64Array(count)
    for (const slot of slots) {
      const bytes = before(slot)
      const last = placesIn(bytes).at(-1)
      sizes[slot] = bytes.length
      seqs[slot] = last?.seq ?? 0
      lineEnds[slot] = last === undefined ? 0 : (last.offset ?? 0) + last.length
    }
    const follow = (take: Take): void => {
      const lastSeqs = seqs.slice()
      const lastEnds = lineEnds.slice()
      this.each((slot, seq, offset, length) => {
        if ((sizes[slot] ?? -1) < 0) return
        take(slot, seq - (lastSeqs[slot] ?? 0), offset - (lastEnds[slot] ?? 0), length)
        lastSeqs[slot] = seq
        lastEnds[slot] = offset + length
      })
    }
    follow((slot, seq, gap, length) => {
      sizes[slot] = (sizes[slot] ?? 0) + varintBytes(seq) + varintBytes(gap) + varintBytes(length)
    })
    const ends = new Uint32Array(slots.length)
    const cursors = new Float64Array(count)
    let end = 0
    slots.forEach((slot, index) => {
      cursors[slot] = end
      ends[index] = end += sizes[slot] ?? 0
    })
    const places = new Uint8Array(end)
    for (const slot of slots) {
      const bytes = before(slot)
      places.set(bytes, cursors[slot])
      cursors[slot] = (cursors[slot] ?? 0) + bytes.length
    }
    follow((slot, seq, gap, length) => {
      const at = putVarint(places, putVarint(places, cursors[slot] ?? 0, seq), gap)
      cursors[slot] = putVarint(places, at, length)
    })
    return { places, ends }
  }

  private each(take: Take): void {
    let seq = 0
    let offset = 0
    for (const { bytes, end } of this.chunks) {
      for (const reader = new VarintReader(bytes, 0, end); !reader.done;) {
        const slot = reader.next()
        seq += reader.next()
        offset += reader.next()
        take(slot, seq, offset, reader.next())
      }
    }
  }
}

/** The places of one call, in order: of each event how much `seq` grew, the bytes since the line of the one before, and its length. */
export function placesIn(bytes: Uint8Array): EventPlace[] {
  const places: EventPlace[] = []
  let seq = 0
  let end = 0
  for (const reader = new VarintReader(bytes, 0, bytes.length); !reader.done;) {
    seq += reader.next()
    const offset = end + reader.next()
    const length = reader.next()
    end = offset + length
    places.push({ seq, offset, length })
  }
  return places
}
