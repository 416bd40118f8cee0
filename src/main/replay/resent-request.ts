import { encodeHeaderValue } from '../../shared/protocol/header-value'
import type { HeaderList } from '../../shared/capture/events'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { META } from '../../shared/protocol/meta'
import { mirroredNameParam } from '../../shared/protocol/methods'
import { MODERN_VERSION } from '../../shared/protocol/revisions'
import type { RecordedExchange } from '../../shared/replay/recorded-exchange'
import { holdsMark } from '../../shared/replay/redacted-text'

/** A trace of the recorded run has ended. */
const TRACE_KEYS: ReadonlySet<string> = new Set(['traceparent', 'tracestate', 'baggage'])

export interface Resent {
  message: JsonObject
  headers: HeaderList
}

/**
 * A recorded request as a modern client sends it again: under a new id, and in a later round with the request state of the
 * new chain (undefined when that has none).
 */
export function modernRequest(
  recorded: RecordedExchange,
  id: string,
  requestState: string | undefined,
  version: string,
): Resent {
  const { method, parameterHeaders } = recorded
  const { requestState: _recorded, ...own } = recorded.params
  const params: JsonObject = {
    ...own,
    ...(requestState !== undefined && { requestState }),
    _meta: { ...metaOf(recorded, version), ...kept(own._meta) },
  }
  const member = mirroredNameParam(method)
  const name = member === undefined ? undefined : params[member]
  return {
    message: { jsonrpc: '2.0', id, method, params },
    headers: [
      ['mcp-protocol-version', MODERN_VERSION],
      ['mcp-method', method],
      ...(typeof name === 'string' ? ([['mcp-name', encodeHeaderValue(name)]] satisfies HeaderList) : []),
      ...parameterHeaders.filter(([, value]) => !holdsMark(value)),
    ],
  }
}

/** The same within a session of a legacy client. */
export function legacyRequest({ method, params }: RecordedExchange, id: string): JsonObject {
  const { _meta, ...own } = params
  const meta = kept(_meta)
  return { jsonrpc: '2.0', id, method, params: Object.keys(meta).length === 0 ? own : { ...own, _meta: meta } }
}

/** What a modern request says of its client, where the recorded one says nothing: it was made by a legacy client. */
function metaOf({ era, frames }: RecordedExchange, version: string): JsonObject {
  if (era === 'modern') return {}
  const logs = frames.some(({ message }) => message?.method === 'notifications/message')
  return {
    [META.protocolVersion]: MODERN_VERSION,
    [META.clientInfo]: { name: 'sluice-replay', version },
    [META.clientCapabilities]: {},
    // Its session had a log level, or the server's own; what was recorded is to come again.
    ...(logs && { [META.logLevel]: 'debug' }),
  }
}

function kept(meta: unknown): JsonObject {
  if (!isObject(meta)) return {}
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !TRACE_KEYS.has(key)))
}
