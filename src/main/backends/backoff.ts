/** Pauses that grow with every failure in a row. A pause never keeps the process alive. */
export class Backoff {
  #failures = 0
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(readonly pausesMs: readonly number[]) {}

  /** Milliseconds before the next attempt. */
  get pauseMs(): number {
    return this.pausesMs[Math.min(this.#failures, this.pausesMs.length - 1)] ?? 0
  }

  /** Runs `attempt` after the pause, in place of one that waits. */
  again(attempt: () => void): void {
    if (this.#stopped) return
    clearTimeout(this.#timer)
    const pause = this.pauseMs
    this.#failures++
    this.#timer = setTimeout(attempt, pause)
    this.#timer.unref()
  }

  /** Forgets the failures, and the attempt that waits. */
  reset(): void {
    this.#failures = 0
    clearTimeout(this.#timer)
  }

  /** For good. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }
}
