import type { CallEvent, CaptureEvent } from '../../shared/capture/events'

/** Length in UTF-16 code units of the body or raw text that an event holds. */
export function textLength(event: CallEvent): number {
  switch (event.kind) {
    case 'call.received':
      return event.body.length
    case 'upstream.sent':
      return event.body?.length ?? 0
    case 'upstream.frame':
    case 'request.answered':
      return event.raw.length
    case 'response.frame':
      return event.raw?.length ?? 0
    default:
      return 0
  }
}

/** Texts longer than this (UTF-16 code units) are handled in pieces, so that one of many megabytes does not hold up the relay. */
export const LARGE_TEXT = 1_048_576
const PIECE = 262_144

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
    case 'request.answered':
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

/** The event's line as pieces of bounded length. Together they are JSON of the same event. */
export function* linePieces(event: CaptureEvent): Generator<string> {
  if (!('call' in event) || textLength(event) <= LARGE_TEXT) {
    yield JSON.stringify(event)
    return
  }
  const text = 'raw' in event ? event.raw : 'body' in event ? event.body : undefined
  const { raw: _raw, body: _body, ...rest } = event as CallEvent & { raw?: string; body?: string }
  yield `${JSON.stringify(rest).slice(0, -1)},"${'raw' in event ? 'raw' : 'body'}":"`
  // A surrogate pair that falls apart is escaped in two halves, which JSON puts together again.
  for (let at = 0; text !== undefined && at < text.length; at += PIECE) {
    yield JSON.stringify(text.slice(at, at + PIECE)).slice(1, -1)
  }
  yield '"}'
}
