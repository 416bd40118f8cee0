/** Milliseconds that a run took, without its pauses, and the pauses. */
export class RunClock {
  #began = performance.now()
  #pausedAt: number | undefined
  #resumed: { promise: Promise<void>; resolve: () => void } | undefined

  elapsed(): number {
    return (this.#pausedAt ?? performance.now()) - this.#began
  }

  get paused(): boolean {
    return this.#pausedAt !== undefined
  }

  pause(): void {
    if (this.paused) return
    this.#pausedAt = performance.now()
    let resolve: () => void = () => undefined
    const promise = new Promise<void>((settle) => (resolve = settle))
    this.#resumed = { promise, resolve }
  }

  resume(): void {
    if (this.#pausedAt === undefined) return
    this.#began += performance.now() - this.#pausedAt
    this.#pausedAt = undefined
    this.#resumed?.resolve()
    this.#resumed = undefined
  }

  /** Resolves when `at` (milliseconds of the run) has come and the run is not paused, or `signal` is aborted. */
  async until(at: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#resumed !== undefined) await raced(this.#resumed.promise, signal)
      const wait = at - this.elapsed()
      if (wait <= 0 && !this.paused) return
      if (wait > 0) await sleep(wait, signal)
    }
  }
}

function raced(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done, { once: true })
    void promise.then(done)
  })
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done, { once: true })
  })
}
