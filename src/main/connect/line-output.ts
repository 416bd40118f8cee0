import type { Writable } from 'node:stream'

/** The client's side of stdout: one message a line, and whoever writes hears when the client does not keep up. */
export class LineOutput {
  readonly #stream: Writable
  readonly #waiting = new Set<() => void>()
  #blocked = false

  constructor(stream: Writable) {
    this.#stream = stream
    stream.on('drain', () => {
      this.#blocked = false
      const waiting = [...this.#waiting]
      this.#waiting.clear()
      for (const go of waiting) go()
    })
  }

  /** True while the client has more to read than it takes. */
  get blocked(): boolean {
    return this.#blocked
  }

  /** Messages must not have line breaks in them (basic/transports, stdio); between JSON's tokens a blank means the same. */
  write(message: string): void {
    const line = /[\r\n]/.test(message) ? message.replace(/[\r\n]+/g, ' ') : message
    if (!this.#stream.write(`${line}\n`)) this.#blocked = true
  }

  /** Once, when the client has taken what is written. */
  onDrain(go: () => void): void {
    this.#waiting.add(go)
  }

  /** Resolves when everything is handed to the system, or cannot be any more. */
  flushed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stream.writableLength === 0 || this.#stream.destroyed) resolve()
      else this.#stream.write('', () => resolve())
    })
  }
}
