import type { CallEvent } from '../../shared/capture/events'
import { ownText, referenceOf } from '../../shared/capture/body-reference'
import type { EventWindow } from './event-window'
import { MAX_LINE_BYTES } from './capture-file'
import { LineSplitter } from './line-splitter'
import type { LineSource } from './line-source'

interface Search {
  /** The search that goes on, if one does: a second for the same text waits for it. */
  busy: Promise<void> | null
  /** Up to where the file was looked at. */
  offset: number
  calls: Set<number>
}

const BLOCK = 1_048_576
/** The desk repeats its searches while calls come in; this many go on from where they were. */
const REMEMBERED = 16

/** Looks for calls in whose bodies a text occurs. Goes through the file in blocks, with the relay in between. */
export class CaptureSearch {
  private readonly searches = new Map<string, Search>()

  /** `begin`: bytes at the beginning of the file that belong to earlier runs. `parse` gives the event of a line, if it is one. */
  constructor(
    private readonly source: LineSource | null,
    private readonly window: EventWindow,
    private readonly begin: number,
    private readonly parse: (line: string) => CallEvent | undefined,
  ) {}

  /** Forgets what was found, when the file is another. */
  forget(): void {
    this.searches.clear()
  }

  /** Calls that have `text` in a body, upper or lower case, in any order. What was found until `signal` aborts. */
  async find(text: string, signal: AbortSignal): Promise<ReadonlySet<number>> {
    const wanted = text.toLowerCase()
    const found = new Set<number>()
    if (this.source !== null) for (const call of await this.inFile(this.source, wanted, signal)) found.add(call)
    for (const [call, events] of this.window.all()) {
      if (!found.has(call) && events.some((event) => occursIn(event, wanted))) found.add(call)
    }
    return found
  }

  private async inFile(source: LineSource, wanted: string, signal: AbortSignal): Promise<ReadonlySet<number>> {
    const search = this.searches.get(wanted) ?? { busy: null, offset: this.begin, calls: new Set<number>() }
    this.searches.delete(wanted)
    this.searches.set(wanted, search)
    if (this.searches.size > REMEMBERED) {
      for (const oldest of this.searches.keys()) {
        this.searches.delete(oldest)
        break
      }
    }
    while (search.busy !== null) await search.busy
    search.busy = this.goOn(source, search, wanted, signal).finally(() => (search.busy = null))
    await search.busy
    return search.calls
  }

  private async goOn(source: LineSource, search: Search, wanted: string, signal: AbortSignal): Promise<void> {
    await source.flush()
    // Bodies are JSON strings within the line, escaped the one way in which `JSON.stringify` escapes.
    const needle = JSON.stringify(wanted).slice(1, -1)
    const splitter = new LineSplitter(MAX_LINE_BYTES, search.offset)
    let position = search.offset
    while (!signal.aborted && source.problem === null && position < source.bytes) {
      const block = await source.read(position, Math.min(BLOCK, source.bytes - position))
      if (block.length === 0) break
      position += block.length
      for (const { bytes } of splitter.push(block)) {
        const call = bytes === null ? undefined : this.callOf(bytes.toString('utf8'), needle, wanted)
        if (call !== undefined) search.calls.add(call)
      }
      search.offset = splitter.offset
    }
  }

  private callOf(line: string, needle: string, wanted: string): number | undefined {
    if (!line.toLowerCase().includes(needle)) return undefined
    const event = this.parse(line)
    return event !== undefined && occursIn(event, wanted) ? event.call : undefined
  }
}

function occursIn(event: CallEvent, wanted: string): boolean {
  const own = event.kind === 'upstream.frame' ? event.raw : ownText(event)
  if (own?.toLowerCase().includes(wanted) === true) return true
  // What a reference carries on is looked at where it stands; new are only the edits.
  const edits = referenceOf(event)?.edits ?? []
  return edits.some((edit) => edit.now?.toLowerCase().includes(wanted) === true)
}
