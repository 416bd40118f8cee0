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
  const rows: FrameRow[] = []
  const indexOf = new Map<number, number>()
  for (const entry of record.timeline) {
    if (entry.kind === 'routed' && record.exchanges.length > 0) continue
    if (legs !== 'both' && entry.leg !== 'gateway' && entry.leg !== legs) continue
    // An answer is about a frame, and carries none on.
    const passes = entry.leg === 'client' && entry.kind !== 'answer'
    const carried = passes && entry.from !== undefined ? indexOf.get(entry.from) : undefined
    const carrier = carried === undefined ? undefined : rows[carried]
    if (carried !== undefined && carrier !== undefined) {
      carrier.passed = { seq: entry.seq, offset: entry.offset }
      indexOf.set(entry.seq, carried)
      continue
    }
    const before = rows.at(-1)
    indexOf.set(entry.seq, rows.length)
    rows.push({
      seq: entry.seq,
      offset: entry.offset,
      delta: before === undefined ? undefined : entry.offset - before.offset,
      leg: entry.leg,
      kind: entry.kind,
      summary: summaryOf(entry, record),
      level: entry.level,
      passed: undefined,
    })
  }
  return { rows, indexOf }
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
