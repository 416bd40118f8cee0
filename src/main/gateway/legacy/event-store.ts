/** One event that a legacy client may ask for again with `Last-Event-ID`. */
export interface StoredEvent {
  id: string
  stream: string
  text: string
  /** Nothing follows on that stream. */
  last: boolean
  /** The recorded upstream frame that it carries on, where one is known. */
  from?: number
}

export interface Follower {
  event(event: StoredEvent): void
  replaced(): void
}

const MAX_EVENTS = 1_000
const MAX_CHARS = 8_388_608

/**
 * What went onto the streams of one legacy session, newest last, bounded; and who follows a stream live. Ids are unique in
 * the session and name the stream (2025-11-25 basic/transports "Resumability").
 */
export class EventStore {
  readonly #events: StoredEvent[] = []
  readonly #followers = new Map<string, Follower>()
  #chars = 0
  #last = 0

  /** Keeps `text` as the next event of `stream`, and tells those who follow it. */
  append(stream: string, text: string, last = false, from?: number): StoredEvent {
    const event = { id: `${stream}.${++this.#last}`, stream, text, last, ...(from === undefined ? {} : { from }) }
    this.#events.push(event)
    this.#chars += text.length
    while (this.#events.length > MAX_EVENTS || (this.#chars > MAX_CHARS && this.#events.length > 1)) {
      this.#chars -= this.#events.shift()?.text.length ?? 0
    }
    this.#followers.get(stream)?.event(event)
    return event
  }

  /** The events of the same stream after `id`; undefined when `id` is not (or no longer) known. */
  after(id: string): { stream: string; events: StoredEvent[] } | undefined {
    const at = this.#events.findIndex((event) => event.id === id)
    const known = this.#events[at]
    if (known === undefined) return undefined
    return { stream: known.stream, events: this.#events.slice(at + 1).filter(({ stream }) => stream === known.stream) }
  }

  /**
   * Hears of the events of `stream` from now on. A message goes to one connection only (2025-11-25 basic/transports,
   * "Multiple Connections"), so who followed before is told that it is replaced: its connection may be dead already.
   */
  follow(stream: string, follower: Follower): () => void {
    this.#followers.get(stream)?.replaced()
    this.#followers.set(stream, follower)
    return () => {
      if (this.#followers.get(stream) === follower) this.#followers.delete(stream)
    }
  }

  followed(stream: string): boolean {
    return this.#followers.has(stream)
  }
}
