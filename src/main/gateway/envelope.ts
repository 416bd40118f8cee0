import type { IncomingHttpHeaders } from 'node:http'
import { ErrorCode } from '../../shared/protocol/errors'
import { decodeHeaderValue } from '../../shared/protocol/header-value'
import { isObject, type JsonObject, type JsonValue, type RequestId } from '../../shared/protocol/json-rpc'
import { memberOf, objectMembers, type MemberSpan } from '../../shared/protocol/json-text'
import { isLogLevel, LOG_LEVELS, META, type LogLevel } from '../../shared/protocol/meta'
import { mirroredNameParam } from '../../shared/protocol/methods'
import { LEGACY_VERSIONS, MODERN_VERSION, type Era } from '../../shared/protocol/revisions'
import { GatewayError } from './gateway-error'

/** A message of a client as far as it could be read; what could not be read is absent. */
export interface ClientMessage {
  body: string
  message: JsonObject
  /** Where the members of `message` stand in `body`, if that was looked up. */
  top?: readonly MemberSpan[]
  /** Raw JSON of `id`, to be given back byte for byte. */
  idRaw?: string
  id?: RequestId
  method: string
  params: JsonObject
  meta: JsonObject
}

/** A modern request that passed every check. */
export interface ModernRequest extends ClientMessage {
  idRaw: string
  id: RequestId
  progressToken?: RequestId
  logLevel?: LogLevel
  /** Tool or prompt name, URI or task id: the value that `Mcp-Name` mirrors. */
  target?: string
}

/** Parses the body and checks that it is one JSON-RPC request or notification (basic/index, transports "Sending messages"). */
export function readMessage(body: string): ClientMessage {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch (cause) {
    throw new GatewayError(
      ErrorCode.ParseError,
      `Parse error: the client's request body is not JSON (${cause instanceof Error ? cause.message : String(cause)}).`,
      undefined,
      { cause },
    )
  }
  if (Array.isArray(parsed))
    throw invalid('the body is a batch; this revision takes one request or notification a POST')
  if (!isObject(parsed)) throw invalid('the body is no JSON-RPC object')
  const top = objectMembers(body) ?? []
  const hasId = Object.hasOwn(parsed, 'id')
  const readable = hasId && isInteger(parsed.id)
  const idRaw = readable ? rawId(body, top) : undefined
  const id = readable ? (parsed.id as RequestId) : undefined
  const fail = (message: string): never => {
    throw withId(invalid(message), idRaw)
  }
  if (parsed.jsonrpc !== '2.0') fail('"jsonrpc" must be "2.0"')
  if (typeof parsed.method !== 'string') {
    fail(
      Object.hasOwn(parsed, 'result') || Object.hasOwn(parsed, 'error')
        ? 'a client may not post responses in this revision; answer input requests by re-issuing the call with inputResponses'
        : '"method" must be a string',
    )
  }
  if (hasId && !readable) fail('"id" must be a string or an integer, never null')
  const params = parsed.params ?? {}
  if (!isObject(params)) {
    throw withId(new GatewayError(ErrorCode.InvalidParams, 'Invalid params: "params" must be an object.'), idRaw)
  }
  return {
    body,
    message: parsed,
    top,
    idRaw,
    id,
    method: parsed.method as string,
    params,
    meta: isObject(params._meta) ? params._meta : {},
  }
}

/**
 * The era of a request (basic/versioning): the `_meta` claim decides; without one, an `initialize` or a header that
 * names a legacy revision (or none) is legacy.
 */
export function classifyEra(message: ClientMessage, headers: IncomingHttpHeaders): Era {
  if (Object.hasOwn(message.meta, META.protocolVersion)) return 'modern'
  if (message.method === 'initialize') return 'legacy'
  const header = headerValue(headers, 'mcp-protocol-version')
  if (header !== undefined) return LEGACY_VERSIONS.has(header) ? 'legacy' : 'modern'
  const claims = Object.hasOwn(message.meta, META.clientCapabilities) || Object.hasOwn(message.meta, META.clientInfo)
  return claims ? 'modern' : 'legacy'
}

/**
 * The checks of a modern request, first failure wins: `_meta` (-32602), headers that contradict the body (-32020),
 * version (-32022), missing headers (-32020). The order is that of the published SDK's server.
 */
