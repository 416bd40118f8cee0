import type { ClippedEvent } from '../../shared/api/contract'
import type { CallEvent } from '../../shared/capture/events'
import { cutEvent, textLength } from '../capture/event-size'

/** Longer texts are fetched when they are opened (`call.text`). */
const MAX_TEXT = 65_536
/** When the texts of a call have taken this much together, the rest is clipped closely. */
const MAX_TOGETHER = 8_388_608
const CLOSE = 512

/** Events as a desk gets them: long texts cut, with their whole lengths. */
export function clipEvents(events: readonly CallEvent[]): { events: CallEvent[]; clipped: ClippedEvent[] } {
  const clipped: ClippedEvent[] = []
  let together = 0
  const shown = events.map((event) => {
    const length = textLength(event)
    const max = together > MAX_TOGETHER ? CLOSE : MAX_TEXT
    together += Math.min(length, max)
    if (length <= max) return event
    clipped.push({ seq: event.seq, length: event.cut ?? length })
    // Without `cut`, which is of the recorder: here the whole is still to be had.
    const { cut: _cut, ...short } = cutEvent(event, max)
    return event.cut === undefined ? short : { ...short, cut: event.cut }
  })
  return { events: shown, clipped }
}
