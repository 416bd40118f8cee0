/** The last lines of something that may go on for ever. */
export class LineRing {
  #lines: string[] = []

  constructor(readonly most: number) {}

  push(line: string): void {
    this.#lines.push(line)
    // Trimmed now and then, not at every line.
    if (this.#lines.length >= 2 * this.most) this.#lines = this.lines()
  }

  /** Oldest first. */
  lines(): string[] {
    return this.#lines.slice(-this.most)
  }

  last(): string | undefined {
    return this.#lines.at(-1)
  }
}
