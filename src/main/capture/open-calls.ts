import type { CallEvent } from '../../shared/capture/events'
import { cutEvent } from './event-size'

/** Calls that are open at once and whose beginnings are kept. */
const MAX_CALLS = 5_000
const MAX_BODY_LENGTH = 65_536

/** How calls that have not ended began: what a file that goes on with a capture says of them again. */
export class OpenCalls {
  private readonly beginnings = new Map<number, CallEvent[]>()

  /** Calls that are open. */
  get size(): number {
    return this.beginnings.size
  }

  take(event: CallEvent): void {
    switch (event.kind) {
      case 'call.received':
        if (this.beginnings.size < MAX_CALLS) this.beginnings.set(event.call, [cutEvent(event, MAX_BODY_LENGTH)])
        break
      case 'call.routed':
        this.beginnings.get(event.call)?.splice(1, 1, event)
        break
      case 'call.ended':
        this.beginnings.delete(event.call)
        break
      default:
        break
    }
  }

  /** Their lines, in the order of the capture. */
  lines(): string[] {
    const events = [...this.beginnings.values()].flat()
    return events.sort((a, b) => a.seq - b.seq).map((event) => JSON.stringify(event))
  }
}
