import type { IncomingMessage, ServerResponse } from 'node:http'
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

/** The session that a request names. Throws 400 without one, 404 for one that is not this caller's. */
export function sessionOf(request: IncomingMessage, endpoint: string, sessions: SessionStore): ClientSession {
  const id = headerValue(request.headers, SESSION_HEADER)
  if (id === undefined) {
    throw new GatewayError(
      ErrorCode.Transport,
      'Client leg: Bad Request: the Mcp-Session-Id header is missing. Begin with initialize, and send the id of its response with every request.',
      undefined,
      { status: 400 },
    )
  }
  const session = sessions.find(id, endpoint, callerDigest(request.headers.authorization))
  if (session === undefined) {
    throw new GatewayError(SESSION_NOT_FOUND, 'Client leg: Session not found. Begin anew with initialize.', undefined, { status: 404 })
  }
  const version = headerValue(request.headers, 'mcp-protocol-version')
  if (version !== undefined && !LEGACY_VERSIONS.has(version)) {
    throw new GatewayError(ErrorCode.Transport, `Client leg: Bad Request: unsupported MCP-Protocol-Version ${JSON.stringify(version)}.`, undefined, { status: 400 })
  }
  return session
}

/** What `initialize` says of the client; -32602 when it says it wrongly. */
export function sessionFacts(message: ClientMessage, request: IncomingMessage, endpoint: string, backend: string | undefined): SessionFacts {
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

const SSE_HEAD = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' }

/** One GET stream under way. */
export interface Following {
  /** Ends the response. */
  close(): void
}

/**
 * Answers a GET: the session's own stream, or, with `Last-Event-ID`, what a broken stream missed and then what follows on
 * it. `onEvent` sees what is sent.
 */
export function followStream(
  response: ServerResponse,
  session: ClientSession,
  standalone: string,
  lastEventId: string | undefined,
  pingIntervalMs: number,
  onEvent: (text: string) => void,
): Following | undefined {
  const missed = lastEventId === undefined ? undefined : session.store.after(lastEventId)
  if (lastEventId !== undefined && missed === undefined) return undefined
  const stream = missed?.stream ?? standalone
  response.writeHead(200, SSE_HEAD)
  response.flushHeaders()
  let timer: NodeJS.Timeout | undefined
  const close = (): void => {
    clearInterval(timer)
    unfollow()
    response.end()
  }
  const send = ({ id, text, last }: { id: string; text: string; last: boolean }): void => {
    if (text !== '') {
      onEvent(text)
      response.write(`id: ${id}\nevent: message\ndata: ${text.replace(/\r\n|\r|\n/g, '\ndata: ')}\n\n`)
    }
    if (last) close()
  }
  const unfollow = session.store.follow(stream, send)
  timer = setInterval(() => response.write(': ping\n\n'), pingIntervalMs)
  for (const event of missed?.events ?? []) send(event)
  response.on('close', close)
  session.onClose(close)
  return { close }
}
