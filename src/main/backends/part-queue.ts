import type { UpstreamPart } from './backend'

/** The source may go on below this many queued characters, and must pause above it. */
const HIGH_WATER = 262_144

/** What a queue tells the side that fills it. */
export interface PartSource {
  pause(): void
  resume(): void
  abandon(): void
}

/**
 * Parts on their way from the socket to the relay. When the relay is slower (because its client is), the socket is
 * paused, so that a call's memory stays bounded and only that call slows down.
 */
export class PartQueue implements AsyncIterableIterator<UpstreamPart> {
  #parts: UpstreamPart[] = []
  #head = 0
  #chars = 0
  #paused = false
  #finished = false
  #waiting: ((result: IteratorResult<UpstreamPart>) => void) | undefined

  /** `source` may be replaced while it is not paused. */
  constructor(public source: PartSource) {}

  /** Characters that were pushed and not yet taken. */
  get chars(): number {
    return this.#chars
  }

  /** An `ended` part is the last one; what comes after it is ignored. */
  push(part: UpstreamPart): void {
    if (this.#finished) return
    if (part.kind === 'ended') this.#finished = true
    if (this.#waiting !== undefined) {
      const deliver = this.#waiting
      this.#waiting = undefined
      deliver({ value: part, done: false })
      return
    }
    this.#parts.push(part)
    this.#chars += sizeOf(part)
    if (!this.#paused && !this.#finished && this.#chars > HIGH_WATER) {
      this.#paused = true
      this.source.pause()
    }
  }

  /** The last part. */
  end(reason: (UpstreamPart & { kind: 'ended' })['reason'], detail?: string, wrongEra = false): void {
    this.push({
      kind: 'ended',
      reason,
      ...(detail === undefined ? {} : { detail }),
      ...(wrongEra ? { wrongEra } : {}),
    })
  }

  next(): Promise<IteratorResult<UpstreamPart>> {
    const part = this.#parts[this.#head]
    if (part !== undefined) {
      this.#head++
      this.#chars -= sizeOf(part)
      if (this.#head === this.#parts.length) {
        this.#parts = []
        this.#head = 0
        if (this.#paused) {
          this.#paused = false
          this.source.resume()
        }
      }
      return Promise.resolve({ value: part, done: false })
    }
    if (this.#finished) return Promise.resolve({ value: undefined, done: true })
    return new Promise((resolve) => (this.#waiting = resolve))
  }

  /** The relay wants no more: the exchange is given up. */
  return(): Promise<IteratorResult<UpstreamPart>> {
    // Giving up ends the exchange, and that end still reaches a reader that waits.
    if (!this.#finished) this.source.abandon()
    this.#finished = true
    this.#parts = []
    this.#head = 0
    this.#chars = 0
    return Promise.resolve({ value: undefined, done: true })
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

/** The parts of an exchange that could not begin. */
export function endedParts(
  reason: (UpstreamPart & { kind: 'ended' })['reason'],
  detail: string,
  wrongEra = false,
): PartQueue {
  const parts = new PartQueue({ pause: () => undefined, resume: () => undefined, abandon: () => undefined })
  parts.end(reason, detail, wrongEra)
  return parts
}

function sizeOf(part: UpstreamPart): number {
  return part.kind === 'frame' ? part.raw.length : 0
}
