import type { CaptureHeader } from '../../../shared/capture/events'
import type { CaptureNotes } from '../../../shared/capture/notes'
import { emptySummary } from '../../../shared/capture/summarise'
import type { CallSummary } from '../../../shared/capture/summary'
import type { ReadPosition } from '../capture-file'
import { CaptureIndex } from '../capture-index'
import { OrdinalTable, type OrdinalColumns } from '../ordinal-table'
import { MAX_CALLS, type CaptureScan } from './scan'

/** A scan as plain bytes: what an index file holds, and what passes from the worker to the main thread. */
export interface EncodedScan {
  header: CaptureHeader
  notes: CaptureNotes
  bytes: number
  position: ReadPosition
  events: number
  /** The four columns of the table, one behind the other. */
  table: ArrayBuffer
  /** A row a line: the `seq` of its last event, and the members of its summary that are not as in an empty one. */
  rows: Uint8Array<ArrayBuffer>
}

const ROWS_AT_ONCE = 2_000

export function encodeScan(scan: CaptureScan): EncodedScan {
  const { header, notes, bytes, position, index, table } = scan
  const lines: Buffer[] = []
  let batch: string[] = []
  for (const { summary, lastSeq } of index.entries()) {
    batch.push(JSON.stringify([lastSeq, differing(summary)]))
    if (batch.length < ROWS_AT_ONCE) continue
    lines.push(Buffer.from(`${batch.join('\n')}\n`))
    batch = []
  }
  lines.push(Buffer.from(batch.join('\n')))
  const rows = new Uint8Array(lines.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of lines) {
    rows.set(part, at)
    at += part.length
  }
  return { header, notes, bytes, position, events: table.size, table: joined(table.trimmed()), rows }
}

/** The scan again. Works in slices, with other work in between. */
export async function decodeScan(encoded: EncodedScan, signal?: AbortSignal): Promise<CaptureScan> {
  const { header, notes, bytes, position } = encoded
  const table = new OrdinalTable(taken(encoded.table, encoded.events))
  const index = new CaptureIndex(MAX_CALLS, table)
  const rows = Buffer.from(encoded.rows.buffer, encoded.rows.byteOffset, encoded.rows.length)
  let count = 0
  for (let from = 0; from < rows.length;) {
    const feed = rows.indexOf(0x0a, from)
    const to = feed < 0 ? rows.length : feed
    const [lastSeq, members] = JSON.parse(rows.toString('utf8', from, to)) as [number, Partial<CallSummary>]
    index.restore(Object.assign(emptySummary(0, 0), members), lastSeq)
    from = to + 1
    if (++count % ROWS_AT_ONCE === 0) {
      await new Promise((resolve) => setImmediate(resolve))
      signal?.throwIfAborted()
    }
  }
  return { header, notes, bytes, position, index, table }
}

const EMPTY = new Map<string, unknown>(Object.entries(emptySummary(0, 0)))

function differing(summary: CallSummary): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(summary)) {
    const isEmptyList = Array.isArray(value) && value.length === 0
    if (value !== EMPTY.get(name) && !isEmptyList) members[name] = value
  }
  return members
}

/** Bytes of one event in each column: two of eight bytes, two of four. */
const EVENT_BYTES = 24

function joined({ seqs, offsets, lengths, previous }: OrdinalColumns): ArrayBuffer {
  const count = seqs.length
  const buffer = new ArrayBuffer(count * EVENT_BYTES)
  const columns = taken(buffer, count)
  columns.seqs.set(seqs)
  columns.offsets.set(offsets)
  columns.lengths.set(lengths)
  columns.previous.set(previous)
  return buffer
}

function taken(buffer: ArrayBuffer, count: number): OrdinalColumns {
  return {
    seqs: new Float64Array(buffer, 0, count),
    offsets: new Float64Array(buffer, count * 8, count),
    lengths: new Uint32Array(buffer, count * 16, count),
    previous: new Uint32Array(buffer, count * 20, count),
  }
}
