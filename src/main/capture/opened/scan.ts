import type { CaptureEvent, CaptureHeader } from '../../../shared/capture/events'
import type { CaptureNotes } from '../../../shared/capture/notes'
import { KnownServers } from '../../../shared/capture/known-servers'
import { readCapture, type FileEvent, type ReadPosition } from '../capture-file'
import { CaptureIndex } from '../capture-index'
import { EventWindow } from '../event-window'
import { countFindings } from '../findings-queue'
import { OrdinalTable } from '../ordinal-table'

/** What one pass over a capture file finds. */
export interface CaptureScan {
  header: CaptureHeader
  notes: CaptureNotes
  /** Bytes that were looked at. */
  bytes: number
  /** Where a later pass can go on. */
  position: ReadPosition
  index: CaptureIndex
  table: OrdinalTable
  servers: KnownServers
}

export interface ScanOptions {
  signal?: AbortSignal
  /** Bytes done, of how many. */
  onProgress?: (done: number, total: number) => void
  /** A pass over the beginning of the same file. */
  from?: CaptureScan
}

/** Rows that fit into the memory of the desk. */
export const MAX_CALLS = 200_000
/** 120 MB of places. */
const MAX_EVENTS = 5_000_000
const WINDOW_BYTES = 16_777_216
/** Calls of more events are not looked at for findings. */
const MAX_JUDGED_EVENTS = 20_000

/** Reads a capture file once, and finds its rows and the places of its events. Rejects with `CaptureFileError`, or with the reason of `signal`. */
export async function scanCapture(path: string, options: ScanOptions = {}): Promise<CaptureScan> {
  const { signal, onProgress, from } = options
  signal?.throwIfAborted()
  const reader = await readCapture(path, from === undefined ? {} : { from })
  const scan = new Scan(from)
  for await (const batch of reader.batches()) {
    signal?.throwIfAborted()
    for (const one of batch) scan.take(one)
    scan.judge()
    onProgress?.(reader.position.offset, reader.bytes)
    await breath()
  }
  const { header, notes, position } = reader
  notes.openCalls = scan.openCalls()
  notes.unlistedCalls = (from?.notes.unlistedCalls ?? 0) + scan.index.forgotten
  notes.unlistedEvents += scan.unlisted
  return { header, notes, position, bytes: reader.bytes, ...scan.found }
}

/** The state of one pass. */
class Scan {
  readonly index: CaptureIndex
  readonly table: OrdinalTable
  private readonly servers: KnownServers
  unlisted = 0
  private readonly window = new EventWindow(WINDOW_BYTES)
  private readonly due = new Set<number>()

  constructor(from: CaptureScan | undefined) {
    this.table = from?.table ?? new OrdinalTable()
    this.index = from?.index ?? new CaptureIndex(MAX_CALLS, this.table)
    this.servers = from?.servers ?? new KnownServers()
  }

  get found(): Pick<CaptureScan, 'index' | 'table' | 'servers'> {
    const { index, table, servers } = this
    return { index, table, servers }
  }

  take({ event, offset, length }: FileEvent): void {
    if (!isOfCall(event)) return this.servers.take(event)
    if (this.table.size >= MAX_EVENTS) {
      this.unlisted++
      return
    }
    const { call } = event
    this.window.add(event)
    const summary = this.index.enter(event, (seq) => this.window.event(call, seq))
    this.index.place(event.seq, offset, length)
    const late = event.kind === 'upstream.frame' && summary.endedAt !== null
    if (event.kind === 'call.ended' || late) this.due.add(call)
  }

  /** Counts the findings of calls that ended since the last time. */
  judge(): void {
    for (const call of this.due) {
      const summary = this.index.get(call)
      const { events, whole } = this.window.of(call)
      if (summary !== undefined && whole && events.length <= MAX_JUDGED_EVENTS) summary.findings = countFindings(events)
    }
    this.due.clear()
  }

  openCalls(): number {
    let open = 0
    for (const { summary } of this.index.entries()) if (summary.endedAt === null) open++
    return open
  }
}

function isOfCall(event: CaptureEvent): event is Extract<CaptureEvent, { call: number }> {
  return 'call' in event
}

/** Others have their turn, where this runs beside them. */
function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
