import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CallReceived, HeaderList } from '../../shared/capture/events'
import type { GatewayConfig } from '../../shared/config/schema'
import { ErrorCode } from '../../shared/protocol/errors'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { META } from '../../shared/protocol/meta'
import { MODERN_VERSION, type Era } from '../../shared/protocol/revisions'
import type { Tap } from '../capture/tap'
import { acceptedForms } from './accept'
import { Call } from './call'
import {
  checkModernRequest,
  classifyEra,
  headerValue,
  readMessage,
  unsupportedVersion,
  type ClientMessage,
  type ModernRequest,
} from './envelope'
import { errorResponseText, GatewayError } from './gateway-error'
import { checkHostAndOrigin, type AllowList } from './guards'
import { readBody } from './request-body'
import { ResponseStream } from './response-stream'

export interface IngressOptions {
  tap: Tap
  settings(): GatewayConfig
  allowed(): AllowList
  /** This gateway in `Via`. */
  via: string
  /** Names of the configured backends. */
  backends(): readonly string[]
  /** Serves an accepted call; `backend` is undefined on the aggregate endpoint. Rejections are answered by the ingress. */
  serve(call: Call, backend: string | undefined): Promise<void>
  /** True once the gateway stops: nothing new is accepted. */
  stopping(): boolean
}

const ENDPOINT = /^\/mcp(?:\/([^/]+))?\/?$/

/**
 * The door of the client leg: guards, body, era and the checks before dispatch (architecture: Host and Origin, method,
 * path, Accept, Content-Type, body limit, message, era, envelope). Every request is recorded, refused ones too.
 */
export class Ingress {
  readonly #options: IngressOptions

