import type { HeaderList, SealedState, StateRefusedReason } from '../../src/shared/capture/events'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { META } from '../../src/shared/protocol/meta'
import { CallScript, type CallOptions } from '../capture/call-script'

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
export const eliciting: JsonObject = { method: 'elicitation/create', params: {} }
export const elicitationDeclared: CallOptions = { meta: { [META.clientCapabilities]: { elicitation: {} } } }

export const sealed: SealedState = {
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
  const script = streamed({ method: 'subscriptions/listen', params: { notifications: {} }, id: 'l' })
  for (const message of messages) script.event(message)
  return script
}
export function about(method: string, id: string | number | undefined = 'l'): JsonObject {
  return { jsonrpc: '2.0', method, params: { _meta: { [META.subscriptionId]: id } } }
}
export const acknowledged = about('notifications/subscriptions/acknowledged')

export function headersWithout(name: string, ...more: HeaderList): HeaderList {
  const all: HeaderList = [
    ['accept', 'application/json, text/event-stream'],
    ['mcp-protocol-version', '2026-07-28'],
    ['mcp-method', 'tools/call'],
    ['mcp-name', 'forecast'],
  ]
  return [...all.filter(([key]) => key !== name), ...more]
}
