/** How fast a recording is told: 1 is as it was, Infinity at once. */
export type Speed = number

/** The clock of one exchange that is told again. */
export class Pace {
  #began = performance.now()

  constructor(private readonly speed: Speed) {}

  /**
   * Resolves when `offset` (recorded microseconds since the request was sent) is due, or at once when `signal` is
   * aborted.
   */
  async until(offset: number, signal: AbortSignal): Promise<void> {
    const wait = this.#began + this.told(offset) - performance.now()
    if (wait <= 0 || signal.aborted) return
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, wait)
      signal.addEventListener('abort', done, { once: true })
    })
  }

  /** What was recorded at `offset` happens now: what follows keeps its distance to it. */
  set(offset: number): void {
    this.#began = performance.now() - this.told(offset)
  }

  private told(offset: number): number {
    return this.speed === Infinity ? 0 : offset / 1_000 / this.speed
  }
}
