import type { Together } from './drawn-together'

/** Milliseconds from one tick to the next. */
export type Pace = 100 | 1_000

/**
 * Tells of the time that passes: all listeners in one go, and with whatever else is drawn then, so that the page is not
 * drawn once more for each of them.
 */
export class Ticks {
  readonly #together: Together
  readonly #listeners = new Map<Pace, Set<() => void>>()

  /** `together` runs a task soon, in one go with others (`drawnTogether`). */
  constructor(together: Together) {
    this.#together = together
  }

  /** Calls `listener` at each tick until the returned function is called. */
  onTick(pace: Pace, listener: () => void): () => void {
    const own = (): void => listener()
    const listeners = this.#listeners.get(pace) ?? this.#begin(pace)
    listeners.add(own)
    return () => listeners.delete(own)
  }

  #begin(pace: Pace): Set<() => void> {
    const listeners = new Set<() => void>()
    this.#listeners.set(pace, listeners)
    let due = false
    const timer = setInterval(() => {
      if (listeners.size === 0) {
        clearInterval(timer)
        this.#listeners.delete(pace)
        return
      }
      if (due) return
      due = true
      this.#together(() => {
        due = false
        for (const each of listeners) each()
      }, 'after')
    }, pace)
    return listeners
  }
}
