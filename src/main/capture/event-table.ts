/** Where one event of a call stands in the capture file. */
export interface EventPlace {
  seq: number
  /** Bytes from the beginning of the file; undefined when the event was not written. */
  offset: number | undefined
  /** Bytes of the line without its line feed. */
  length: number
}

const CHUNK = 8_192

interface Chunk {
  offsets: Float64Array
  lengths: Uint32Array
  /** `seq` of the event of the same call before this one; 0 at the beginning. */
  previous: Uint32Array
}

/**
 * Places of events by `seq`: 16 bytes an event in typed arrays, whatever the number of calls. The events of a call are
 * chained backwards, so a call itself costs nothing here but the `seq` of its last event.
 */
export class EventTable {
  private readonly chunks = new Map<number, Chunk>()

  /** Enters event `seq` behind event `previous` of its call (0: none). */
  enter(seq: number, previous: number): void {
    const number = Math.floor(seq / CHUNK)
    let chunk = this.chunks.get(number)
    if (chunk === undefined) {
      chunk = {
        offsets: new Float64Array(CHUNK),
        lengths: new Uint32Array(CHUNK),
        previous: new Uint32Array(CHUNK),
      }
      this.chunks.set(number, chunk)
    }
    chunk.previous[seq % CHUNK] = previous
  }

  /** Tells where the line of `seq` was written. */
  place(seq: number, offset: number, length: number): void {
    const chunk = this.chunks.get(Math.floor(seq / CHUNK))
    if (chunk === undefined) return
    chunk.offsets[seq % CHUNK] = offset
    chunk.lengths[seq % CHUNK] = length
  }

  /** The events of the call whose last event is `last`, in order. */
  chain(last: number): EventPlace[] {
    const places: EventPlace[] = []
    for (let seq = last; seq !== 0;) {
      const chunk = this.chunks.get(Math.floor(seq / CHUNK))
      if (chunk === undefined) break
      const index = seq % CHUNK
      const length = chunk.lengths[index] ?? 0
      places.push({ seq, offset: length === 0 ? undefined : chunk.offsets[index], length })
      seq = chunk.previous[index] ?? 0
    }
    return places.reverse()
  }

  /** Forgets events before `seq`, in whole chunks. */
  forgetBefore(seq: number): void {
    const first = Math.floor(seq / CHUNK)
    for (const number of this.chunks.keys()) {
      if (number >= first) return
      this.chunks.delete(number)
    }
  }

  /** Forgets where events stand, when the file is no longer there. */
  forgetPlaces(): void {
    for (const chunk of this.chunks.values()) chunk.lengths.fill(0)
  }

  /** Bytes that the places take. */
  get bytes(): number {
    return this.chunks.size * CHUNK * 16
  }
}
