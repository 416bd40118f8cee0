const REMEMBERED = 8

/**
 * Tells the capture's time now, for countdowns and "now" lines. The capture counts microseconds on a monotonic clock of
 * another process; this side only has the wall clock. Each event that has just arrived bounds the difference of the
 * two, and the smallest of the last ones is the best guess (an event is never ahead of its own clock, and the carrier
 * only adds delay). Until one arrived, the capture's declared beginning must do.
 */
export class CaptureClock {
  readonly #wallNow: () => number
  readonly #observed: number[] = []
  #startedAt = 0
  #begin: number | undefined

  constructor(wallNow: () => number) {
    this.#wallNow = wallNow
  }

  /** Wall clock of the capture's beginning, Unix milliseconds: turns moments of the capture into times of day. */
  get startedAt(): number {
    return this.#startedAt
  }

  begin(startedAtMs: number): void {
    if (startedAtMs === this.#startedAt) return
    this.#startedAt = startedAtMs
    this.#observed.length = 0
    this.#begin = undefined
  }

  /** Notes that the moment `at` (microseconds) has just been reported. */
  observe(at: number): void {
    this.#observed.push(this.#wallNow() - at / 1000)
    if (this.#observed.length > REMEMBERED) this.#observed.shift()
    this.#begin = Math.min(...this.#observed)
  }

  /** Microseconds since the capture began. */
  now(): number {
    return Math.max(0, (this.#wallNow() - (this.#begin ?? this.#startedAt)) * 1000)
  }
}
