import type { IncomingMessage } from 'node:http'
import { ErrorCode } from '../../../shared/protocol/errors'
import { isObject, type JsonObject } from '../../../shared/protocol/json-rpc'
import { LEGACY_VERSIONS } from '../../../shared/protocol/revisions'
import { callerDigest } from '../digests'
import { headerValue, type ClientMessage } from '../envelope'
import { GatewayError } from '../gateway-error'
import type { ClientSession, SessionFacts } from './client-session'
import type { SessionStore } from './session-store'

export const SESSION_HEADER = 'mcp-session-id'
/** What the SDKs answer for a session that is not (or no longer) known; clients then initialize anew. */
const SESSION_NOT_FOUND = -32001
const NEWEST_LEGACY = '2025-11-25'

/** Whether a request belongs to a legacy session. */
export function isSessionRequest(request: IncomingMessage): boolean {
  return request.headers[SESSION_HEADER] !== undefined
}

/** The session that a request names. Throws 400 without one, 404 for one that is not this caller's. */
export function sessionOf(request: IncomingMessage, endpoint: string, sessions: SessionStore): ClientSession {
  const id = headerValue(request.headers, SESSION_HEADER)
  if (id === undefined) {
    throw badRequest(
      'the Mcp-Session-Id header is missing. Begin with initialize, and send the id of its response with every request',
    )
  }
  const session = sessions.find(id, endpoint, callerDigest(request.headers.authorization))
  if (session === undefined) {
    const message = 'Client leg: Session not found. Begin anew with initialize.'
    throw new GatewayError(SESSION_NOT_FOUND, message, undefined, { status: 404 })
  }
  const version = headerValue(request.headers, 'mcp-protocol-version')
  if (version !== undefined && !LEGACY_VERSIONS.has(version)) {
    throw badRequest(`MCP-Protocol-Version ${JSON.stringify(version.slice(0, 100))} is none that sessions can have`)
  }
  return session
}

/** What `initialize` says of the client; -32602 when it says it wrongly. */
export function sessionFacts(
  message: ClientMessage,
  request: IncomingMessage,
  endpoint: string,
  backend: string | undefined,
): SessionFacts {
  const { protocolVersion, clientInfo, capabilities } = message.params
  if (typeof protocolVersion !== 'string' || !isObject(clientInfo) || !isObject(capabilities)) {
    const error = new GatewayError(
      ErrorCode.InvalidParams,
      'Invalid params: initialize needs protocolVersion (a string), clientInfo and capabilities (objects).',
    )
    error.idRaw = message.idRaw
    throw error
  }
  return {
    endpoint,
    backend,
    caller: callerDigest(request.headers.authorization),
    // A version that is not served is answered with the newest one that is; the client decides (2025-11-25 basic/lifecycle).
    protocolVersion: LEGACY_VERSIONS.has(protocolVersion) ? protocolVersion : NEWEST_LEGACY,
    clientInfo,
    capabilities,
  }
}

/** The `initialize` result for what the backends offer: a `server/discover` result in legacy form. */
export function initializeResult(facts: SessionFacts, discovered: JsonObject, version: string): JsonObject {
  const { capabilities, instructions } = discovered
  const { extensions: _extensions, ...offered } = isObject(capabilities) ? capabilities : {}
  return {
    protocolVersion: facts.protocolVersion,
    capabilities: offered,
    serverInfo: { name: 'sluice', version },
    ...(typeof instructions === 'string' ? { instructions } : {}),
  }
}

function badRequest(what: string): GatewayError {
  return new GatewayError(ErrorCode.Transport, `Client leg: Bad Request: ${what}.`, undefined, { status: 400 })
}
