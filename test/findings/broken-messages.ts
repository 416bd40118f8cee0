import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { META } from '../../src/shared/protocol/meta'
import { CallScript, log, progress, type CallOptions } from '../capture/call-script'
import type { BrokenCall } from './broken-calls'
import {
  about,
  acknowledged,
  acknowledgement,
  asking,
  failed,
  legacyAnswer,
  listen,
  streamed,
  tokenMeta,
} from './scripts'

const asks = (options: CallOptions) => new CallScript(options).received()
const notified = (method: string, params: JsonObject = {}) => streamed().event({ jsonrpc: '2.0', method, params })
const form = (requestedSchema: JsonObject | undefined) =>
  asking({ method: 'elicitation/create', params: { message: 'm', requestedSchema } })
const field = (name: JsonObject) => form({ type: 'object', properties: { name } })
const answers = (inputResponses: JsonObject | unknown[]) =>
  asks({ params: { name: 'forecast', requestState: 's', inputResponses: inputResponses as JsonObject } })
const legacyRequest = (method: string, params: JsonObject) =>
  new CallScript()
    .received()
    .routed({ backendEra: 'legacy' })
    .sent()
    .head()
    .event({ jsonrpc: '2.0', id: 7, method, params })
const answeredBy = (status: number) => new CallScript().received().routed().sent().head('application/json', status)

