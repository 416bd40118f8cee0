import { isObject, type JsonObject, type JsonValue } from '../protocol/json-rpc'
import { META } from '../protocol/meta'
import { MULTI_ROUND_METHODS } from '../protocol/methods'
import { metaForBackend, methodAsked, modernExchanges, resultOf, shown } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'
import type { RuleId } from './guide'

const CAPABILITY: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

/** What `input_required` may answer, and what it must hold (basic/patterns/mrtr, "Server requirements"). */
export function inputRequired(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of modernExchanges(call)) {
    const ended = resultOf(exchange)
    if (ended?.result.resultType !== 'input_required') continue
    const { seq, result } = ended
    const add = (rule: RuleId, message: string): void => {
      findings.push(found({ rule, message, seq }))
    }
    const method = methodAsked(call, exchange)
    if (method !== undefined && !MULTI_ROUND_METHODS.has(method)) {
      add('input-required-not-allowed', `${method} may not be answered with input_required.`)
    }
    const { inputRequests, requestState } = result
    const asks = isObject(inputRequests) && Object.keys(inputRequests).length > 0
    if (!asks && requestState === undefined) {
      add('input-required-empty', 'The result is input_required, but has neither inputRequests nor requestState.')
    }
    if (requestState !== undefined && typeof requestState !== 'string') {
      add('input-state-no-string', `requestState is ${shown(requestState)}; it must be a string.`)
    }
    if (inputRequests !== undefined && !isObject(inputRequests)) {
      add('input-requests-no-object', `inputRequests is ${shown(inputRequests)}; it must be an object.`)
    }
    if (isObject(inputRequests)) checkRequests(inputRequests, metaForBackend(call, exchange), add)
  }
  return findings
}

function checkRequests(
  requests: JsonObject,
  meta: JsonObject | undefined,
  add: (rule: RuleId, message: string) => void,
): void {
  const declared = meta?.[META.clientCapabilities]
  for (const [key, request] of Object.entries(requests)) {
    const method: JsonValue | undefined = isObject(request) ? request.method : undefined
    const capability = typeof method === 'string' && Object.hasOwn(CAPABILITY, method) ? CAPABILITY[method] : undefined
    if (capability === undefined) {
      add(
        'input-request-unknown',
        `The input request ${shown(key)} has the method ${shown(method)}, which no client answers.`,
      )
    } else if (isObject(declared) && declared[capability] === undefined) {
      add(
        'input-request-undeclared',
        `The input request ${shown(key)} needs ${capability}, which the client did not declare.`,
      )
    }
  }
}
