import type { HeaderList, SealedState, StateRefusedReason } from '../../src/shared/capture/events'
import type { JsonObject, JsonValue } from '../../src/shared/protocol/json-rpc'
import { META } from '../../src/shared/protocol/meta'
import { CallScript, result, type CallOptions } from '../capture/call-script'

/** A streamed call up to its head. */
export function streamed(options: CallOptions = {}): CallScript {
  return new CallScript(options).received().routed().sent().head()
}

/** A call that ends with `message` as JSON. */
export function answered(message: JsonObject, options: CallOptions = {}): CallScript {
  const script = new CallScript(options).received().routed().sent().head('application/json')
  return script.upstream(JSON.stringify(message), 'body').upstreamEnded().ended()
}

export const tokenMeta: CallOptions = { meta: { progressToken: 'p' } }
export const listed: CallOptions = { method: 'tools/list', params: {} }
export const eliciting: JsonObject = {
  method: 'elicitation/create',
  params: { message: 'Your name?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
}
export const elicitationDeclared: CallOptions = { meta: { [META.clientCapabilities]: { elicitation: {} } } }

const sealed: SealedState = {
  version: 1,
  backend: 'b',
  endpoint: '/mcp',
  method: 'tools/call',
  target: 't',
  paramsDigest: 'd',
  callerDigest: null,
  operation: 'o',
  round: 1,
  issuedAt: 0,
  expiresAt: 1,
}
export function refused(reason: StateRefusedReason): CallScript {
  const params = { name: 'forecast', requestState: 'x' }
  const script = new CallScript({ params }).received()
  return script.push({ kind: 'state.refused', outer: 'x', reason, ...(reason === 'expired' && { sealed }) })
}
export function listen(...messages: JsonObject[]): CallScript {
  const script = streamed({
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true } },
    id: 'l',
  })
  for (const message of messages) script.event(message)
  return script
}
export function about(method: string, id: string | number | undefined = 'l'): JsonObject {
  return { jsonrpc: '2.0', method, params: { _meta: { [META.subscriptionId]: id } } }
}
export function acknowledgement(notifications: JsonValue, id: string | number = 'l'): JsonObject {
  const method = 'notifications/subscriptions/acknowledged'
  return { jsonrpc: '2.0', method, params: { notifications, _meta: { [META.subscriptionId]: id } } }
}
export const acknowledged = acknowledgement({ toolsListChanged: true })

/** A result of `method` with these members beside those that all results have. */
export function resultOf(method: string, members: JsonObject, params: JsonObject = {}): CallScript {
  return answered(result({ content: undefined, ...members }), { method, params })
}
/** A list, read or discovery that says how long it may be kept. */
export function cachedResultOf(method: string, members: JsonObject, params: JsonObject = {}): CallScript {
  return resultOf(method, { ttlMs: 0, cacheScope: 'private', ...members }, params)
}
/** A backend of an older revision that answers so. */
export function legacyAnswer(message: JsonObject, options: CallOptions = {}): CallScript {
  const script = new CallScript(options).received().routed({ backendEra: 'legacy' }).sent().head('application/json')
  return script.upstream(JSON.stringify(message), 'body').upstreamEnded().ended()
}
/** A tool that gives this content. */
export function gives(...content: JsonValue[]): CallScript {
  return answered(result({ content }))
}
/** An error with a status. */
export function failed(error: JsonObject, status = 200): CallScript {
  const script = new CallScript().received().routed().sent().head('application/json', status)
  return script
    .upstream(JSON.stringify({ jsonrpc: '2.0', id: 1, error }), 'body')
    .upstreamEnded()
    .ended()
}
/** A tool in a list. */
export function tool(more: JsonObject = {}): JsonObject {
  return { name: 'forecast', inputSchema: { type: 'object' }, ...more }
}
/** A result that asks this of a client with these capabilities. */
export function asking(request: JsonObject, capabilities: JsonObject = { elicitation: {}, sampling: {} }): CallScript {
  const asked = result({ resultType: 'input_required', content: undefined, inputRequests: { a: request } })
  return answered(asked, { meta: { [META.clientCapabilities]: capabilities } })
}

export function headersWithout(name: string, ...more: HeaderList): HeaderList {
  const all: HeaderList = [
    ['accept', 'application/json, text/event-stream'],
    ['mcp-protocol-version', '2026-07-28'],
    ['mcp-method', 'tools/call'],
    ['mcp-name', 'forecast'],
  ]
  return [...all.filter(([key]) => key !== name), ...more]
}

/** A handle of a task, as it should be. */
export const task: JsonObject = { taskId: 't', status: 'working', createdAt: 'now', lastUpdatedAt: 'now', ttlMs: null }
