import type { CallRecord, Leg, TimelineEntry, TimelineKind } from '../../shared/capture/record'
import { plural } from '../text/format'

/** One line of the list of frames. A frame that was passed on is one line, not one for each leg. */
export interface FrameRow {
  seq: number
  offset: number
  /** Microseconds since the line before; undefined for the first. */
  delta: number | undefined
  leg: Leg
  kind: TimelineKind
  summary: string
  level: string | undefined
  /** When and as which event it left for the client; undefined when it did not. */
  passed: { seq: number; offset: number } | undefined
}

export interface FrameRows {
  rows: FrameRow[]
  /** Index of the line that shows an event, by its `seq`; passed frames by either of theirs. */
  indexOf: ReadonlyMap<number, number>
}

export type LegChoice = 'both' | 'client' | 'backend'

/** The lines of a call for one leg or both. What the gateway itself did belongs to both. */
export function frameRows(record: CallRecord, legs: LegChoice): FrameRows {
  return new GrowingFrameRows(record, legs).grow()
}

/** The same of a record that grows in place; its lists are appended to, and stay the same ones until a line has to go. */
export class GrowingFrameRows {
  readonly #record: CallRecord
  readonly #legs: LegChoice
  #rows: FrameRow[] = []
  #indexOf = new Map<number, number>()
  #seen = 0
  /** There is a line about the route, which goes when the first exchange says the same. */
  #routed = false

  constructor(record: CallRecord, legs: LegChoice) {
    this.#record = record
    this.#legs = legs
  }

  /** Takes what has come since the last time. */
  grow(): FrameRows {
    const { timeline, exchanges } = this.#record
    if (this.#routed && exchanges.length > 0) this.#begin()
    for (; this.#seen < timeline.length; this.#seen++) {
      const entry = timeline[this.#seen]
      if (entry !== undefined) this.#add(entry)
    }
    return { rows: this.#rows, indexOf: this.#indexOf }
  }

  #begin(): void {
    this.#rows = []
    this.#indexOf = new Map()
    this.#seen = 0
    this.#routed = false
  }

  #add(entry: TimelineEntry): void {
    const rows = this.#rows
    if (entry.kind === 'routed') {
      if (this.#record.exchanges.length > 0) return
      this.#routed = true
    }
    if (this.#legs !== 'both' && entry.leg !== 'gateway' && entry.leg !== this.#legs) return
    // An answer is about a frame, and carries none on.
    const passes = entry.leg === 'client' && entry.kind !== 'answer'
    const carried = passes && entry.from !== undefined ? this.#indexOf.get(entry.from) : undefined
    const carrier = carried === undefined ? undefined : rows[carried]
    if (carried !== undefined && carrier !== undefined) {
      // Another line, by which the list sees that it has changed.
      rows[carried] = { ...carrier, passed: { seq: entry.seq, offset: entry.offset } }
      this.#indexOf.set(entry.seq, carried)
      return
    }
    const before = rows.at(-1)
    this.#indexOf.set(entry.seq, rows.length)
    rows.push({
      seq: entry.seq,
      offset: entry.offset,
      delta: before === undefined ? undefined : entry.offset - before.offset,
      leg: entry.leg,
      kind: entry.kind,
      summary: summaryOf(entry, this.#record),
      level: entry.level,
      passed: undefined,
    })
  }
}

function summaryOf(entry: TimelineEntry, record: CallRecord): string {
  if (entry.kind === 'request') {
    const { request, summary } = record
    const message = request?.message.params?._meta
    const token =
      message !== null && typeof message === 'object' && !Array.isArray(message) ? message.progressToken : undefined
    const parts = [entry.summary]
    if (token !== undefined) parts.push(`token ${JSON.stringify(token)}`)
    if (summary.client !== null) parts.push(`from ${summary.client}`)
    return parts.join(' · ')
  }
  if (entry.kind === 'sent') {
    const exchange = record.exchanges.find((each) => each.exchange === entry.exchange)
    if (exchange?.sent?.seq !== entry.seq) return entry.summary
    const edits = exchange.route?.edits ?? []
    if (edits.length === 0) return `${entry.summary} · no edits`
    const name = edits.find((edit) => edit.what === 'name')
    const words =
      name?.was === undefined ? edits.map((edit) => edit.what).join(', ') : `name ${name.was} → ${name.now ?? ''}`
    return `${entry.summary} · ${plural(edits.length, 'edit')}: ${words}`
  }
  return entry.summary
}
