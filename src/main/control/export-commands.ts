import { resolve } from 'node:path'
import type { ExportCommands, ExportFormat, ExportReport } from '../../shared/api/export'
import type { CaptureHeader } from '../../shared/capture/events'
import { exportRules } from '../../shared/capture/export-profile'
import { describeNotes, noNotes } from '../../shared/capture/notes'
import { describeHint } from '../../shared/capture/secret-scan'
import type { CallFormat } from '../../shared/capture/call-format'
import { harFormat } from '../../shared/har/har-format'
import { htmlFormat } from '../../shared/report/html-report'
import { jsonFormat } from '../../shared/report/json-view'
import type { CaptureView } from '../capture/capture-view'
import { exportCalls } from '../capture/export/export-calls'
import { rewriteCapture } from '../capture/export/rewrite-capture'
import { CommandFailure } from './command-failure'
import type { ControlSources } from './control-sources'
import type { OpenedCaptures } from './opened-captures'

type Request = Omit<ExportCommands['capture.export']['request'], 'export'>

/** Who waits for an export. */
interface Waiting {
  signal?: AbortSignal
  onProgress?: (done: number, total: number) => void
}

const FORMATS: Record<Exclude<ExportFormat, 'capture'>, () => CallFormat> = {
  har: harFormat,
  html: htmlFormat,
  json: jsonFormat,
}

interface Exported {
  view: CaptureView
  /** The capture's own file; null when it is in memory only. */
  file: string | null
  /** Files of the same run before it. */
  before: string[]
  notes: string[]
}

/** Writes calls of this run or of an opened capture into a file. Rejects in words, and then leaves no file behind. */
export async function exportCapture(
  { recorder, version }: Pick<ControlSources, 'recorder' | 'version'>,
  opened: OpenedCaptures,
  request: Request,
  waiting: Waiting = {},
): Promise<ExportReport> {
  const { capture, format, sensitive, replace } = request
  const to = resolve(request.to)
  const exported = capture === undefined ? await ofThisRun(recorder) : ofOpened(opened, capture)
  const chosen = request.calls === undefined ? null : withRounds(exported.view, request.calls)
  const rulesOf = sensitive ? null : (header: CaptureHeader) => exportRules(header)
  if (format === 'capture') {
    if (exported.file === null)
      throw new CommandFailure('failed', 'this run is not written to a file', 'export it as HAR, or turn recording on')
    const select = chosen && ((event: object) => !('call' in event) || chosen.has(Number(event.call)))
    const { calls, bytes, notes, hints } = await rewriteCapture(exported.file, {
      to,
      before: exported.before,
      replace,
      rulesOf,
      select,
      dataFolder: opened.dataFolder,
      ...waiting,
    })
    const told = describeNotes({ ...notes, openCalls: 0, growing: false })
    return { file: to, calls, bytes, notes: told, hints: hints.map(describeHint) }
  }
  const { view, file, before, notes } = exported
  const { calls, bytes, hints } = await exportCalls(view, {
    format: FORMATS[format](),
    to,
    replace,
    inputs: file === null ? [] : [...before, file],
    rules: rulesOf?.(view.header) ?? null,
    select: (call) => chosen?.has(call) ?? true,
    version,
    notes,
    ...waiting,
  })
  return { file: to, calls, bytes, notes, hints: hints.map(describeHint) }
}

/** A round without the others of its operation says little, and cannot be replayed. */
function withRounds({ index }: CaptureView, calls: readonly number[]): ReadonlySet<number> {
  const chosen = new Set(calls)
  for (const call of calls) {
    const operation = index.get(call)?.operation
    if (operation !== undefined && operation !== null) for (const round of index.operation(operation)) chosen.add(round)
  }
  return chosen
}

async function ofThisRun(recorder: ControlSources['recorder']): Promise<Exported> {
  await recorder.flush()
  const { file, problem, lostEvents } = recorder.status()
  const lost = { events: lostEvents, bytes: 0, reasons: problem === null ? [] : [problem] }
  return { view: recorder, file, before: recorder.earlierFiles(), notes: describeNotes({ ...noNotes(), lost }) }
}

function ofOpened(opened: OpenedCaptures, capture: string): Exported {
  const view = opened.view(capture)
  return { view, file: view.path, before: [], notes: describeNotes(view.notes) }
}
