import { isObject, isRequestId, type JsonObject, type JsonValue } from '../protocol/json-rpc'
import { isLogLevel, META } from '../protocol/meta'
import { shown } from './facts'
import type { Finding, JudgedCall } from './finding'
import { Report } from './report'
import { isRedacted, mayBeObject, mayBeText } from './shapes'

/** Methods that sessions had, and 2026-07-28 has not (changelog, major changes 2, 4, 5 and 6). */
const GIVEN_UP: ReadonlyMap<string, string> = new Map([
  ['initialize', 'every request says its version and capabilities itself'],
  ['ping', 'a stream has comments as signs of life'],
  ['logging/setLevel', 'each request says its log level in _meta'],
  ['resources/subscribe', 'subscriptions/listen names resources'],
  ['resources/unsubscribe', 'a subscription ends with its stream'],
  ['tasks/result', 'tasks/get has the result'],
  ['tasks/list', 'a client keeps the ids of its tasks'],
])

/** What clients ask, and with which parameters (schema). */
export function requestParameters(call: JudgedCall): Finding[] {
  const { request, summary } = call
  const method = request?.message.method
  if (request?.message.kind !== 'request' || method === undefined) return []
  const findings: Finding[] = []
  const legacy = summary.era === 'legacy'
  const report = new Report(findings, request.seq, legacy)
  const params = request.message.params ?? {}
  const instead = legacy ? undefined : GIVEN_UP.get(method)
  if (instead !== undefined) report.add('method-given-up', `2026-07-28 has no ${method}: ${instead}.`)
  else checkNamed(method, params, report)
  const meta = isObject(params._meta) ? params._meta : {}
  const token = meta.progressToken
  if (token !== undefined && !(isRequestId(token) && (typeof token === 'string' || Number.isInteger(token)))) {
    report.add('progress-token-invalid', `progressToken is ${shown(token)}; it must be a string or a whole number.`)
  }
  const level = legacy ? (method === 'logging/setLevel' ? params.level : undefined) : meta[META.logLevel]
  if (level !== undefined && !isLogLevel(level) && !isRedacted(level)) {
    report.add('request-log-level-unknown', `The request asks for the log level ${shown(level)}, which is none.`)
  }
  if (!legacy && meta[META.protocolVersion] !== undefined && !mayBeObject(meta[META.clientInfo])) {
    report.add('client-info-missing', '_meta does not say which client this is.')
  }
  return findings
}

/** The members that a method cannot do without, and of which kind they are. */
const NEEDED: ReadonlyMap<string, readonly [member: string, kind: 'text' | 'object'][]> = new Map([
  ['tools/call', [['name', 'text']]],
  ['prompts/get', [['name', 'text']]],
  ['resources/read', [['uri', 'text']]],
  ['resources/subscribe', [['uri', 'text']]],
  ['resources/unsubscribe', [['uri', 'text']]],
  [
    'completion/complete',
    [
      ['ref', 'object'],
      ['argument', 'object'],
    ],
  ],
  ['subscriptions/listen', [['notifications', 'object']]],
  ['tasks/get', [['taskId', 'text']]],
  [
    'tasks/update',
    [
      ['taskId', 'text'],
      ['inputResponses', 'object'],
    ],
  ],
  ['tasks/cancel', [['taskId', 'text']]],
  [
    'initialize',
    [
      ['protocolVersion', 'text'],
      ['capabilities', 'object'],
      ['clientInfo', 'object'],
    ],
  ],
])

function checkNamed(method: string, params: JsonObject, report: Report): void {
  for (const [member, kind] of NEEDED.get(method) ?? []) {
    const value = params[member]
    if (kind === 'text' ? mayBeText(value) : mayBeObject(value)) continue
    report.add(
      'request-params-invalid',
      `${member} of ${method} is ${shown(value)}; it must be ${kind === 'text' ? 'a string' : 'an object'}.`,
    )
  }
  const given = params.arguments
  if ((method === 'tools/call' || method === 'prompts/get') && given !== undefined)
    checkArguments(method, given, report)
}

function checkArguments(method: string, given: JsonValue, report: Report): void {
  if (!mayBeObject(given))
    report.add('request-params-invalid', `arguments of ${method} is ${shown(given)}; it must be an object.`)
  if (method !== 'prompts/get' || !isObject(given)) return
  for (const [name, value] of Object.entries(given)) {
    if (report.full) return
    if (!mayBeText(value)) {
      report.add(
        'request-params-invalid',
        `The argument ${shown(name)} of the prompt is ${shown(value)}; it must be a string.`,
      )
    }
  }
}
