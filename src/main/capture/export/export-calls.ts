import type { CallFormat, ExportAbout } from '../../../shared/capture/call-format'
import { allRows } from '../../../shared/capture/call-selection'
import type { CallEvent } from '../../../shared/capture/events'
import { foldCall } from '../../../shared/capture/fold'
import type { RedactionRules } from '../../../shared/capture/redaction-rules'
import { SecretScan, type SecretHint } from '../../../shared/capture/secret-scan'
import type { CallSummary } from '../../../shared/capture/summary'
import { redactHeader } from '../capture-header'
import type { CaptureView } from '../capture-view'
import { writeOutput } from './output-file'
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

/**
 * Writes calls of a capture in another format, one at a time: memory holds the texts of one call. Rejects with
 * `OutputError`, or the reason of `signal`.
 */
export async function exportCalls(capture: CaptureView, options: CallExportOptions): Promise<CallExportReport> {
  const { format, rules, select, signal } = options
  const rows: CallSummary[] = []
  for (const row of allRows(capture.index)) if (select(row.call)) rows.push(row)
  const header = redactHeader(capture.header, rules)
  const scan = new SecretScan()
  const about: ExportAbout = {
    writtenAt: new Date((options.now ?? Date.now)()).toISOString(),
    version: options.version,
    redacted: rules !== null,
    notes: options.notes,
    calls: rows.length,
    of: capture.index.size,
  }
  const output = await writeOutput(options.to, options, async (file) => {
    await file.write(format.begin(header, about))
    for (const [index, { call }] of rows.entries()) {
      signal?.throwIfAborted()
      const events = await wholeCall(capture, call, rules)
      look(scan, events)
      await file.write(format.call(foldCall(events), header))
      options.onProgress?.(index + 1, rows.length)
    }
    await file.write(format.end())
    return file
  })
  return { calls: rows.length, bytes: output.bytes, hints: scan.hints }
}

function look(scan: SecretScan, events: readonly CallEvent[]): void {
  for (const event of events) scan.look(JSON.stringify(event), event.call, event.seq)
}
