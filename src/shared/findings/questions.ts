import { isObject, type JsonObject, type JsonValue } from '../protocol/json-rpc'
import { META } from '../protocol/meta'
import { checkElicitationSchema } from './elicitation-schema'
import { isLegacyExchange, metaForBackend, resultOf, shown } from './facts'
import type { Finding, JudgedCall } from './finding'
import { Report } from './report'
import { isRedacted, mayBeList, mayBeNumber, mayBeObject, mayBeText } from './shapes'

/**
 * What servers ask of clients can be answered: by `input_required`, or in sessions by requests (client/elicitation,
 * client/sampling).
 */
export function questions(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of call.exchanges) {
    if (isLegacyExchange(call, exchange)) {
      for (const { message, seq } of exchange.frames) {
        if (message?.kind !== 'request') continue
        checkQuestion(message.method, message.params, message.method ?? '', new Report(findings, seq, true))
      }
      continue
    }
    const ended = resultOf(exchange)
    if (ended?.result.resultType !== 'input_required' || !isObject(ended.result.inputRequests)) continue
    const report = new Report(findings, ended.seq)
    const declared = metaForBackend(call, exchange)?.[META.clientCapabilities]
    for (const [key, request] of Object.entries(ended.result.inputRequests)) {
      if (report.full) break
      if (!isObject(request)) continue
      const at = `the input request ${shown(key)}`
      checkQuestion(request.method, request.params, at, report)
      if (isObject(declared)) checkDeclared(request, declared, at, report)
    }
  }
  return findings
}

function checkQuestion(method: JsonValue | undefined, given: JsonValue | undefined, at: string, report: Report): void {
  if (isRedacted(given)) return
  const params = isObject(given) ? given : {}
  const needs = (member: string, fits: boolean, kind: string): void => {
    if (!fits)
      report.add('question-params-invalid', `${member} of ${at} is ${shown(params[member])}; it must be ${kind}.`)
  }
  if (method === 'elicitation/create') {
    needs('message', mayBeText(params.message), 'a string')
    const mode = params.mode ?? 'form'
    if (mode === 'form') checkElicitationSchema(params.requestedSchema, `requestedSchema of ${at}`, report)
    else if (mode === 'url') needs('url', isAddress(params.url), 'a URL')
    else needs('mode', isRedacted(mode), '"form" or "url"')
  } else if (method === 'sampling/createMessage') {
    needs('messages', mayBeList(params.messages), 'a list')
    needs('maxTokens', mayBeNumber(params.maxTokens), 'a number')
  }
}

function isAddress(url: JsonValue | undefined): boolean {
  return typeof url === 'string' && (isRedacted(url) || /^[a-z][a-z0-9+.-]*:./i.test(url))
}

/** A client declares modes and features of a capability; an empty elicitation means forms. */
function checkDeclared({ method, params }: JsonObject, declared: JsonObject, at: string, report: Report): void {
  if (!isObject(params)) return
  const { elicitation, sampling } = declared
  if (method === 'elicitation/create' && isObject(elicitation)) {
    const mode = params.mode === 'url' ? 'url' : 'form'
    const empty = Object.keys(elicitation).length === 0
    if (!mayBeObject(elicitation[mode]) && !(mode === 'form' && empty)) {
      report.add('question-mode-undeclared', `${at} needs elicitation.${mode}, which the client did not declare.`)
    }
  }
  const tools = params.tools !== undefined || params.toolChoice !== undefined
  if (method === 'sampling/createMessage' && tools && isObject(sampling) && !mayBeObject(sampling.tools)) {
    report.add('question-mode-undeclared', `${at} needs sampling.tools, which the client did not declare.`)
  }
}