export function checkModernRequest(message: ClientMessage, headers: IncomingHttpHeaders): ModernRequest {
  const { idRaw, id, meta, method, params } = message
  if (idRaw === undefined || id === undefined) throw invalid('a request needs an "id"')
  const fail = (error: GatewayError): never => {
    throw withId(error, idRaw)
  }
  const missing = [META.protocolVersion, META.clientCapabilities].filter((key) =>
    key === META.protocolVersion ? typeof meta[key] !== 'string' : !isObject(meta[key]),
  )
  if (missing.length > 0) {
    fail(
      new GatewayError(
        ErrorCode.InvalidParams,
        `Invalid params: params._meta lacks ${missing.map((key) => `"${key}"`).join(' and ')} (a string, and an object that may be empty).`,
        { missing },
      ),
    )
  }
  const version = meta[META.protocolVersion] as string
  const logLevel = meta[META.logLevel]
  if (logLevel !== undefined && !isLogLevel(logLevel)) {
    fail(
      new GatewayError(
        ErrorCode.InvalidParams,
        `Invalid params: _meta "${META.logLevel}" must be one of ${LOG_LEVELS.join(', ')}.`,
      ),
    )
  }
  const progressToken = meta.progressToken
  if (progressToken !== undefined && !isInteger(progressToken)) {
    fail(
      new GatewayError(
        ErrorCode.InvalidParams,
        'Invalid params: _meta "progressToken" must be a string or an integer.',
      ),
    )
  }
  const nameParam = mirroredNameParam(method)
  const target = nameParam === undefined ? undefined : params[nameParam]
  if (nameParam !== undefined && typeof target !== 'string') {
    fail(new GatewayError(ErrorCode.InvalidParams, `Invalid params: "${nameParam}" of ${method} must be a string.`))
  }
  const expected: [header: string, label: string, value: string][] = [
    ['mcp-protocol-version', 'MCP-Protocol-Version', version],
    ['mcp-method', 'Mcp-Method', method],
  ]
  if (typeof target === 'string') expected.push(['mcp-name', 'Mcp-Name', target])
  for (const [header, label, value] of expected) {
    const given = headerValue(headers, header)
    if (given === undefined) continue
    const decoded = header === 'mcp-name' ? decodeHeaderValue(given) : given
    if (decoded !== value) {
      const shown = JSON.stringify((decoded ?? given).slice(0, 200))
      const problem =
        decoded === undefined
          ? 'is not valid base64 of UTF-8'
          : `does not match body value ${JSON.stringify(value.slice(0, 200))}`
      fail(
        new GatewayError(ErrorCode.HeaderMismatch, `Header mismatch: ${label} header value ${shown} ${problem}`, {
          mismatch: { header: given, body: value },
        }),
      )
    }
  }
  if (version !== MODERN_VERSION) fail(unsupportedVersion(version))
  for (const [header, label, value] of expected) {
    if (headerValue(headers, header) === undefined) {
      fail(
        new GatewayError(ErrorCode.HeaderMismatch, `Header mismatch: the ${label} header is required and missing`, {
          mismatch: { header: null, body: value },
        }),
      )
    }
  }
  const { body, message: parsed, top } = message
  const checked: ModernRequest = { body, message: parsed, idRaw, id, method, params, meta }
  if (top !== undefined) checked.top = top
  if (progressToken !== undefined) checked.progressToken = progressToken as RequestId
  if (logLevel !== undefined) checked.logLevel = logLevel as LogLevel
  if (typeof target === 'string') checked.target = target
  return checked
}

function unsupportedVersion(requested: JsonValue): GatewayError {
  return new GatewayError(
    ErrorCode.UnsupportedProtocolVersion,
    `Unsupported protocol version: this endpoint serves ${MODERN_VERSION} (stateless requests with _meta and MCP-Protocol-Version).`,
    { supported: [MODERN_VERSION], requested },
  )
}

/** One header field as a string, surrounding white space trimmed (RFC 9110 5.5). */
export function headerValue(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value.trim() : undefined
}

function withId(error: GatewayError, idRaw: string | undefined): GatewayError {
  error.idRaw = idRaw
  return error
}

function rawId(body: string, top: readonly MemberSpan[]): string | undefined {
  const member = memberOf(top, 'id')
  return member && body.slice(member.start, member.end)
}

/** Ids and progress tokens: a string or an integer. Integers beyond 2^53 still count, their text is what travels. */
function isInteger(value: unknown): value is RequestId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value))
}

function invalid(message: string): GatewayError {
  return new GatewayError(ErrorCode.InvalidRequest, `Invalid request: ${message}.`)
}
