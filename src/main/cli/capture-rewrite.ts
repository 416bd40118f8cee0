import type { CaptureEvent, CaptureHeader } from '../../shared/capture/events'
import { allRows, inRanges, selectCalls, withRounds, type CallRange } from '../../shared/capture/call-selection'
import { exportRules } from '../../shared/capture/export-profile'
import { describeNotes } from '../../shared/capture/notes'
import { parseSecretPath } from '../../shared/capture/secret-paths'
import type { RedactionNames, RedactionRules } from '../../shared/capture/redaction-rules'
import { describeHint, type SecretHint } from '../../shared/capture/secret-scan'
import { rewriteCapture } from '../capture/export/rewrite-capture'
import type { OpenedCapture } from '../capture/opened/open-capture'
import { openWithProgress } from './capture-info'
import { plainText } from '../plain-text'
import { CommandProblem, runCommand, showProgress, sizeText } from './terminal'

export interface SelectionFlags {
  only?: string
  calls?: CallRange[]
}

export interface CutFlags extends SelectionFlags {
  out: string
  data: string
  force: boolean
}

export interface RedactFlags {
  out: string
  force: boolean
  header: string[]
  key: string[]
  path: string[]
}

/** `sluice capture cut FILE`: a part of a capture, otherwise as it is. */
export function captureCutCommand(file: string, flags: CutFlags): Promise<void> {
  return runCommand(async (signal) => {
    if (flags.only === undefined && flags.calls === undefined) {
      throw new CommandProblem('say what to keep, with --only FILTER or --calls LIST')
    }
    const select = await selectionOf(file, flags, signal)
    return rewrite(file, { ...flags, select, rulesOf: null, signal })
  })
}

/** `sluice capture redact FILE`: the whole capture by the rules of an export, and what is named besides. */
export function captureRedactCommand(file: string, flags: RedactFlags & { data: string }): Promise<void> {
  return runCommand(async (signal) => {
    const names = namesOf(flags)
    return rewrite(file, { ...flags, select: null, rulesOf: (header) => exportRules(header, names), signal })
  })
}

export function namesOf({ header, key, path }: Pick<RedactFlags, 'header' | 'key' | 'path'>): RedactionNames {
  for (const pointer of path) {
    if (parseSecretPath(pointer) !== undefined) continue
    throw new CommandProblem(`${pointer} is no JSON Pointer; one looks like /params/arguments/*/pin`)
  }
  return { headers: header, keys: key, paths: path }
}

/** Which events go into a part; null: all. What concerns no call goes with every part. */
export async function selectionOf(
  file: string,
  flags: SelectionFlags & { data: string },
  signal: AbortSignal,
): Promise<((event: CaptureEvent) => boolean) | null> {
  const { only, calls } = flags
  if (only === undefined && calls === undefined) return null
  const chosen = await chosenOf(file, flags, signal)
  return (event) => !('call' in event) || chosen(event.call)
}

async function chosenOf(
  file: string,
  flags: SelectionFlags & { data: string },
  signal: AbortSignal,
): Promise<(call: number) => boolean> {
  const capture = await openWithProgress(file, flags.data, signal)
  try {
    return await callsOf(capture, flags, signal)
  } finally {
    await capture.close()
  }
}

/** Which calls of an opened capture are meant: with each, the other rounds of its operation. */
export async function callsOf(
  capture: OpenedCapture,
  { only, calls }: SelectionFlags,
  signal: AbortSignal,
): Promise<(call: number) => boolean> {
  if (only === undefined && calls === undefined) return () => true
  const source = {
    list: (after: number, limit: number) => capture.index.list(after, limit),
    operation: (operation: string) => capture.index.operation(operation),
    search: (text: string) => capture.search(text, signal),
  }
  const found = only === undefined ? undefined : await selectCalls(source, only)
  signal.throwIfAborted()
  if (found !== undefined && 'problem' in found) throw new CommandProblem(found.problem)
  if (found?.calls.size === 0) throw new CommandProblem('no call matches the filter')
  const chosen = withRounds(source, allRows(source), ({ call }) => {
    return (calls === undefined || inRanges(call, calls)) && (found === undefined || found.calls.has(call))
  })
  if (chosen.size === 0)
    throw new CommandProblem('no call has these numbers; "sluice capture info" says how many there are')
  return (call) => chosen.has(call)
}

interface Rewriting {
  out: string
  data: string
  force: boolean
  select: ((event: CaptureEvent) => boolean) | null
  rulesOf: ((header: CaptureHeader) => RedactionRules) | null
  signal: AbortSignal
}

/** Writes it, and says what came of it. */
export async function rewrite(file: string, { out, data, force, select, rulesOf, signal }: Rewriting): Promise<number> {
  const progress = showProgress('Writing')
  const onProgress = progress.update
  const report = await rewriteCapture(file, {
    to: out,
    replace: force,
    select,
    rulesOf,
    dataFolder: data,
    signal,
    onProgress,
  }).finally(() => progress.end())
  const { calls, events, bytes, redacted, notes, hints } = report
  const counts = `${calls.toLocaleString('en')} calls, ${events.toLocaleString('en')} events, ${sizeText(bytes)}`
  const marks = rulesOf === null ? '' : `, ${redacted.toLocaleString('en')} events redacted`
  console.log(`${plainText(out)}: ${counts}${marks}`)
  for (const sentence of describeNotes({ ...notes, openCalls: 0 })) console.error(`sluice: ${plainText(sentence)}`)
  tellHints(hints)
  return 0
}

/** Warns of what looks like a secret in what was written. */
export function tellHints(hints: readonly SecretHint[]): void {
  if (hints.length === 0) return
  console.error('sluice: warning: what was written has text that looks like secrets; look before you share it:')
  for (const hint of hints) console.error(`  ${describeHint(hint)}`)
}
