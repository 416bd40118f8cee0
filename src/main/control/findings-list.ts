import { setImmediate as breath } from 'node:timers/promises'
import type { FindingsCommands } from '../../shared/api/findings'
import type { CallSummary } from '../../shared/capture/summary'
import { foldCall } from '../../shared/capture/fold'
import { findingsOf } from '../../shared/findings'
import { FindingGroups } from '../../shared/findings/finding-groups'
import type { CaptureView } from '../capture/capture-view'

/** Older calls are not looked at: each is read and judged anew. */
const MAX_CALLS = 1_000
const PAGE = 1_000

/** Counts what the rules find in a capture, call by call with the relay in between. Rejects with the reason of `signal`. */
export async function listFindings(
  view: CaptureView,
  signal: AbortSignal,
): Promise<FindingsCommands['findings.list']['response']> {
  const found = await callsWithFindings(view, signal)
  const groups = new FindingGroups()
  const judged = found.slice(-MAX_CALLS).reverse()
  for (const row of judged) {
    signal.throwIfAborted()
    groups.add(row, findingsOf(foldCall(await view.events(row.call))))
    await breath()
  }
  return { groups: groups.all(), judged: judged.length, left: found.length - judged.length }
}

type Row = Pick<CallSummary, 'call' | 'backend' | 'target'>

/** In order of their numbers. */
async function callsWithFindings(view: CaptureView, signal: AbortSignal): Promise<Row[]> {
  const rows: Row[] = []
  for (let after = 0; ; await breath()) {
    signal.throwIfAborted()
    const { calls, more } = view.index.list(after, PAGE)
    for (const { call, backend, target, findings } of calls) if (findings > 0) rows.push({ call, backend, target })
    const last = calls.at(-1)
    if (!more || last === undefined) return rows
    after = last.call
  }
}