  constructor(options: IngressOptions) {
    this.#options = options
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request)
    let body = ''
    let message: ClientMessage | undefined
    try {
      checkHostAndOrigin(request, this.#options.allowed())
      const preflight = this.#preflight(request, response)
      if (preflight) return
      if (request.method !== 'POST') throw methodNotAllowed(request.method)
      const backend = this.#backendOf(path)
      this.#checkLoop(request)
      this.#checkAccept(request)
      checkContentType(request)
      if (this.#options.stopping()) throw stopping()
      const text = await readBody(request, this.#options.settings().maxBodyBytes)
      if (text === undefined) return
      body = text
      message = readMessage(body)
      if (message.idRaw === undefined) {
        this.#acceptNotification(request, response, path, message)
        return
      }
      if (classifyEra(message, request.headers) === 'legacy') throw legacy(message, request)
      const checked = checkModernRequest(message, request.headers)
      if (checked.method === 'subscriptions/listen' && !acceptedForms(request.headers.accept).sse)
        throw notAcceptable('text/event-stream')
      await this.#serve(request, response, path, checked, backend)
    } catch (error) {
      this.#refuse(request, response, path, body, message, error)
    }
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    checked: ModernRequest,
    backend: string | undefined,
  ): Promise<void> {
    const { tap } = this.#options
    const number = tap.nextCall()
    const seq = tap.record(this.#received(number, request, path, checked.body, checked, 'modern'))
    const stream = this.#stream(request, response, number, checked.method)
    const call = new Call(number, seq, endpointOf(path), checked, request.headers, stream, tap)
    stream.openWindow()
    try {
      await this.#options.serve(call, backend)
    } catch (error) {
      const raised = asGatewayError(error)
      call.fail(
        { code: raised.code, message: raised.message, ...(raised.data === undefined ? {} : { data: raised.data }) },
        raised.status,
      )
    }
  }

  #acceptNotification(request: IncomingMessage, response: ServerResponse, path: string, message: ClientMessage): void {
    const { tap } = this.#options
    const number = tap.nextCall()
    tap.record(this.#received(number, request, path, message.body, message, classifyEra(message, request.headers)))
    const stream = this.#stream(request, response, number)
    stream.accept(202)
    const detail =
      'A notification: accepted, and not passed on. This revision defines none from client to server over HTTP.'
    tap.record({ kind: 'call.ended', call: number, outcome: 'result', by: 'gateway', detail })
  }

  #refuse(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    body: string,
    message: ClientMessage | undefined,
    error: unknown,
  ): void {
    const raised = asGatewayError(error)
    const { tap } = this.#options
    const number = tap.nextCall()
    const era = message === undefined ? eraOfHeaders(request) : classifyEra(message, request.headers)
    tap.record(this.#received(number, request, path, body, message, era))
    const text = errorResponseText(message?.idRaw ?? raised.idRaw, {
      code: raised.code,
      message: raised.message,
      ...(raised.data === undefined ? {} : { data: raised.data }),
    })
    this.#stream(request, response, number).finish({ text, edits: [] }, 'error', raised.status, raised.headers)
    tap.record({
      kind: 'call.ended',
      call: number,
      outcome: 'error',
      by: 'gateway',
      error: { code: raised.code, message: raised.message },
    })
  }

  #stream(request: IncomingMessage, response: ServerResponse, call: number, method?: string): ResponseStream {
    const { responseMode, deferralWindowMs, pingIntervalMs } = this.#options.settings()
    const headers = corsHeaders(request, this.#options.allowed())
    // A subscription is nothing but its stream, in every mode (basic/patterns/subscriptions).
    const mode = responseMode === 'json' && method === 'subscriptions/listen' ? 'auto' : responseMode
    return new ResponseStream(response, { call, mode, deferralWindowMs, pingIntervalMs, headers }, this.#options.tap)
  }

  #received(
    call: number,
    request: IncomingMessage,
    path: string,
    body: string,
    message: ClientMessage | ModernRequest | undefined,
    era: Era,
  ): Omit<CallReceived, 'seq' | 'at'> {
    const { responseMode, deferralWindowMs } = this.#options.settings()
    const event: Omit<CallReceived, 'seq' | 'at'> = {
      kind: 'call.received',
      call,
      endpoint: endpointOf(path),
      era,
      http: { method: request.method ?? '', path: request.url ?? path, headers: wireHeaders(request) },
      body,
      deferralWindowMs,
      responseMode,
    }
    if (message === undefined) return event
    if (message.id !== undefined) event.id = message.id
    event.method = message.method
    const target = 'target' in message ? message.target : (message.params.name ?? message.params.uri)
    if (typeof target === 'string') event.name = target
    const token = message.meta.progressToken
    if (typeof token === 'string' || typeof token === 'number') event.progressToken = token
    const level = message.meta[META.logLevel]
    if (typeof level === 'string') event.logLevel = level
    const client = clientOf(message.meta)
    if (client !== undefined) event.client = client
    return event
  }

  #preflight(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false
    const headers = corsHeaders(request, this.#options.allowed())
    if (headers['access-control-allow-origin'] === undefined) return false
    response.writeHead(204, {
      ...headers,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '',
      'access-control-max-age': '600',
    })
    response.end()
    return true
  }

  #backendOf(path: string): string | undefined {
    const match = ENDPOINT.exec(path)
    if (match === null) {
      throw notFound(
        `there is no ${JSON.stringify(path.slice(0, 200))} here. Use /mcp for all backends, or /mcp/<backend> for one`,
      )
    }
    const name = match[1]
    if (name === undefined) return undefined
    const known = this.#options.backends()
    const decoded = decodePath(name)
    if (!known.includes(decoded)) {
      throw notFound(
        `no backend is named ${JSON.stringify(decoded.slice(0, 200))}. Configured: ${known.join(', ') || 'none'}`,
      )
    }
    return decoded
  }

  /** A backend whose URL leads back here would call itself without end. */
  #checkLoop(request: IncomingMessage): void {
    const { via } = this.#options
    const seen = String(request.headers.via ?? '')
    const at = seen.indexOf(via)
    if (at === -1) return
    const backend = /^ \(([^)]*)\)/.exec(seen.slice(at + via.length))?.[1] ?? ''
    throw new GatewayError(
      ErrorCode.InternalError,
      `Client leg: the url of backend "${backend}" leads back to this gateway, so the call would go round for ever. Correct it in the configuration.`,
      { backend, reason: 'loop' },
    )
  }

