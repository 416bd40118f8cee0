const LINE_FEED = 0x0a

/** One line of a file of lines. */
export interface SplitLine {
  /** Bytes from the beginning of the file. */
  offset: number
  length: number
  /** Null when the line is longer than the bound; nothing of it is kept. */
  bytes: Buffer | null
}

/** Takes a file in blocks of any size and gives its lines; memory is bounded by the longest line allowed. */
export class LineSplitter {
  private parts: Buffer[] = []
  private held = 0
  private begin: number

  constructor(
    private readonly maxLineBytes: number,
    offset = 0,
  ) {
    this.begin = offset
  }

  /** Where the line that is not yet complete begins. */
  get offset(): number {
    return this.begin
  }

  *push(block: Buffer): Generator<SplitLine> {
    let from = 0
    for (let to = block.indexOf(LINE_FEED); to !== -1; to = block.indexOf(LINE_FEED, from)) {
      this.hold(block.subarray(from, to))
      yield this.take(1)
      from = to + 1
    }
    this.hold(block.subarray(from))
  }

  /** What stands after the last line feed, if anything: in a capture, a line that was not written to its end. */
  rest(): SplitLine | undefined {
    return this.held === 0 ? undefined : this.take(0)
  }

  private hold(part: Buffer): void {
    this.held += part.length
    if (this.held > this.maxLineBytes) this.parts = []
    else if (part.length > 0) this.parts.push(part)
  }

  private take(lineFeed: number): SplitLine {
    const length = this.held
    const [first] = this.parts
    const whole = this.parts.length === 1 && first !== undefined ? first : Buffer.concat(this.parts)
    const line = { offset: this.begin, length, bytes: length > this.maxLineBytes ? null : whole }
    this.begin += length + lineFeed
    this.parts = []
    this.held = 0
    return line
  }
}
