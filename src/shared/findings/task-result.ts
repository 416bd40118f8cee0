import { isObject, type JsonObject } from '../protocol/json-rpc'
import { methodAsked, modernExchanges, resultOf, shown } from './facts'
import type { Finding, JudgedCall } from './finding'
import { Report } from './report'
import { isRedacted, mayBeNumber, mayBeObject, mayBeText } from './shapes'

const STATUSES: ReadonlySet<unknown> = new Set(['working', 'input_required', 'completed', 'failed', 'cancelled'])
/** What the state of a task must come with. */
const OUTCOMES: ReadonlyMap<unknown, string> = new Map([
  ['completed', 'result'],
  ['failed', 'error'],
  ['input_required', 'inputRequests'],
])

/** Tasks of the extension io.modelcontextprotocol/tasks (SEP-2663). */
export function taskResult(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of modernExchanges(call)) {
    const ended = resultOf(exchange)
    if (ended === undefined) continue
    const { result, seq } = ended
    const method = methodAsked(call, exchange)
    const report = new Report(findings, seq)
    if (result.resultType === 'task') {
      if (method !== undefined && method !== 'tools/call')
        report.add('task-not-allowed', `${method} may not be answered with a task.`)
      checkTask(result, report)
    } else if (method === 'tasks/get' && result.resultType === 'complete') {
      checkTask(result, report)
      const needed = OUTCOMES.get(result.status)
      if (needed !== undefined && !mayBeObject(result[needed])) {
        report.add('task-invalid', `The task is ${shown(result.status)}, but has no ${needed}.`)
      }
    }
  }
  return findings
}

function checkTask(task: JsonObject, report: Report): void {
  for (const member of ['taskId', 'createdAt', 'lastUpdatedAt']) {
    if (!mayBeText(task[member]))
      report.add('task-invalid', `${member} is ${shown(task[member])}; it must be a string.`)
  }
  const { status, ttlMs } = task
  if (!STATUSES.has(status) && !isRedacted(status))
    report.add('task-invalid', `status is ${shown(status)}, which is none.`)
  if (ttlMs !== null && !mayBeNumber(ttlMs))
    report.add('task-invalid', `ttlMs is ${shown(ttlMs)}; it must be a number or null.`)
  if (isObject(task.task))
    report.add(
      'task-invalid',
      'The task stands in a member "task", as in 2025-11-25; its members belong into the result.',
    )
}
