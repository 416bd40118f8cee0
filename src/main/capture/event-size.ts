import type { CallEvent, CaptureEvent } from '../../shared/capture/events'

/** Length in UTF-16 code units of the body or raw text that an event holds. */
export function textLength(event: CallEvent): number {
  switch (event.kind) {
    case 'call.received':
      return event.body.length
    case 'upstream.sent':
      return event.body?.length ?? 0
    case 'upstream.frame':
      return event.raw.length
    case 'response.frame':
      return event.raw?.length ?? 0
    default:
      return 0
  }
}

/** The event with its text cut to `max` UTF-16 code units, and its whole length in `cut`; the event itself when it is not longer. */
export function cutEvent<T extends CaptureEvent>(event: T, max: number): T | (T & CallEvent) {
  if (!('call' in event)) return event
  const length = textLength(event)
  if (length <= max) return event
  const call: CallEvent = event
  switch (call.kind) {
    case 'call.received':
    case 'upstream.sent':
      return { ...event, body: beginning(call.body ?? '', max), cut: call.cut ?? length }
    case 'upstream.frame':
    case 'response.frame':
      return { ...event, raw: beginning(call.raw ?? '', max), cut: call.cut ?? length }
    default:
      return event
  }
}

/** Does not end within a surrogate pair, since half of one is no text. */
function beginning(text: string, max: number): string {
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}
