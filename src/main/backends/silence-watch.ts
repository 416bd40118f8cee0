export interface SilenceWatchOptions {
  /** So long nothing may come while calls are under way, before the server is asked whether it is there. */
  quietMs: number
  /** So long it has to answer that. */
  answerMs: number
  /** Asks; the answer is heard as everything else is. Asked once for each silence. */
  ask(): void
  onSilent(silence: Silence): void
  /** It says something again. */
  onHeard(): void
}

export interface Silence {
  /** Calls that wait. */
  calls: number
  /** Since the last message, or since the first of the calls. */
  forMs: number
}

/**
 * Notices that a server with calls under way says nothing at all: it is stopped, or hangs. Calls have no time limit
 * here, since a tool may take as long as it likes; a server that works and can be asked is left alone.
 */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions
  #calls = 0
  #heardAt = 0
  #timer: NodeJS.Timeout | undefined
  #state: 'speaks' | 'asked' | 'silent' = 'speaks'

  constructor(options: SilenceWatchOptions) {
    this.#options = options
  }

  began(): void {
    if (this.#calls++ > 0) return
    this.#heardAt = Date.now()
    // One timer serves call after call: it looks when it is due, and begins anew only when none is set.
    if (this.#timer === undefined) this.#arm(this.#options.quietMs)
  }

  ended(): void {
    this.#calls--
  }

  heard(): void {
    this.#heardAt = Date.now()
    if (this.#state === 'speaks') return
    const silent = this.#state === 'silent'
    this.#state = 'speaks'
    if (!silent) return
    this.#options.onHeard()
    this.#arm(this.#options.quietMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #arm(delayMs: number): void {
    this.#timer = setTimeout(() => this.#look(), delayMs)
    this.#timer.unref()
  }

  #look(): void {
    this.#timer = undefined
    if (this.#calls === 0 || this.#state === 'silent') return
    const { quietMs, answerMs, ask, onSilent } = this.#options
    const forMs = Date.now() - this.#heardAt
    const left = (this.#state === 'asked' ? quietMs + answerMs : quietMs) - forMs
    if (left > 0) this.#arm(left)
    else if (this.#state === 'speaks') {
      this.#state = 'asked'
      this.#arm(answerMs)
      ask()
    } else {
      this.#state = 'silent'
      onSilent({ calls: this.#calls, forMs })
    }
  }
}
