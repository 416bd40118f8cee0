import type { PlannedOperation, ReplayPlan } from '../../shared/replay/plan'
import type { DifferenceGroup } from '../../shared/replay/group-differences'
import type { OperationReport, ReplayReport } from '../../shared/replay/report'
import type { JsonValue } from '../../shared/protocol/json-rpc'
import { plainText } from '../plain-text'

const MAX_LINES = 50
const MAX_VALUE = 120

/** What would be sent where, what needs consent, and what is left out, in lines. */
export function planText({ mapping, operations, counts }: ReplayPlan): string {
  const sent = operations.filter(({ problem }) => problem === null)
  return [
    `${count(counts.sent, 'operation')} would be sent, ${counts.consent} of them only with your consent; ${counts.notSent} would not`,
    ...mapping.map(({ from, to, calls }) => `  ${plainText(from)} → ${to ?? 'nowhere'}: ${calls}`),
    ...section(
      'sent',
      tally(sent, ({ backend, consent, ...one }) => `${backend ?? ''}: ${title(one)}${mark(consent)}`),
    ),
    ...section(
      'not sent',
      tally(
        operations.filter(({ problem }) => problem !== null),
        (one) => `${title(one)}: ${one.problem ?? ''}`,
      ),
    ),
  ].join('\n')
}

/** The operations that only the user may let through, in lines. */
export function consentText({ operations }: ReplayPlan): string {
  const asked = operations.filter(({ consent, problem }) => consent !== null && problem === null)
  const lines = tally(asked, ({ backend, consent, ...one }) => `${backend ?? ''}: ${title(one)}: ${consent ?? ''}`)
  return [`These may change something on the servers:`, ...lines].join('\n')
}

/** How it went, in lines. */
export function reportText(report: ReplayReport): string {
  const { counts, groups, operations, stopped } = report
  const failed = operations.filter(({ outcome }) => outcome === 'failed')
  const notSent = operations.filter(({ outcome }) => outcome === 'not-sent')
  const endedEarly = operations.filter(({ outcome, reason }) => outcome === 'different' && reason !== undefined)
  const words = [`${counts.same} the same`, `${counts.different} different`]
  if (counts.failed > 0) words.push(`${counts.failed} failed`)
  if (counts['not-sent'] > 0) words.push(`${counts['not-sent']} not sent`)
  return [
    `${count(counts.total, 'operation')}${stopped ? ', stopped' : ''}: ${words.join(', ')}`,
    ...groups.slice(0, MAX_LINES).map(groupText),
    ...(groups.length > MAX_LINES ? [`  and ${groups.length - MAX_LINES} more`] : []),
    ...section('not gone through', tally(endedEarly, reasoned)),
    ...section('failed', tally(failed, reasoned)),
    ...section('not sent', tally(notSent, reasoned)),
  ].join('\n')
}

function groupText({ kind, path, calls, names, moreNames, constant, example }: DifferenceGroup): string {
  const { was, now, call } = example
  const values =
    kind === 'new' ? `new: ${value(now)}` : kind === 'gone' ? `gone: ${value(was)}` : `${value(was)} → ${value(now)}`
  const others = constant || calls === 1 ? '' : ', other values elsewhere'
  const listed = names.slice(0, 3).map(({ name }) => plainText(name, 60))
  const rest = names.length - listed.length + moreNames
  const where = `${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
  return `  ${count(calls, 'call')}  ${plainText(path, 200)}  ${values}  (${where}; call ${call}${others})`
}

function value(of: JsonValue | undefined): string {
  return plainText(of === undefined ? 'nothing' : JSON.stringify(of), MAX_VALUE)
}

function reasoned(one: OperationReport): string {
  return `${title(one)}: ${one.reason ?? ''}`
}

function title({ method, name }: Pick<PlannedOperation, 'method' | 'name'>): string {
  return name === null ? plainText(method, 60) : `${plainText(method, 60)} ${plainText(name, 100)}`
}

function mark(consent: string | null): string {
  return consent === null ? '' : ' (needs consent)'
}

/** Equal lines once, with how often. */
function tally<One>(all: readonly One[], line: (one: One) => string): string[] {
  const counts = new Map<string, number>()
  for (const one of all) counts.set(line(one), (counts.get(line(one)) ?? 0) + 1)
  const lines = [...counts].map(([text, times]) => `  ${times} × ${plainText(text)}`)
  return lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), `  and ${lines.length - MAX_LINES} more`] : lines
}

function section(name: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${name}:`, ...lines]
}

function count(of: number, what: string): string {
  return `${of.toLocaleString('en')} ${what}${of === 1 ? '' : 's'}`
}
