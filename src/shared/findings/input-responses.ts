import { isObject, type JsonObject, type JsonValue } from '../protocol/json-rpc'
import { MULTI_ROUND_METHODS } from '../protocol/methods'
import { shown } from './facts'
import type { Finding, JudgedCall } from './finding'
import { Report } from './report'
import { isRedacted, mayBeObject, mayBeText } from './shapes'

const ACTIONS: ReadonlySet<unknown> = new Set(['accept', 'decline', 'cancel'])

/** What clients answer to questions: bare results under the keys of the questions (basic/patterns/mrtr). */
export function inputResponses(call: JudgedCall): Finding[] {
  const { request, summary } = call
  const given = request?.message.params?.inputResponses
  if (request === null || given === undefined || summary.era !== 'modern') return []
  const { method = '' } = request.message
  if (!MULTI_ROUND_METHODS.has(method) && method !== 'tasks/update') return []
  const findings: Finding[] = []
  const report = new Report(findings, request.seq)
  if (!mayBeObject(given))
    report.add('input-response-invalid', `inputResponses is ${shown(given)}; it must be an object.`)
  if (!isObject(given)) return findings
  for (const [key, answer] of Object.entries(given)) {
    if (report.full) break
    const fault = isRedacted(answer) ? undefined : faultOf(answer)
    if (fault !== undefined) report.add('input-response-invalid', `The answer ${shown(key)} ${fault}.`)
  }
  return findings
}

function faultOf(answer: JsonValue | undefined): string | undefined {
  if (!isObject(answer)) return `is ${shown(answer)}; it must be an object`
  if (answer.action !== undefined) return faultOfElicitation(answer)
  if (answer.roots !== undefined || answer.role !== undefined || isRedacted(answer.content)) return undefined
  if (isObject(answer.result)) return 'is wrapped in "result"; the bare result must stand under the key'
  return 'is no answer to an elicitation, to sampling or to roots'
}

function faultOfElicitation({ action, content }: JsonObject): string | undefined {
  if (!ACTIONS.has(action) && !isRedacted(action))
    return `has the action ${shown(action)}; it must be accept, decline or cancel`
  if (!isObject(content)) return undefined
  for (const [name, value] of Object.entries(content)) {
    const plain =
      ['string', 'number', 'boolean'].includes(typeof value) || (Array.isArray(value) && value.every(mayBeText))
    if (!plain)
      return `gives ${shown(value)} for ${shown(name)}; a form has strings, numbers, booleans and lists of strings`
  }
  return undefined
}
