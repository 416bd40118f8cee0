import { ErrorCode } from '../../shared/protocol/errors'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'
import { META } from '../../shared/protocol/meta'
import { LEGACY_VERSIONS, MODERN_VERSION } from '../../shared/protocol/revisions'
import type { BackendState, Initialized, SessionOpening } from './backend'
import { errorOf, parsed } from './messages'

/** The newest revision that begins with `initialize`: what the gateway offers. */
export const NEWEST_LEGACY_VERSION = '2025-11-25'

const MODERN_CODES: ReadonlySet<unknown> = new Set([
  ErrorCode.HeaderMismatch,
  ErrorCode.MissingRequiredClientCapability,
  ErrorCode.UnsupportedProtocolVersion,
])

/** An error code that only servers of 2026-07-28 send: it is the sign of the modern era, whatever else is wrong. */
export function isModernCode(code: unknown): boolean {
  return MODERN_CODES.has(code)
}

/** What helps where credentials are wanted. */
export const SIGN_IN_ADVICE = 'Give it credentials in "headers", or let those of the client pass with "passHeaders".'

/** What came back to a question of the connector's own. */
export interface OwnAnswer {
  /** The JSON-RPC response. */
  message?: JsonObject
  /** HTTP status, 0 where there is none. */
  status: number
  /** `WWW-Authenticate`. */
  challenge?: string
  /** Why no response came, where the transport says so. */
  failure?: string
  /** As in the end of an exchange. */
  wrongEra?: true
}

type Verdict = Omit<BackendState, 'changedAt'>

/** What the answer to `server/discover` says of a server's era (basic/versioning, "Era detection"). */
export type EraVerdict =
  | { kind: 'modern'; state: Verdict }
  /** Not a modern server; whether it is a legacy one, `initialize` will tell. */
  | { kind: 'not-modern'; why: string }
  /** The answer says nothing of the era. */
  | { kind: 'unknown'; state: Verdict }

export function discoverText(id: string, version: string): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'server/discover',
    params: { _meta: ownMeta(version) },
  })
}

/** The reserved `_meta` of the gateway's own messages to a modern server. */
export function ownMeta(version: string): JsonObject {
  return {
    [META.protocolVersion]: MODERN_VERSION,
    [META.clientInfo]: ownInfo(version),
    [META.clientCapabilities]: {},
  }
}

/** As whom the gateway opens sessions that are not those of one client. */
export function ownOpening(version: string, capabilities: JsonObject = {}): SessionOpening {
  return { clientInfo: ownInfo(version), capabilities, protocolVersion: NEWEST_LEGACY_VERSION, headers: [] }
}

function ownInfo(version: string): JsonObject {
  return { name: 'sluice', version }
}

export function initializeText(id: string, { protocolVersion, capabilities, clientInfo }: SessionOpening): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'initialize',
    params: { protocolVersion, capabilities, clientInfo },
  })
}

export const INITIALIZED_TEXT = '{"jsonrpc":"2.0","method":"notifications/initialized"}'

export function readDiscover(answer: OwnAnswer): EraVerdict {
  const trouble = readTrouble(answer, 'server/discover')
  if (trouble !== undefined) return { kind: 'unknown', state: trouble }
  const { message, status } = answer
  if (isObject(message?.error)) {
    const { code } = message.error
    const why = `it answers server/discover with ${errorText(message.error)}`
    if (!isModernCode(code)) return { kind: 'not-modern', why }
    return { kind: 'modern', state: { health: 'degraded', era: 'modern', reason: why } }
  }
  if (!isObject(message?.result)) {
    return { kind: 'not-modern', why: `it answers server/discover with HTTP ${status} and no JSON-RPC message` }
  }
  const { supportedVersions, _meta } = message.result
  if (!Array.isArray(supportedVersions))
    return { kind: 'not-modern', why: 'its answer to server/discover has no supportedVersions' }
  const serverInfo = readServerInfo(isObject(_meta) ? _meta[META.serverInfo] : undefined)
  const known = { era: 'modern' as const, discovered: message.result, ...(serverInfo && { serverInfo }) }
  if (supportedVersions.includes(MODERN_VERSION)) return { kind: 'modern', state: { health: 'ready', ...known } }
  const reason = `it does not list ${MODERN_VERSION} among its supportedVersions`
  if (supportedVersions.some((version) => typeof version === 'string' && LEGACY_VERSIONS.has(version)))
    return { kind: 'not-modern', why: reason }
  return { kind: 'modern', state: { health: 'degraded', ...known, reason } }
}

