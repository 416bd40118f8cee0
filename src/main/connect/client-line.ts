import { isObject, isRequestId, type JsonObject } from '../../shared/protocol/json-rpc'
import { memberOf, objectMembers } from '../../shared/protocol/json-text'
import { META, VIA_META } from '../../shared/protocol/meta'
import type { Era } from '../../shared/protocol/revisions'
import { kindOf, messagesIn, type WireMessage } from '../backends/messages'

/** A chain of gateways that is longer is none. */
const MOST_VIA = 8_192

/** One line of the client: a message, or a batch (2025-03-26 basic, "Batching"). */
export interface ClientLine {
  /** As it was written. */
  text: string
  messages: WireMessage[]
  /** The ids that the client waits for, each as raw JSON under its key. */
  expected: Map<string, string>
  era: Era
}

/** Undefined when the line is no JSON, or holds anything but JSON-RPC messages. */
export function readClientLine(text: string): ClientLine | undefined {
  const messages = messagesIn(text)
  if (messages === undefined || messages.some(({ message }) => kindOf(message) === undefined)) return undefined
  const expected = new Map<string, string>()
  for (const { text: raw, message } of messages) {
    if (kindOf(message) !== 'request') continue
    const id = rawIdOf(raw)
    if (id !== undefined) expected.set(idKey(id), id)
  }
  const modern = messages.some(({ message }) => claimOf(message) !== undefined)
  return { text, messages, expected, era: modern ? 'modern' : 'legacy' }
}

/** The revision that a message claims, which makes it a modern one (basic/versioning). */
export function claimOf(message: JsonObject): unknown {
  const meta = isObject(message.params) ? message.params._meta : undefined
  return isObject(meta) ? meta[META.protocolVersion] : undefined
}

/** `via`: the gateways that a line came through, where it names any, as a field can carry them. */
export function viaHeaders({ messages }: ClientLine): [string, string][] {
  const params = messages[0]?.message.params
  const via = isObject(params) && isObject(params._meta) ? params._meta[VIA_META] : undefined
  return typeof via === 'string' && via.length <= MOST_VIA && /^[\x20-\x7e]+$/.test(via) ? [['via', via]] : []
}

/** Raw JSON of a message's id; undefined without one. */
export function rawIdOf(text: string): string | undefined {
  const id = memberOf(objectMembers(text), 'id')
  return id && text.slice(id.start, id.end)
}

/** The key of the request that a `notifications/cancelled` names. */
export function cancelledKeyOf({ text, message }: WireMessage): string | undefined {
  if (message.method !== 'notifications/cancelled') return undefined
  if (!isObject(message.params) || !isRequestId(message.params.requestId)) return undefined
  const params = memberOf(objectMembers(text), 'params')
  const id = params && memberOf(objectMembers(text, params.start), 'requestId')
  return id && idKey(text.slice(id.start, id.end))
}

/** The same for two spellings of one string; numbers count as they are spelled, beyond 2^53 too. */
export function idKey(raw: string): string {
  return raw.startsWith('"') ? JSON.stringify(JSON.parse(raw)) : raw
}
