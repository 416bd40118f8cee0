import type { CallEvent } from '../../../shared/capture/events'
import { redactEvent, RedactionMemory } from '../../../shared/capture/redaction'
import type { RedactionRules } from '../../../shared/capture/redaction-rules'
import type { CaptureView } from '../capture-view'
import { textLength } from '../event-size'

/** Texts of a call (UTF-16 code units) that are put together in memory for an export; what is beyond comes cut. */
const MAX_CALL_TEXT = 134_217_728

/**
 * The events of a call with their whole texts, redacted by `rules`. What was cut when it was recorded, or does not fit into
 * memory, keeps its `cut`.
 */
export async function wholeCall(
  capture: CaptureView,
  call: number,
  rules: RedactionRules | null,
): Promise<CallEvent[]> {
  const memory = new RedactionMemory()
  const events: CallEvent[] = []
  let room = MAX_CALL_TEXT
  for (const event of await capture.events(call)) {
    const whole = event.cut !== undefined && event.cut <= room ? await completed(capture, event) : event
    room -= textLength(whole)
    const redacted = rules === null ? whole : redactEvent(whole, rules, memory)
    if ('call' in redacted) events.push(redacted)
  }
  return events
}

async function completed(capture: CaptureView, event: CallEvent): Promise<CallEvent> {
  const found = await capture.text(event.call, event.seq)
  if (!('text' in found) || found.text.length <= textLength(event)) return event
  const { cut, ...rest } = event
  const left = cut !== undefined && found.text.length < cut ? { cut } : {}
  switch (rest.kind) {
    case 'call.received':
    case 'upstream.sent':
      return { ...rest, ...left, body: found.text }
    case 'upstream.frame':
    case 'response.frame':
    case 'request.answered':
      return { ...rest, ...left, raw: found.text }
    default:
      return event
  }
}