/** What `initialize` was answered with, or why that is no session. */
export function readInitialize(answer: OwnAnswer): { initialized: Initialized } | { trouble: Verdict } {
  const trouble = readTrouble(answer, 'initialize')
  if (trouble !== undefined) return { trouble }
  const { message, status } = answer
  const refused = (reason: string): { trouble: Verdict } => ({ trouble: { health: 'degraded', era: null, reason } })
  if (isObject(message?.error)) return refused(`it refuses initialize with ${errorText(message.error)}`)
  const result = message?.result
  if (!isObject(result)) return refused(`it answers initialize with HTTP ${status} and no JSON-RPC message`)
  const { protocolVersion, capabilities, instructions } = result
  if (typeof protocolVersion !== 'string' || !LEGACY_VERSIONS.has(protocolVersion))
    return refused(`it wants to speak protocol version ${JSON.stringify(protocolVersion)?.slice(0, 60) ?? '(none)'}`)
  const serverInfo = readServerInfo(result.serverInfo)
  return {
    initialized: {
      protocolVersion,
      capabilities: isObject(capabilities) ? capabilities : {},
      ...(serverInfo && { serverInfo }),
      ...(typeof instructions === 'string' ? { instructions } : {}),
      raw: result,
    },
  }
}

/** Answers that are no verdict on the era: no connection, a time-out, credentials wanted, trouble on the server's side. */
export function readTrouble({ message, status, challenge, failure }: OwnAnswer, method: string): Verdict | undefined {
  if (status === 401 || status === 403) {
    const wants = challenge === undefined ? '' : ` and the challenge ${challenge.slice(0, 300)}`
    return {
      health: 'needs-sign-in',
      era: null,
      reason: `it answers ${method} with HTTP ${status}${wants}. ${SIGN_IN_ADVICE}`,
      ...(challenge === undefined ? {} : { challenge }),
    }
  }
  if (failure !== undefined && message === undefined) return { health: 'down', era: null, reason: failure }
  const passing = status >= 500 || status === 408 || status === 429
  const redirect = status >= 300 && status < 400
  if (!passing && !redirect) return undefined
  const advice = redirect ? ': redirects are not followed, correct its "url"' : ''
  const error = errorOf(message)
  const words = error === undefined ? '' : `, ${errorText(error)}`
  return { health: 'degraded', era: null, reason: `it answers ${method} with HTTP ${status}${words}${advice}` }
}

function readServerInfo(info: JsonValue | undefined): { name: string; version?: string } | undefined {
  if (!isObject(info) || typeof info.name !== 'string') return undefined
  return { name: info.name, ...(typeof info.version === 'string' ? { version: info.version } : {}) }
}

function errorText({ code, message }: JsonObject): string {
  return `error ${String(code)}: ${String(message).slice(0, 200)}`
}

/**
 * True when an answer to a modern request could only come from a server that does not speak 2026-07-28 and did not
 * execute it: a status of the transport, and an error that a modern server has no reason to give.
 */
export function contradictsModern(status: number, body: string): boolean {
  if (status !== 400 && status !== 404 && status !== 405 && status !== 406) return false
  const error = errorOf(parsed(body))
  if (error === undefined) return true
  const { code } = error
  return code === ErrorCode.Transport || code === ErrorCode.InvalidRequest || code === -32001
}

/**
 * True when the answer to a POST says that the session is not known, so that nothing was executed: 404
 * (2025-11-25 basic/transports, "Session Management"), unless it answers the request itself; and 400 with words on the
 * session, which the SDK's example servers send instead.
 */
export function saysSessionUnknown(status: number, body: string): boolean {
  if (status !== 404 && status !== 400) return false
  const error = errorOf(parsed(body))
  if (status === 404) return error === undefined || error.code !== ErrorCode.MethodNotFound
  return error?.code === ErrorCode.Transport && /session/i.test(String(error.message))
}
