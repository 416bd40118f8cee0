import { referenceOf, resolveText } from '../../shared/capture/body-reference'
import type { CallEvent } from '../../shared/capture/events'
import { cutEvent, LARGE_TEXT, textLength } from './event-size'
import type { EventPlace } from './event-table'
import { BEGINNING, type EventWindow } from './event-window'
import type { LineSource } from './line-source'

/** Places that are nearer than this are read in one go. */
const GAP_BYTES = 16_384
const MAX_READ_BYTES = 8_388_608
/** Of a call with more text (UTF-16 code units), later texts come with their beginnings only. */
const MAX_CALL_TEXT = 67_108_864
const SHORT_BEGINNING = 2_048
/** Of a call with more events, those of the middle are left out. */
const MAX_CALL_EVENTS = 400_000

/** Reads events of a capture: from memory where they are there, else from the lines that wait, else from the file. */
export class CaptureReading {
  constructor(
    /** Where the events of a call stand, in order. */
    private readonly places: (call: number) => EventPlace[],
    private readonly window: EventWindow,
    private readonly source: LineSource | null,
    /** The event of a line, if it is one. */
    private readonly parse: (line: string) => CallEvent | undefined,
  ) {}

  /** The events of a call that are still somewhere, in order; of texts of megabytes perhaps the beginning only (`cut`). */
  async events(call: number): Promise<CallEvent[]> {
    const inMemory = this.window.of(call)
    if (inMemory.whole) return [...inMemory.events]
    const events = new Map(inMemory.events.map((event) => [event.seq, event]))
    const missing = bounded(this.places(call)).filter((place) => !events.has(place.seq))
    let length = 0
    await this.read(call, missing, (event) => {
      length += textLength(event)
      const bound = length > MAX_CALL_TEXT ? SHORT_BEGINNING : LARGE_TEXT
      events.set(event.seq, textLength(event) > bound ? cutEvent(event, Math.min(bound, BEGINNING)) : event)
    })
    return [...events.values()].sort((a, b) => a.seq - b.seq)
  }

  /** The whole text of one event with references resolved, or in words why it is not there. */
  async text(call: number, seq: number): Promise<{ text: string } | { problem: string }> {
    const event = await this.event(call, seq)
    if (event === undefined) return { problem: `event ${seq} of call ${call} is no longer there` }
    if (event.kind === 'upstream.frame') return { text: event.raw }
    const reference = referenceOf(event)
    const source = reference === undefined ? undefined : await this.event(call, reference.seq)
    const text = resolveText(event, () => source)
    if (text === undefined) return { problem: `event ${seq} has no text` }
    if (typeof text === 'string') return { text }
    return { problem: `event ${seq} refers to event ${text.missing}, which is no longer there` }
  }

  /** One event with its whole text, if that is still somewhere, else with what is there of it. */
  private async event(call: number, seq: number): Promise<CallEvent | undefined> {
    const inMemory = this.window.event(call, seq)
    if (inMemory !== undefined && !this.window.isTrimmed(call, seq)) return inMemory
    const place = this.places(call).find((one) => one.seq === seq)
    let found = inMemory
    if (place !== undefined) await this.read(call, [place], (event) => (found = event))
    return found
  }

  private async read(call: number, places: readonly EventPlace[], take: (event: CallEvent) => void): Promise<void> {
    const source = this.source
    if (source === null) return
    const written: (EventPlace & { offset: number })[] = []
    for (const { seq, offset, length } of places) {
      if (offset !== undefined) written.push({ seq, offset, length })
      else {
        const event = this.parseLine(source.waitingLine(seq), seq)
        if (event?.call === call) take(event)
      }
    }
    for (let from = 0; from < written.length;) {
      const first = written[from]
      if (first === undefined) break
      let to = from + 1
      let end = first.offset + first.length
      for (let next = written[to]; next !== undefined; next = written[to]) {
        if (next.offset - end > GAP_BYTES || next.offset + next.length - first.offset > MAX_READ_BYTES) break
        end = next.offset + next.length
        to++
      }
      const bytes = await readable(source, first.offset, end - first.offset)
      for (const { seq, offset, length } of written.slice(from, to)) {
        const begin = offset - first.offset
        const event = this.parseLine(bytes?.toString('utf8', begin, begin + length), seq)
        if (event?.call === call) take(event)
      }
      from = to
    }
  }

  /** Undefined when the file is no longer what was indexed. */
  private parseLine(line: string | undefined, seq: number): CallEvent | undefined {
    const event = line === undefined ? undefined : this.parse(line)
    return event?.seq === seq ? event : undefined
  }
}

function bounded(places: EventPlace[]): EventPlace[] {
  const half = MAX_CALL_EVENTS / 2
  return places.length <= MAX_CALL_EVENTS ? places : [...places.slice(0, half), ...places.slice(-half)]
}

/** Bytes of the file, or undefined while the disk fails: its events are not there then. */
async function readable(source: LineSource, offset: number, length: number): Promise<Buffer | undefined> {
  try {
    return await source.read(offset, length)
  } catch {
    // The writer meets the same failure, and tells of it in its own words (`status().problem`).
    return undefined
  }
}
