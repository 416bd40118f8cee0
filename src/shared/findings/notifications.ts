import type { Message } from '../capture/message'
import { isObject } from '../protocol/json-rpc'
import { isLegacyExchange, methodAsked, sentMessage, shown } from './facts'
import type { Finding, JudgedCall } from './finding'
import { Report } from './report'
import { isRedacted, mayBeNumber, mayBeObject, mayBeText } from './shapes'

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'
/** Notifications of the stream of one request. */
const OF_A_REQUEST: ReadonlySet<string> = new Set(['notifications/progress', 'notifications/message'])
/** Notifications of a subscription, and the member of its filter that asks for them. */
const OF_A_SUBSCRIPTION: ReadonlyMap<string, string> = new Map([
  ['notifications/tools/list_changed', 'toolsListChanged'],
  ['notifications/prompts/list_changed', 'promptsListChanged'],
  ['notifications/resources/list_changed', 'resourcesListChanged'],
  ['notifications/resources/updated', 'resourceSubscriptions'],
  ['notifications/tasks', 'taskIds'],
])
const LEGACY_ONLY: ReadonlySet<string> = new Set(['notifications/elicitation/complete', 'notifications/tasks/status'])
const CANCELLED = 'notifications/cancelled'

/** Which notifications there are, where they belong, and what they must hold (basic/patterns/subscriptions; schema). */
export function notifications(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of call.exchanges) {
    const legacy = isLegacyExchange(call, exchange)
    let asked: Asked | undefined
    for (const { message, seq, form } of exchange.frames) {
      if (message?.kind !== 'notification') continue
      const report = new Report(findings, seq, legacy)
      if (report.full) return findings
      checkName(message.method ?? '', legacy, report)
      checkParams(message, report)
      if (legacy) continue
      asked ??= askedOf(methodAsked(call, exchange), sentMessage(exchange))
      // On stdio all share one line: what is not about this request may still be about another.
      checkPlace(message, asked, form === 'line', report)
    }
  }
  return findings
}

interface Asked {
  listens: boolean
  /** The filter that the backend was sent; undefined when that is not here. */
  filter: Record<string, unknown> | undefined
}

function askedOf(method: string | undefined, sent: Message | undefined): Asked {
  const filter = sent?.params?.notifications
  return { listens: method === 'subscriptions/listen', filter: isObject(filter) ? filter : undefined }
}

function checkName(method: string, legacy: boolean, report: Report): void {
  if (!method.startsWith('notifications/')) return
  const known =
    OF_A_REQUEST.has(method) ||
    method === CANCELLED ||
    (OF_A_SUBSCRIPTION.has(method) && !(legacy && method === 'notifications/tasks')) ||
    (legacy ? LEGACY_ONLY.has(method) : method === ACKNOWLEDGED)
  if (known) return
  const gone = LEGACY_ONLY.has(method) ? ', which 2026-07-28 gave up' : ', which this revision does not have'
  report.add('notification-unknown', `The backend sent ${shown(method)}${gone}.`)
}

function checkParams({ method, params }: Message, report: Report): void {
  if (method === 'notifications/progress') {
    const total = params?.total
    if (!mayBeNumber(params?.progress))
      report.add('progress-invalid', `progress is ${shown(params?.progress)}; it must be a number.`)
    if (total !== undefined && !mayBeNumber(total))
      report.add('progress-invalid', `total is ${shown(total)}; it must be a number.`)
  } else if (method === 'notifications/message') {
    if (params?.data === undefined) report.add('log-data-missing', 'The log message has no data.')
  } else if (method === 'notifications/resources/updated') {
    if (!mayBeText(params?.uri))
      report.add('notification-params-invalid', `uri is ${shown(params?.uri)}; it must be a string.`)
  } else if (method === ACKNOWLEDGED && !mayBeObject(params?.notifications)) {
    report.add(
      'notification-params-invalid',
      'The acknowledgement does not say what is honoured (params.notifications).',
    )
  }
}

function checkPlace(
  { method = '', params }: Message,
  { listens, filter }: Asked,
  shared: boolean,
  report: Report,
): void {
  const member = OF_A_SUBSCRIPTION.get(method)
  if (!listens) {
    if (shared || (member === undefined && method !== ACKNOWLEDGED)) return
    report.add(
      'notification-misplaced',
      `${shown(method)} came on the stream of a request; it belongs to a subscription.`,
    )
    return
  }
  if (OF_A_REQUEST.has(method)) {
    if (!shared)
      report.add(
        'notification-misplaced',
        `${shown(method)} came on a subscription; it belongs to the stream of its request.`,
      )
    return
  }
  if (filter === undefined) return
  if (member !== undefined && !isAskedFor(filter[member])) {
    report.add('subscription-not-requested', `${shown(method)} came, and the subscription did not ask for ${member}.`)
  }
  const honoured = params?.notifications
  if (method !== ACKNOWLEDGED || !isObject(honoured)) return
  for (const [name, value] of Object.entries(honoured)) {
    if (report.full) return
    if (isAskedFor(value) && !isAskedFor(filter[name])) {
      report.add('subscription-ack-wider', `The acknowledgement names ${shown(name)}, which was not asked for.`)
    }
  }
}

function isAskedFor(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value === true || (typeof value === 'string' && isRedacted(value))
}
