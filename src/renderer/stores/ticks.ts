/** Tells of the time that passes, all listeners in one go, so that what shows it is drawn once for all of them. */
export class Ticks {
  readonly #apartMs: number
  readonly #listeners = new Set<() => void>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(apartMs: number) {
    this.#apartMs = apartMs
  }

  /** Calls `listener` at each tick until the returned function is called. */
  onTick(listener: () => void): () => void {
    const own = (): void => listener()
    this.#listeners.add(own)
    this.#timer ??= setInterval(() => {
      for (const each of this.#listeners) each()
    }, this.#apartMs)
    return () => {
      this.#listeners.delete(own)
      if (this.#listeners.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }
}