/** Requests, notifications, errors and questions that are not as the specification has them. */
export const BROKEN_MESSAGES: BrokenCall[] = [
  ['client-info-missing', asks({ meta: { [META.clientInfo]: undefined } })],
  ['client-info-missing', asks({ meta: { [META.clientInfo]: 'me' } })],
  ['request-params-invalid', asks({ params: { arguments: {} }, headers: withoutName('tools/call') })],
  ['request-params-invalid', asks({ params: { name: 'forecast', arguments: '{}' } })],
  ['request-params-invalid', asks({ method: 'prompts/get', params: { name: 'p', arguments: { count: 1 } } })],
  ['request-params-invalid', asks({ method: 'subscriptions/listen', params: {} })],
  ['request-params-invalid', asks({ method: 'completion/complete', params: { ref: {} } })],
  ['progress-token-invalid', asks({ meta: { progressToken: true } })],
  ['progress-token-invalid', asks({ meta: { progressToken: 1.5 } })],
  ['request-log-level-unknown', asks({ meta: { [META.logLevel]: 'warn' } })],
  ['method-given-up', asks({ method: 'ping', params: {} })],
  ['method-given-up', asks({ method: 'resources/subscribe', params: { uri: 'a://b' } })],
  [
    'protocol-version-unknown',
    new CallScript({ headers: [['MCP-Protocol-Version', '2025-12-01']] }).received({ era: 'legacy' }),
  ],
  ['error-object-invalid', failed({ code: -32602.5, message: 'm' })],
  ['error-object-invalid', failed({ code: -32602 })],
  ['error-object-invalid', failed({ code: -32602, message: null })],
  ['error-object-invalid', legacyAnswer({ jsonrpc: '2.0', id: 1, error: { code: 1 } })],
  ['error-data-missing', failed({ code: -32022, message: 'm', data: { requested: '2030-01-01' } }, 400)],
  ['error-data-missing', failed({ code: -32022, message: 'm', data: { supported: ['2026-07-28'] } }, 400)],
  ['error-data-missing', failed({ code: -32021, message: 'm', data: { requiredCapabilities: ['elicitation'] } }, 400)],
  ['error-status-wrong', failed({ code: -32601, message: 'm' }, 400)],
  ['error-status-wrong', failed({ code: -32020, message: 'm' })],
  [
    'result-status-wrong',
    answeredBy(201).upstream('{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}', 'body'),
  ],
  ['answer-empty', answeredBy(202).upstreamEnded()],
  [
    'session-id-invalid',
    new CallScript()
      .received()
      .routed({ backendEra: 'legacy' })
      .sent()
      .push({ kind: 'upstream.head', exchange: 1, status: 200, headers: [['Mcp-Session-Id', 'a b']] }),
  ],
  ['batch-given-up', batch('2025-06-18')],
  ['progress-invalid', streamed(tokenMeta).event(progressOf({ progress: '1' }))],
  ['progress-invalid', streamed(tokenMeta).event(progressOf({ progress: 1, total: 'all' }))],
  ['log-data-missing', logged().event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info' } })],
  ['log-level-unknown', legacyLog('warn')],
  ['notification-unknown', notified('notifications/log')],
  ['notification-unknown', notified('notifications/elicitation/complete')],
  ['notification-misplaced', notified('notifications/tools/list_changed')],
  ['notification-misplaced', listenLogged(acknowledged, log('info'))],
  ['notification-params-invalid', listen(acknowledgement('all'))],
  ['subscription-not-requested', listen(acknowledged, about('notifications/prompts/list_changed'))],
  ['subscription-ack-wider', listen(acknowledgement({ toolsListChanged: true, promptsListChanged: true }))],
  ['question-params-invalid', asking({ method: 'sampling/createMessage', params: { messages: [] } })],
  ['question-params-invalid', asking({ method: 'elicitation/create', params: { message: 'm', mode: 'popup' } })],
  [
    'question-params-invalid',
    asking(
      { method: 'elicitation/create', params: { message: 'm', mode: 'url', url: 'click' } },
      { elicitation: { url: {} } },
    ),
  ],
  ['question-params-invalid', legacyRequest('sampling/createMessage', { messages: [] })],
  ['elicitation-schema-invalid', form(undefined)],
  ['elicitation-schema-invalid', form({ type: 'array' })],
  ['elicitation-schema-invalid', field({ type: 'object', properties: {} })],
  ['elicitation-schema-invalid', field({ $ref: '#/$defs/name' })],
  ['elicitation-schema-invalid', field({ type: 'string', format: 'uuid' })],
  ['elicitation-schema-invalid', field({ type: 'array', items: { type: 'string' } })],
  ['elicitation-schema-invalid', legacyRequest('elicitation/create', { message: 'm', requestedSchema: {} })],
  [
    'question-mode-undeclared',
    asking({ method: 'elicitation/create', params: { message: 'm', mode: 'url', url: 'https://a/' } }),
  ],
  [
    'question-mode-undeclared',
    asking({ method: 'sampling/createMessage', params: { messages: [], maxTokens: 1, tools: [] } }),
  ],
  ['input-response-invalid', answers([])],
  ['input-response-invalid', answers({ a: 'yes' })],
  ['input-response-invalid', answers({ a: { method: 'elicitation/create', result: { action: 'accept' } } })],
  ['input-response-invalid', answers({ a: { action: 'ok' } })],
  ['input-response-invalid', answers({ a: { action: 'accept', content: { name: { first: 'Ada' } } } })],
  ['input-response-invalid', answers({ a: {} })],
]

function withoutName(method: string): NonNullable<CallOptions['headers']> {
  return [
    ['Accept', 'application/json, text/event-stream'],
    ['MCP-Protocol-Version', '2026-07-28'],
    ['Mcp-Method', method],
  ]
}

function progressOf(members: JsonObject): JsonObject {
  return { ...progress(1), params: { progressToken: 'p', ...members } }
}

function logged(): CallScript {
  return streamed({ meta: { [META.logLevel]: 'debug' } })
}

function legacyLog(level: string): CallScript {
  return new CallScript().received().routed({ backendEra: 'legacy' }).sent().head().event(log(level))
}

/** A subscription whose request asks for log messages, which are not for it all the same. */
function listenLogged(...messages: JsonObject[]): CallScript {
  const params = { notifications: { toolsListChanged: true } }
  const meta = { [META.logLevel]: 'debug' }
  const script = streamed({ method: 'subscriptions/listen', params, meta, id: 'l' })
  for (const message of messages) {
    const given = (message.params ?? {}) as JsonObject
    script.event({ ...message, params: { ...given, _meta: { [META.subscriptionId]: 'l' } } })
  }
  return script
}

/** A legacy backend that answers with an array, in a session of this revision. */
export function batch(revision: string): CallScript {
  const script = new CallScript().received().routed({ backendEra: 'legacy' })
  const http = {
    method: 'POST',
    url: 'http://b/',
    headers: [['MCP-Protocol-Version', revision] satisfies [string, string]],
  }
  script.push({ kind: 'upstream.sent', exchange: 1, backend: 'b', http, body: '{}' })
  return script.head('application/json').upstream('[{"jsonrpc":"2.0","id":1,"result":{"content":[]}}]', 'body')
}
