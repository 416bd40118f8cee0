const CHUNK_BYTES = 1_048_576

/** Bytes that are only ever appended to, and read by position. A record lies in one piece. */
export class ByteLog {
  private readonly chunks: { bytes: Uint8Array; begin: number; end: number }[] = []
  /** Bytes appended. */
  size = 0

  /** Returns where the record stands. */
  append(record: Uint8Array): number {
    let chunk = this.chunks.at(-1)
    if (chunk === undefined || chunk.bytes.length - chunk.end < record.length) {
      const bytes = new Uint8Array(Math.max(CHUNK_BYTES, record.length))
      chunk = { bytes, begin: this.size, end: 0 }
      this.chunks.push(chunk)
    }
    chunk.bytes.set(record, chunk.end)
    chunk.end += record.length
    const position = this.size
    this.size += record.length
    return position
  }

  /** A record as `append` took it. */
  at(position: number, length: number): Uint8Array {
    let low = 0
    let high = this.chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.chunks[middle]?.begin ?? 0) <= position) low = middle
      else high = middle - 1
    }
    const chunk = this.chunks[low]
    if (chunk === undefined) return new Uint8Array(0)
    const from = position - chunk.begin
    return chunk.bytes.subarray(from, from + length)
  }
}
