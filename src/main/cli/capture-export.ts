import type { CallFormat } from '../../shared/capture/call-format'
import type { CaptureHeader } from '../../shared/capture/events'
import { exportRules } from '../../shared/capture/export-profile'
import { describeNotes } from '../../shared/capture/notes'
import type { RedactionRules } from '../../shared/capture/redaction-rules'
import { harFormat } from '../../shared/har/har-format'
import { htmlFormat } from '../../shared/report/html-report'
import { jsonFormat } from '../../shared/report/json-view'
import { exportCalls } from '../capture/export/export-calls'
import { readVersion } from '../places'
import { openWithProgress } from './capture-info'
import { callsOf, namesOf, rewrite, selectionOf, tellHints, type CutFlags, type RedactFlags } from './capture-rewrite'
import { plainText } from '../plain-text'
import { runCommand, showProgress, sizeText } from './terminal'

export const EXPORT_FORMATS = ['capture', 'har', 'html', 'json'] as const

export interface ExportFlags extends CutFlags, RedactFlags {
  format: (typeof EXPORT_FORMATS)[number]
  withSensitiveData: boolean
}

const FORMATS: Record<Exclude<ExportFlags['format'], 'capture'>, () => CallFormat> = {
  har: harFormat,
  html: htmlFormat,
  json: jsonFormat,
}

/** `sluice capture export FILE`: redacted, unless sensitive data is asked for. */
export function captureExportCommand(file: string, flags: ExportFlags): Promise<void> {
  return runCommand(async (signal) => {
    const names = namesOf(flags)
    const rulesOf = flags.withSensitiveData ? null : (header: CaptureHeader) => exportRules(header, names)
    if (flags.format !== 'capture') return exportAs(FORMATS[flags.format](), file, flags, rulesOf, signal)
    const select = await selectionOf(file, flags, signal)
    return rewrite(file, { ...flags, select, rulesOf, signal })
  })
}

async function exportAs(
  format: CallFormat,
  file: string,
  flags: ExportFlags,
  rulesOf: ((header: CaptureHeader) => RedactionRules) | null,
  signal: AbortSignal,
): Promise<number> {
  const capture = await openWithProgress(file, flags.data, signal)
  const progress = showProgress('Writing')
  try {
    const select = await callsOf(capture, flags, signal)
    const { calls, bytes, hints } = await exportCalls(capture, {
      format,
      to: flags.out,
      replace: flags.force,
      inputs: [file],
      rules: rulesOf?.(capture.header) ?? null,
      select,
      version: readVersion(),
      notes: describeNotes(capture.notes),
      signal,
      onProgress: progress.update,
    })
    progress.end()
    console.log(`${plainText(flags.out)}: ${calls.toLocaleString('en')} calls, ${sizeText(bytes)}`)
    for (const sentence of describeNotes(capture.notes)) console.error(`sluice: ${plainText(sentence)}`)
    tellHints(hints)
    return 0
  } finally {
    progress.end()
    await capture.close()
  }
}
