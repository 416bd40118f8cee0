import type { CallEvent, CaptureEvent } from '../../shared/capture/events'

/** The body or raw text that an event holds; empty where there is none. */
export function textOf(event: CallEvent): string {
  switch (event.kind) {
    case 'call.received':
      return event.body
    case 'upstream.sent':
      return event.body ?? ''
    case 'upstream.frame':
    case 'request.answered':
      return event.raw
    case 'response.frame':
      return event.raw ?? ''
    default:
      return ''
  }
}

/** Its length in UTF-16 code units. */
export function textLength(event: CallEvent): number {
  return textOf(event).length
}

/** Texts longer than this (UTF-16 code units) are handled in pieces, so that one of many megabytes does not hold up the relay. */
export const LARGE_TEXT = 1_048_576
const PIECE = 262_144

/**
 * How many UTF-16 code units of the text, from its beginning, stand in `bytes` bytes of a line, escaped as JSON escapes
 * them. Looks at the text only when it might not fit.
 */
export function fittingLength(text: string, bytes: number): number {
  if (text.length <= bytes / 6) return text.length
  let left = bytes
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22 || code === 0x5c) left -= 2
    else if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) left -= 6
    else left -= code < 0x80 ? 1 : code < 0x800 ? 2 : 3
    if (left < 0) return at
  }
  return text.length
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
