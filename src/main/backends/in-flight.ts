/** Counts what is under way, so that its end can be waited for. */
export class InFlight {
  #count = 0
  readonly #waiting = new Set<() => void>()

  add(): void {
    this.#count++
  }

  done(): void {
    this.#count--
    if (this.#count > 0) return
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.add(resolve))
  }
}
