import { isObject, isRequestId, type JsonObject, type RequestId } from '../../shared/protocol/json-rpc'
import { arrayItems } from '../../shared/protocol/json-text'
import type { CancelSignal } from './cancel-signal'

/** One message in a text of the wire, with its own text. */
export interface WireMessage {
  text: string
  message: JsonObject
}

/**
 * The messages in a text: one, or those of a batch (2025-03-26 basic, "Batching"), each as it stands there. Undefined
 * when the text is no JSON, or holds anything but objects.
 */
export function messagesIn(text: string): WireMessage[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  if (isObject(value)) return [{ text, message: value }]
  if (!Array.isArray(value) || value.length === 0) return undefined
  const spans = arrayItems(text) ?? []
  const messages: WireMessage[] = []
  for (const [index, message] of value.entries()) {
    const span = spans[index]
    if (!isObject(message) || span === undefined) return undefined
    messages.push({ text: text.slice(span.start, span.end), message })
  }
  return messages
}

export type MessageKind = 'request' | 'notification' | 'response'

export function kindOf(message: JsonObject): MessageKind | undefined {
  if (typeof message.method === 'string') return Object.hasOwn(message, 'id') ? 'request' : 'notification'
  return message.result !== undefined || message.error !== undefined ? 'response' : undefined
}

/** True when the message is a response to `id`, by the id or its string form. */
export function answers(message: JsonObject, id: RequestId): boolean {
  return kindOf(message) === 'response' && isRequestId(message.id) && String(message.id) === String(id)
}

/** The answer to a ping of the server; every other request is for a client to answer. */
export function pongText(message: JsonObject): string | undefined {
  if (message.method !== 'ping' || !isRequestId(message.id)) return undefined
  return `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{}}`
}

export function cancelledText(requestId: RequestId, reason: string, meta?: JsonObject): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId, reason, ...(meta === undefined ? {} : { _meta: meta }) },
  })
}

/** Why a signal was aborted, in words for the server. */
export function cancelReason(signal: CancelSignal): string {
  const reason: unknown = signal.reason
  return typeof reason === 'string' ? reason.slice(0, 200) : 'the caller no longer waits for it'
}

/** The text as a JSON object, or undefined. */
export function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The error of a response, if it is one. */
export function errorOf(message: JsonObject | undefined): JsonObject | undefined {
  return isObject(message?.error) ? message.error : undefined
}
