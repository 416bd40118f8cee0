import { referenceOf, resolveText } from '../../shared/capture/body-reference'
import type { CallEvent } from '../../shared/capture/events'
import type { CaptureIndex } from './capture-index'
import type { CaptureWriter } from './capture-writer'
import type { EventPlace } from './event-table'
import type { EventWindow } from './event-window'

/** Places that are nearer than this are read in one go. */
const GAP_BYTES = 16_384
const MAX_READ_BYTES = 8_388_608

/** Reads events of this run: from memory where they are there, else from the lines that wait, else from the file. */
export class CaptureReading {
  constructor(
    private readonly index: CaptureIndex,
    private readonly window: EventWindow,
    private readonly writer: CaptureWriter | null,
  ) {}

  /** The events of a call that are still somewhere, in order; of texts of megabytes perhaps the beginning only (`cut`). */
  async events(call: number): Promise<CallEvent[]> {
    const inMemory = this.window.of(call)
    if (inMemory.whole) return [...inMemory.events]
    const events = new Map(inMemory.events.map((event) => [event.seq, event]))
    const missing = this.index.places(call).filter((place) => !events.has(place.seq))
    for (const event of await this.read(missing)) events.set(event.seq, event)
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
    const place = this.index.places(call).find((one) => one.seq === seq)
    const [read] = place === undefined ? [] : await this.read([place])
    return read ?? inMemory
  }

  private async read(places: readonly EventPlace[]): Promise<CallEvent[]> {
    const events: CallEvent[] = []
    const writer = this.writer
    if (writer === null) return events
    const written: (EventPlace & { offset: number })[] = []
    for (const { seq, offset, length } of places) {
      if (offset !== undefined) written.push({ seq, offset, length })
      else {
        const event = parseLine(writer.waitingLine(seq), seq)
        if (event !== undefined) events.push(event)
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
      const bytes = await readable(writer, first.offset, end - first.offset)
      for (const { seq, offset, length } of written.slice(from, to)) {
        const begin = offset - first.offset
        const event = parseLine(bytes?.toString('utf8', begin, begin + length), seq)
        if (event !== undefined) events.push(event)
      }
      from = to
    }
    return events
  }
}

/** Bytes of the file, or undefined while the disk fails: its events are not there then. */
async function readable(writer: CaptureWriter, offset: number, length: number): Promise<Buffer | undefined> {
  try {
    return await writer.read(offset, length)
  } catch {
    // The writer meets the same failure, and tells of it in its own words (`status().problem`).
    return undefined
  }
}

/** The event of a line that this run wrote; undefined when the file is no longer what was written. */
function parseLine(line: string | undefined, seq: number): CallEvent | undefined {
  if (line === undefined) return undefined
  try {
    const event = JSON.parse(line) as CallEvent
    return event.seq === seq ? event : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
