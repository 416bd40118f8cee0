import type { CallEvent } from '../../shared/capture/events'
import { cutEvent, LARGE_TEXT, textLength } from './event-size'

interface CallWindow {
  events: CallEvent[]
  bytes: number
  /** True when events of the call were let go. */
  partial: boolean
  /** Events whose texts are here with their beginnings only. */
  trimmed: Set<number> | null
  ended: boolean
}

/** What an event costs beside its texts, roughly. */
const EVENT_BYTES = 400
/** What is kept of a large text: as much as a desk is shown unasked. */
export const BEGINNING = 65_536

/**
 * The newest events in memory, by call, at most about `limit` bytes; of large texts only the beginning. Lets ended calls go first, oldest first; then the
 * older half of the events of the longest open call.
 */
export class EventWindow {
  private readonly calls = new Map<number, CallWindow>()
  /** Ended calls in the order in which they ended. */
  private readonly ended = new Set<number>()
  private total = 0

  constructor(private bound: number) {}

  get bytes(): number {
    return this.total
  }

  set limit(bytes: number) {
    this.bound = bytes
    if (this.total > this.bound) this.shrink()
  }

  add(whole: CallEvent): void {
    const trim = textLength(whole) > LARGE_TEXT
    const event = trim ? cutEvent(whole, BEGINNING) : whole
    const bytes = sizeOf(event)
    let window = this.calls.get(event.call)
    if (window === undefined) {
      window = { events: [], bytes: 0, partial: event.kind !== 'call.received', trimmed: null, ended: false }
      this.calls.set(event.call, window)
    }
    if (trim) (window.trimmed ??= new Set()).add(event.seq)
    window.events.push(event)
    window.bytes += bytes
    this.total += bytes
    if (event.kind === 'call.ended') {
      window.ended = true
      this.ended.add(event.call)
    }
    if (this.total > this.bound) this.shrink()
  }

  /** The events that are here, and whether they are all of the call up to now. */
  of(call: number): { events: readonly CallEvent[]; whole: boolean } {
    const window = this.calls.get(call)
    return window === undefined ? { events: [], whole: false } : { events: window.events, whole: !window.partial }
  }

  /** True when of the text of event `seq` only the beginning is here. */
  isTrimmed(call: number, seq: number): boolean {
    return this.calls.get(call)?.trimmed?.has(seq) === true
  }

  event(call: number, seq: number): CallEvent | undefined {
    const events = this.calls.get(call)?.events ?? []
    // What is asked for is nearly always among the newest.
    for (let index = events.length - 1; index >= 0; index--) if (events[index]?.seq === seq) return events[index]
    return undefined
  }

  /** Everything that is here, by call. */
  *all(): Generator<[call: number, events: readonly CallEvent[]]> {
    for (const [call, { events }] of this.calls) yield [call, events]
  }

  private shrink(): void {
    // Some room at once, so that it is not to be made for every event.
    const room = this.bound * 0.75
    for (const call of this.ended) {
      if (this.total <= room) return
      this.ended.delete(call)
      this.total -= this.calls.get(call)?.bytes ?? 0
      this.calls.delete(call)
    }
    while (this.total > room) {
      const window = this.longest()
      if (window === undefined) return
      const gone = window.events.splice(0, Math.ceil(window.events.length / 2))
      const bytes = gone.reduce((sum, event) => sum + sizeOf(event), 0)
      const [call] = gone
      window.partial = true
      window.bytes -= bytes
      this.total -= bytes
      // A call of which nothing is here is no window; late events of forgotten calls would pile up otherwise.
      if (window.events.length === 0 && call !== undefined) this.calls.delete(call.call)
    }
  }

  private longest(): CallWindow | undefined {
    let longest: CallWindow | undefined
    for (const window of this.calls.values()) {
      if (window.events.length > 0 && (longest === undefined || window.bytes > longest.bytes)) longest = window
    }
    return longest
  }
}

function sizeOf(event: CallEvent): number {
  return EVENT_BYTES + textLength(event)
}
