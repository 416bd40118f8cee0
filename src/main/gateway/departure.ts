import { abortSignalOf, type CancelSignal } from '../backends/cancel-signal'

/** Tells, once, that nobody waits for the answer to a call any more. */
export class Departure implements CancelSignal {
  #aborted = false
  readonly #listeners = new Set<() => void>()
  #signal: AbortSignal | undefined

  get aborted(): boolean {
    return this.#aborted
  }

  /** The same for what takes nothing but an `AbortSignal`; made when it is asked for. */
  get signal(): AbortSignal {
    return (this.#signal ??= abortSignalOf(this))
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener)
  }

  abort(): void {
    if (this.#aborted) return
    this.#aborted = true
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    for (const listener of listeners) listener()
  }
}
