import type { HeaderList } from '../../shared/capture/events'
import { encodeHeaderValue } from '../../shared/protocol/header-value'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { mirroredNameParam } from '../../shared/protocol/methods'
import { claimOf } from './client-line'

/** Field values that HTTP carries as they are. What is not plain is left out, and the gateway says what is missing. */
const PLAIN = /^[\x21-\x7e]+$/

/** The fields that mirror a modern message (transports/streamable-http, "Standard headers"). */
export function standardHeaders(message: JsonObject): HeaderList {
  const headers: HeaderList = []
  const version = claimOf(message)
  if (typeof version === 'string' && PLAIN.test(version)) headers.push(['MCP-Protocol-Version', version])
  const { method } = message
  if (typeof method !== 'string' || !PLAIN.test(method)) return headers
  headers.push(['Mcp-Method', method])
  const member = mirroredNameParam(method)
  const name = member !== undefined && isObject(message.params) ? message.params[member] : undefined
  if (typeof name === 'string') headers.push(['Mcp-Name', encodeHeaderValue(name)])
  return headers
}
