import TinyQueue from 'tinyqueue'
import type { CaptureEvent } from '../../../shared/capture/events'

/** An event that may not be written before it is known that none begins earlier. */
export type TimedEvent = Exclude<CaptureEvent, { kind: 'capture.lost' }>

interface Waiting {
  event: TimedEvent
  order: number
}
type Compare = (one: Waiting, other: Waiting) => number

/** Of equal times, what came first. */
export const byTime: Compare = (one, other) => one.event.at - other.event.at || one.order - other.order

/**
 * Events that come in the order of their calls, and are taken in the order of time. A heap, since any number of calls may
 * have begun at the same moment.
 */
export class OrderedEvents {
  readonly #waiting: TinyQueue<Waiting>
  #order = 0

  constructor(compare: Compare = byTime) {
    this.#waiting = new TinyQueue<Waiting>([], compare)
  }

  push(event: TimedEvent): void {
    this.#waiting.push({ event, order: ++this.#order })
  }

  /** Takes the earliest; undefined when that is later than `until`. */
  take(until: number): TimedEvent | undefined {
    const next = this.#waiting.peek()
    return next === undefined || next.event.at > until ? undefined : this.#waiting.pop()?.event
  }
}
