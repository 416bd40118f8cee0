import type { CaptureEvent, CaptureHeader } from '../../../shared/capture/events'
import { KnownServers, type KnownServer } from '../../../shared/capture/known-servers'
import type { CaptureNotes } from '../../../shared/capture/notes'
import { readCapture, type FileEvent, type ReadPosition } from '../capture-file'
import { EventWindow } from '../event-window'
import { countFindings } from '../findings-queue'
import type { RowIndex } from './row-index'
import { RowStore } from './row-store'

/** What one pass over a capture file finds, beside the calls. */
export interface CaptureFacts {
  header: CaptureHeader
  notes: CaptureNotes
  /** Bytes that were looked at. */
  bytes: number
  /** Where a later pass can go on. */
  position: ReadPosition
  servers: [string, KnownServer][]
  /** Events of calls. */
  events: number
}

export interface CaptureScan {
  facts: CaptureFacts
  index: RowIndex
}

export interface ScanOptions {
  signal?: AbortSignal
  /** Bytes done, of how many. */
  onProgress?: (done: number, total: number) => void
  /** A pass over the beginning of the same file. */
  from?: CaptureScan
}

/** Rows that fit into the memory of the desk. */
const MAX_CALLS = 200_000
const MAX_ROW_BYTES = 268_435_456
/** Some 50 MB of places. */
const MAX_EVENTS = 5_000_000
const WINDOW_BYTES = 16_777_216
/** Calls of more events are not looked at for findings. */
const MAX_JUDGED_EVENTS = 20_000

/** Reads a capture file once, and finds its rows and the places of its events. Rejects with `CaptureFileError`, or with the reason of `signal`. */
export async function scanCapture(path: string, options: ScanOptions = {}): Promise<CaptureScan> {
  const { signal, onProgress, from } = options
  signal?.throwIfAborted()
  const reader = await readCapture(path, from === undefined ? {} : { from: from.facts })
  const scan = new Scan(from)
  for await (const batch of reader.batches()) {
    signal?.throwIfAborted()
    for (const one of batch) scan.take(one)
    scan.judge()
    onProgress?.(reader.position.offset, reader.bytes)
    await breath()
  }
  const { header, notes, position, bytes } = reader
  const { rows, servers, events, unlisted } = scan
  notes.openCalls = rows.openCalls
  notes.unlistedCalls = (from?.facts.notes.unlistedCalls ?? 0) + rows.forgotten
  notes.unlistedEvents += unlisted
  return { facts: { header, notes, position, bytes, servers: servers.entries(), events }, index: rows.finish() }
}

/** The state of one pass. */
class Scan {
  readonly rows: RowStore
  readonly servers: KnownServers
  events: number
  unlisted = 0
  private readonly window = new EventWindow(WINDOW_BYTES)
  private readonly due = new Set<number>()

  constructor(from: CaptureScan | undefined) {
    this.rows = new RowStore({ calls: MAX_CALLS, bytes: MAX_ROW_BYTES }, from?.index)
    this.servers = new KnownServers(from?.facts.servers)
    this.events = from?.facts.events ?? 0
  }

  take({ event, offset, length }: FileEvent): void {
    if (!isOfCall(event)) return this.servers.take(event)
    // Of a call that stands in an earlier file of the run, or nowhere: a mark alone makes no row.
    if (event.kind === 'call.annotated' && this.rows.get(event.call) === undefined) return
    if (this.events >= MAX_EVENTS) {
      this.unlisted++
      return
    }
    this.events++
    const { call } = event
    this.window.add(event)
    const row = this.rows.enter(event, offset, length, (seq) => this.window.event(call, seq))
    const late = event.kind === 'upstream.frame' && row.endedAt !== null
    if (event.kind === 'call.ended' || late) this.due.add(call)
  }

  /** Counts the findings of calls that ended since the last time. */
  judge(): void {
    for (const call of this.due) {
      const row = this.rows.get(call)
      const { events, whole } = this.window.of(call)
      if (row !== undefined && whole && events.length <= MAX_JUDGED_EVENTS) row.findings = countFindings(events)
    }
    this.due.clear()
    this.rows.settle()
  }
}

function isOfCall(event: CaptureEvent): event is Extract<CaptureEvent, { call: number }> {
  return 'call' in event
}

/** Others have their turn, where this runs beside them. */
function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
