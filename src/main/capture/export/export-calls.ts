import type { CallFormat, ExportAbout } from '../../../shared/capture/call-format'
import { allRows } from '../../../shared/capture/call-selection'
import type { CallEvent } from '../../../shared/capture/events'
import { foldCall, MAX_REFERRED_TEXT, type ReferredRoom } from '../../../shared/capture/fold'
import type { CallRecord } from '../../../shared/capture/record'
import { redactWords } from '../../../shared/capture/redact-fields'
import type { RedactionRules } from '../../../shared/capture/redaction-rules'
import { SecretScan, type SecretHint } from '../../../shared/capture/secret-scan'
import { redactHeader } from '../capture-header'
import type { CaptureView } from '../capture-view'
import { textLength } from '../event-size'
import { OutputError, writeOutput } from './output-file'
import { wholeCall } from './whole-call'

export interface CallExportOptions {
  format: CallFormat
  to: string
  replace: boolean
  /** Files that must not be written to. */
  inputs: readonly string[]
  /** Null: everything stays as it is. */
  rules: RedactionRules | null
  select: (call: number) => boolean
  version: string
  notes: readonly string[]
  now?: () => number
  signal?: AbortSignal
  onProgress?: (done: number, total: number) => void
}

export interface CallExportReport {
  calls: number
  bytes: number
  hints: SecretHint[]
}

/** Beside what the texts of the calls allow. */
const REFERRED_TEXT_OF_ALL = 268_435_456
/** A request to many backends is named by each of them; far more than that is a file that wants to fill the disk. */
const REFERRED_FACTOR = 4

/**
 * Writes calls of a capture in another format, one at a time: memory holds the texts of one call. Rejects with
 * `OutputError`, or the reason of `signal`.
 */
export async function exportCalls(capture: CaptureView, options: CallExportOptions): Promise<CallExportReport> {
  const { format, rules, select, signal } = options
  const calls = selected(capture, select)
  const header = redactHeader(capture.header, rules)
  const scan = new SecretScan()
  let referred = REFERRED_TEXT_OF_ALL
  const about: ExportAbout = {
    writtenAt: new Date((options.now ?? Date.now)()).toISOString(),
    version: options.version,
    redacted: rules !== null,
    // Reasons of losses are words of the file.
    notes: rules === null ? options.notes : options.notes.map((note) => redactWords(note, rules)),
    calls: calls.length,
    of: capture.index.size,
  }
  const output = await writeOutput(options.to, options, async (file) => {
    await file.write(format.begin(header, about))
    const written = calls.slice(0, format.most)
    for (const [index, call] of written.entries()) {
      signal?.throwIfAborted()
      const events = await wholeCall(capture, call, rules)
      look(scan, events)
      for (const event of events) referred += REFERRED_FACTOR * textLength(event)
      const given = Math.min(MAX_REFERRED_TEXT, referred)
      const room = { left: given }
      await file.write(textOf(call, events, room, (record) => format.call(record, header)))
      referred -= given - room.left
      options.onProgress?.(index + 1, written.length)
    }
    await file.write(format.end(calls.length - written.length))
    return file
  })
  return { calls: calls.length, bytes: output.bytes, hints: scan.hints }
}

/** Numbers only: rows are made when they are looked at, and those of all calls take hundreds of megabytes. */
function selected(capture: CaptureView, select: (call: number) => boolean): number[] {
  const calls: number[] = []
  for (const { call } of allRows(capture.index)) if (select(call)) calls.push(call)
  return calls
}

/** The text of a call in its format. No string may be longer than the engine allows. */
function textOf(
  call: number,
  events: readonly CallEvent[],
  room: ReferredRoom,
  write: (record: CallRecord) => string,
): string {
  try {
    return write(foldCall(events, undefined, room))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new OutputError(
      `call ${call} is too large for this format (${error.message}); leave it out with --calls or --only, or write the format "capture"`,
    )
  }
}

function look(scan: SecretScan, events: readonly CallEvent[]): void {
  for (const event of events) scan.look(JSON.stringify(event), event.call, event.seq)
}