  #checkAccept(request: IncomingMessage): void {
    const accepted = acceptedForms(request.headers.accept)
    const { responseMode } = this.#options.settings()
    if (!accepted.json) throw notAcceptable('application/json')
    if (!accepted.sse && responseMode !== 'json') throw notAcceptable('text/event-stream')
  }
}

function checkContentType(request: IncomingMessage): void {
  const type = request.headers['content-type']
  if (type !== undefined && /^application\/json\s*(;|$)/i.test(type)) return
  throw new GatewayError(
    ErrorCode.Transport,
    `Client leg: Content-Type must be application/json, not ${type === undefined ? 'absent' : JSON.stringify(type.slice(0, 200))}.`,
    undefined,
    { status: 415 },
  )
}

function methodNotAllowed(method: string | undefined): GatewayError {
  const message = `Client leg: method not allowed: ${String(method)}. This endpoint takes POST (transports/streamable-http, ${MODERN_VERSION}).`
  return new GatewayError(ErrorCode.Transport, message, undefined, { status: 405, headers: { allow: 'POST' } })
}

function notAcceptable(type: string): GatewayError {
  const message = `Client leg: the Accept header must list ${type}. Send "Accept: application/json, text/event-stream".`
  return new GatewayError(ErrorCode.Transport, message, undefined, { status: 406 })
}

function notFound(what: string): GatewayError {
  return new GatewayError(ErrorCode.Transport, `Client leg: ${what}.`, undefined, { status: 404 })
}

function stopping(): GatewayError {
  return new GatewayError(ErrorCode.Transport, 'Client leg: the gateway is stopping.', undefined, {
    status: 503,
    headers: { connection: 'close' },
  })
}

/** A legacy client at this modern endpoint: the error names what is served (basic/versioning). */
function legacy(message: ClientMessage, request: IncomingMessage): GatewayError {
  const requested =
    message.params.protocolVersion ?? headerValue(request.headers, 'mcp-protocol-version') ?? '2025-03-26'
  const error = unsupportedVersion(typeof requested === 'string' ? requested : String(requested))
  error.idRaw = message.idRaw
  return error
}

function eraOfHeaders(request: IncomingMessage): Era {
  return headerValue(request.headers, 'mcp-protocol-version') === MODERN_VERSION ? 'modern' : 'legacy'
}

function clientOf(meta: JsonObject): { name: string; version?: string } | undefined {
  const info = meta[META.clientInfo]
  if (!isObject(info) || typeof info.name !== 'string') return undefined
  return { name: info.name, ...(typeof info.version === 'string' ? { version: info.version } : {}) }
}

function corsHeaders(request: IncomingMessage, allowed: AllowList): Record<string, string> {
  const { origin } = request.headers
  if (origin === undefined || !allowed.origins.has(origin)) return {}
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': 'WWW-Authenticate', vary: 'Origin' }
}

function wireHeaders(request: IncomingMessage): HeaderList {
  const raw = request.rawHeaders
  const list: HeaderList = []
  for (let index = 0; index + 1 < raw.length; index += 2) list.push([raw[index] ?? '', raw[index + 1] ?? ''])
  return list
}

function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '/'
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

function endpointOf(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

function decodePath(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (error instanceof URIError) return segment
    throw error
  }
}

function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  const text = error instanceof Error ? error.message : String(error)
  return new GatewayError(
    ErrorCode.InternalError,
    `Gateway: internal error: ${text}. This is a fault of Sluice itself.`,
    undefined,
    { cause: error },
  )
}
