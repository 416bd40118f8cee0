/** A shorter part is joined with others. */
const SMALL_BYTES = 1_024
const JOINED_PARTS = 1_024

/**
 * Gathers a body's parts in few buffers however small the parts are: a peer may send chunks of one byte, and a buffer for
 * each would take hundreds of times its content.
 */
export class BodyBytes {
  readonly #parts: Buffer[] = []
  /** How many of the last parts are small. */
  #small = 0
  length = 0

  /** Keeps a copy. */
  push(part: Buffer): void {
    this.add(Buffer.from(part))
  }

  /** Keeps the part itself. */
  add(part: Buffer): void {
    this.length += part.length
    this.#parts.push(part)
    this.#small = part.length < SMALL_BYTES ? this.#small + 1 : 0
    if (this.#small < JOINED_PARTS) return
    this.#parts.push(Buffer.concat(this.#parts.splice(-JOINED_PARTS)))
    this.#small = 0
  }

  get partCount(): number {
    return this.#parts.length
  }

  /** Everything so far; a body of one part is not copied. */
  join(): Buffer {
    const [first] = this.#parts
    return this.#parts.length === 1 && first !== undefined ? first : Buffer.concat(this.#parts)
  }
}
