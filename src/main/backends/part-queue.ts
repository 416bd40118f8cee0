import type { UpstreamPart } from './backend'

/** The source may go on below this many queued characters, and must pause above it. */
const HIGH_WATER = 262_144

/** What a queue tells the side that fills it. */
export interface PartSource {
  pause(): void
  resume(): void
  abandon(): void
}

/** Takes a part; true when no more are wanted. */
export type TakePart = (part: UpstreamPart) => boolean | Promise<boolean>

/**
 * Hands every part to `take`, one after the other. Those of a `PartQueue` are taken as they arrive, without the turn of the
 * microtask queue that an iteration costs each. Resolves after the last one.
 */
export async function eachPart(parts: AsyncIterable<UpstreamPart>, take: TakePart): Promise<void> {
  if (parts instanceof PartQueue) return parts.each(take)
  for await (const part of parts) if (await take(part)) break
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
  #reader: { take: TakePart; resolve: () => void; reject: (error: unknown) => void } | undefined
  /** The reader has a part in hand. */
  #taking = false

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
    this.#give()
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

  /** See `eachPart`. Not to be mixed with an iteration. */
  each(take: TakePart): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#reader = { take, resolve, reject }
      this.#give()
    })
  }

  next(): Promise<IteratorResult<UpstreamPart>> {
    const part = this.#shift()
    if (part !== undefined) return Promise.resolve({ value: part, done: false })
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

  #shift(): UpstreamPart | undefined {
    const part = this.#parts[this.#head]
    if (part === undefined) return undefined
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
    return part
  }

  #give(): void {
    while (this.#reader !== undefined && !this.#taking) {
      const { take, resolve } = this.#reader
      const part = this.#shift()
      if (part === undefined) {
        if (!this.#finished) return
        this.#reader = undefined
        resolve()
        return
      }
      this.#taking = true
      try {
        const enough = take(part)
        if (typeof enough === 'boolean') this.#taken(enough)
        else {
          enough
            .then((really) => {
              this.#taken(really)
              this.#give()
            })
            .catch((error: unknown) => this.#failed(error))
        }
      } catch (error) {
        this.#failed(error)
      }
    }
  }

  #taken(enough: boolean): void {
    if (enough) void this.return()
    this.#taking = false
  }

  #failed(error: unknown): void {
    const reader = this.#reader
    this.#reader = undefined
    void this.return()
    reader?.reject(error)
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
