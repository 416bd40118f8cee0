import { allRows } from '../../shared/capture/call-selection'
import { captureInfo, type CaptureInfo } from '../../shared/capture/capture-info'
import { describeNotes } from '../../shared/capture/notes'
import { verifyCapture } from '../capture/export/verify-capture'
import { openCapture, type OpenedCapture } from '../capture/opened/open-capture'
import { plainText } from '../plain-text'
import { runCommand, showProgress, sizeText } from './terminal'

export interface InfoFlags {
  data: string
  json: boolean
}

/** `sluice capture info FILE`: 0 also for a torn or partly broken file, whose lines are counted. */
export function captureInfoCommand(file: string, { data, json }: InfoFlags): Promise<void> {
  return runCommand(async (signal) => {
    const capture = await openWithProgress(file, data, signal)
    try {
      const info = captureInfo(allRows(capture.index))
      const { path, header, bytes, notes, indexProblem } = capture
      if (json) console.log(JSON.stringify({ file: path, bytes, header, notes, ...info }))
      else console.log(describe(capture, info))
      if (indexProblem !== null) console.error(`sluice: no index is kept: ${indexProblem}`)
    } finally {
      await capture.close()
    }
    return 0
  })
}

/** Opens a capture with a line of progress on a terminal. */
export async function openWithProgress(file: string, dataFolder: string, signal: AbortSignal): Promise<OpenedCapture> {
  const progress = showProgress('Reading')
  try {
    return await openCapture(file, { signal, dataFolder, onProgress: progress.update })
  } finally {
    progress.end()
  }
}

function describe({ path, header, bytes, notes }: OpenedCapture, info: CaptureInfo): string {
  const { gateway, redaction } = header
  const names = [...redaction.headers, ...redaction.keys, ...(redaction.paths ?? [])]
  const rows: [name: string, value: string][] = [
    ['file', `${path} (${sizeText(bytes)})`],
    ['format', `capture, version ${header.version}${header.excerpt === true ? ', a part of another' : ''}`],
    ['recorded', `${header.startedAt} by ${gateway.name} ${gateway.version}`],
    ['backends', header.backends.map(({ name, type }) => `${name} (${type})`).join(', ') || 'none'],
    ['calls', `${info.calls.toLocaleString('en')} in ${seconds(info.duration)}, of ${info.operations} operations`],
    ['outcomes', tally(info.outcomes)],
    ['methods', tally(info.methods)],
    ['answered by', tally(info.backends)],
    ['clients', tally(info.eras)],
    ['bytes', `${sizeText(info.bytesIn)} from clients, ${sizeText(info.bytesOut)} to them`],
    ['findings', `${info.findings}${info.findings === 0 ? '' : '; see: sluice findings FILE'}`],
    ['redacted', names.join(', ')],
    ...describeNotes(notes).map((sentence): [string, string] => ['note', sentence]),
    ...notes.examples.map((example): [string, string] => ['', example]),
  ]
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  return rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name.padEnd(width)}${plainText(value, 2_000)}`)
    .join('\n')
}

function tally(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
    .join(', ')
}

function seconds(microseconds: number): string {
  return `${(microseconds / 1_000_000).toFixed(1)} s`
}

/** `sluice capture verify FILE`: 0 when nothing is wrong, 1 when something is. */
export function captureVerifyCommand(file: string, { json }: { json: boolean }): Promise<void> {
  return runCommand(async (signal) => {
    const progress = showProgress('Verifying')
    const report = await verifyCapture(file, { signal, onProgress: progress.update }).finally(() => progress.end())
    if (json) console.log(JSON.stringify({ file, ...report }))
    else {
      const { intact, events, notes, missing, dangling, backwards, headless, unredacted } = report
      const counts: [number, string][] = [
        [notes.badLines + notes.longLines, 'lines that are no events'],
        [missing, 'events missing'],
        [dangling, 'references to texts that are not there'],
        [backwards, 'events out of order of time'],
        [headless, 'calls without a beginning'],
        [unredacted, 'header fields that should be redacted and are not'],
      ]
      console.log(`${plainText(file)}: ${intact ? 'intact' : 'not intact'}, ${events.toLocaleString('en')} events`)
      for (const [count, what] of counts) if (count > 0) console.log(`  ${count.toLocaleString('en')} ${what}`)
      for (const sentence of describeNotes(notes)) console.log(`  ${plainText(sentence)}`)
      for (const example of report.examples) console.log(`    ${plainText(example)}`)
    }
    return report.intact ? 0 : 1
  })
}
