/** A line that outgrew the limit: its beginning and its end are all that was kept. */
export interface OversizedLine {
  bytes: number
  head: string
  tail: string
}

const KEPT_BYTES = 2_048
const LINE_FEED = 0x0a

/**
 * Splits a byte stream into lines, bounded. A line longer than the limit is passed over, and only its two ends are told:
 * enough to find the id of the message that it was.
 */
export class LineSplitter {
  #pieces: Buffer[] = []
  #bytes = 0
  #tail = Buffer.alloc(0)

  constructor(
    readonly limit: number,
    readonly line: (text: string) => void,
    readonly oversized: (line: OversizedLine) => void,
  ) {}

  push(chunk: Buffer): void {
    let from = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      this.#add(chunk.subarray(from, end))
      this.#finish()
      from = end + 1
    }
    if (from < chunk.length) this.#add(chunk.subarray(from))
  }

  /** The stream is over; a last line without its end is a line. */
  end(): void {
    if (this.#bytes > 0) this.#finish()
  }

  #add(piece: Buffer): void {
    this.#bytes += piece.length
    if (this.#bytes <= this.limit) {
      this.#pieces.push(piece)
      return
    }
    // From here on the pieces are the kept beginning, and the tail slides along.
    if (this.#tail.length === 0) {
      const joined = Buffer.concat([...this.#pieces, piece])
      this.#pieces = [Buffer.from(joined.subarray(0, KEPT_BYTES))]
      this.#tail = Buffer.from(joined.subarray(-KEPT_BYTES))
    } else this.#tail = Buffer.concat([this.#tail, piece]).subarray(-KEPT_BYTES)
  }

  #finish(): void {
    const bytes = this.#bytes
    const text = Buffer.concat(this.#pieces).toString('utf8')
    const tail = this.#tail.toString('utf8')
    this.#pieces = []
    this.#bytes = 0
    this.#tail = Buffer.alloc(0)
    if (bytes > this.limit) this.oversized({ bytes, head: text, tail })
    else this.line(text.endsWith('\r') ? text.slice(0, -1) : text)
  }
}
