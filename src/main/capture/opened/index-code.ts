import type { CaptureHeader } from '../../../shared/capture/events'
import { KnownServers, type KnownServer } from '../../../shared/capture/known-servers'
import type { CaptureNotes } from '../../../shared/capture/notes'
import { emptySummary } from '../../../shared/capture/summarise'
import type { CallSummary, LifeMark } from '../../../shared/capture/summary'
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
  servers: [string, KnownServer][]
  events: number
  /** The four columns of the table, one behind the other. */
  table: ArrayBuffer
  /** A row a line: the `seq` of its last event, and the values of its summary in the order of `MEMBERS`. */
  rows: Uint8Array<ArrayBuffer>
}

const ROWS_AT_ONCE = 2_000

export function encodeScan(scan: CaptureScan): EncodedScan {
  const { header, notes, bytes, position, servers, index, table } = scan
  const lines: Buffer[] = []
  let batch: string[] = []
  for (const { summary, lastSeq } of index.entries()) {
    batch.push(JSON.stringify([lastSeq, ...valuesOf(summary)]))
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
  const facts = { header, notes, bytes, position, servers: servers.entries() }
  return { ...facts, events: table.size, table: joined(table.trimmed()), rows }
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
    const [lastSeq, ...values] = JSON.parse(rows.toString('utf8', from, to)) as [number, ...unknown[]]
    index.restore(summaryOf(values), lastSeq)
    from = to + 1
    if (++count % ROWS_AT_ONCE === 0) {
      await new Promise((resolve) => setImmediate(resolve))
      signal?.throwIfAborted()
    }
  }
  return { header, notes, bytes, position, servers: new KnownServers(encoded.servers), index, table }
}

/** Arrays are read faster than objects with names. Another order needs another `VERSION` of index files. */
const MEMBERS = Object.keys(emptySummary(0, 0)) as (keyof CallSummary)[]
const MARKS: readonly LifeMark['mark'][] = ['progress', 'log', 'ping', 'withheld', 'notification', 'question', 'answer']

function valuesOf(summary: CallSummary): unknown[] {
  return MEMBERS.map((name) => (name === 'life' ? flat(summary.life) : summary[name]))
}

function summaryOf(values: readonly unknown[]): CallSummary {
  const members: Partial<Record<keyof CallSummary, unknown>> = emptySummary(0, 0)
  for (let at = 0; at < MEMBERS.length; at++) {
    const name = MEMBERS[at]
    if (name !== undefined) members[name] = name === 'life' ? marksOf(values[at] as number[]) : values[at]
  }
  return members as CallSummary
}

/** Times and numbers of marks, in turns. */
function flat(life: readonly LifeMark[]): number[] {
  return life.flatMap(({ at, mark }) => [at, MARKS.indexOf(mark)])
}

function marksOf(numbers: readonly number[]): LifeMark[] {
  const life: LifeMark[] = []
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    life.push({ at: numbers[at] ?? 0, mark: MARKS[numbers[at + 1] ?? 0] ?? 'notification' })
  }
  return life
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
