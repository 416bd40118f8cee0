import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GatewayConfig } from '../../shared/config/schema'
import { ErrorCode } from '../../shared/protocol/errors'
import { MODERN_VERSION } from '../../shared/protocol/revisions'
import { acceptedForms } from './accept'
import { Call } from './call'
import { checkModernRequest, classifyEra, readMessage, type ClientMessage, type ModernRequest } from './envelope'
import { GatewayError } from './gateway-error'
import { checkHostAndOrigin, type AllowList } from './guards'
import type { IncomingRequest } from './incoming-request'
import { isSessionRequest } from './legacy/initialize'
import { asGatewayError, bodyOfError, corsHeaders, endpointOf, type Arrival, type Reception } from './reception'
import { readBody } from './request-body'

/** Who serves legacy clients: their sessions and what belongs to them. */
export interface LegacyServing {
  /** GET and DELETE of a session. */
  follow(arrival: Arrival): Promise<void>
  /** A POST within a session that is no single request; false when it is one. */
  posted(arrival: Arrival, backend: string | undefined): Promise<boolean>
  /** One request: `initialize`, or one within a session. */
  call(arrival: Arrival, message: ClientMessage, backend: string | undefined): Promise<void>
}

export interface IngressOptions {
  reception: Reception
  settings(): GatewayConfig
  allowed(): AllowList
  /** This gateway in `Via`. */
  via: string
  /** A call that went out through that backend came back. */
  looped(backend: string): void
  /** Names of the configured backends. */
  backends(): readonly string[]
  isBackend(name: string): boolean
  /** It is in the configuration, turned off. */
  isOff(name: string): boolean
  /** Serves an accepted call; `backend` is undefined on the aggregate endpoint. Rejections are answered by the ingress. */
  serve(call: Call, backend: string | undefined): Promise<void>
  legacy: LegacyServing
  /** True once the gateway stops: nothing new is accepted. */
  stopping(): boolean
}

const NOTIFICATION_ACCEPTED =
  'A notification: accepted, and not passed on. This revision defines none from client to server over HTTP.'
const ENDPOINT = /^\/mcp(?:\/([^/]+))?\/?$/

/**
 * The door of the client leg: guards, body, era and the checks before dispatch (architecture: Host and Origin, method,
 * path, Accept, Content-Type, body limit, message, era, envelope). Every request is recorded, refused ones too.
 */
export class Ingress {
  readonly #options: IngressOptions
  readonly #reception: Reception

  constructor(options: IngressOptions) {
    this.#options = options
    this.#reception = options.reception
  }

  async handle(request: IncomingRequest, response: ServerResponse): Promise<void> {
    const arrival: Arrival = { request, response, path: pathOf(request), body: '' }
    try {
      checkHostAndOrigin(request, this.#options.allowed())
      if (this.#preflight(request, response)) return
      const ofSession = request.method !== 'POST' && isSessionRequest(request)
      if (request.method !== 'POST' && !ofSession) throw methodNotAllowed(request.method)
      const backend = this.#backendOf(arrival.path)
      this.#checkLoop(request)
      if (this.#options.stopping()) throw stopping()
      if (ofSession) {
        await this.#options.legacy.follow(arrival)
        return
      }
      this.#checkAccept(request)
      checkContentType(request)
      await new Promise<void>((resolve, reject) => {
        readBody(request, this.#options.settings().maxBodyBytes, (body) => {
          if (typeof body === 'string') this.#posted(arrival, body, backend).then(resolve, reject)
          else if (body === undefined) resolve()
          else reject(body)
        })
      })
    } catch (error) {
      this.#reception.refuse(arrival, error)
    }
  }

  /** Up to the backend without an `await` where nothing has to be waited for, since each puts the call off. */
  async #posted(arrival: Arrival, body: string, backend: string | undefined): Promise<void> {
    const { request } = arrival
    arrival.body = body
    // Batches and responses exist in legacy sessions only.
    if (isSessionRequest(request) && (await this.#options.legacy.posted(arrival, backend))) return
    const message = readMessage(body)
    arrival.message = message
    if (message.idRaw === undefined) {
      this.#reception.accept(arrival, NOTIFICATION_ACCEPTED)
      return
    }
    if (classifyEra(message, request.headers) === 'legacy') {
      await this.#options.legacy.call(arrival, message, backend)
      return
    }
    const checked = checkModernRequest(message, request.headers)
    if (checked.method === 'subscriptions/listen' && !acceptedForms(request.headers.accept).sse)
      throw notAcceptable('text/event-stream')
    arrival.message = checked
    await this.#serve(arrival, checked, backend)
  }

  async #serve(arrival: Arrival, message: ModernRequest, backend: string | undefined): Promise<void> {
    const { request, path } = arrival
    const { number, seq } = this.#reception.receive(arrival)
    const stream = this.#reception.stream(arrival, number)
    const call = new Call(number, seq, endpointOf(path), message, request.headers, stream, this.#reception.tap)
    try {
      const served = this.#options.serve(call, backend)
      // Most requests are on their way by now, and need not wait for this.
      stream.openWindow()
      await served
    } catch (error) {
      const raised = asGatewayError(error)
      call.fail(bodyOfError(raised), raised.status)
    }
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
    const decoded = decodePath(name)
    if (!this.#options.isBackend(decoded)) {
      if (this.#options.isOff(decoded))
        throw notFound(
          `the backend ${JSON.stringify(decoded)} is turned off in the configuration of this gateway. Turn it on in the desk, or take "disabled" out of its entry`,
        )
      const known = this.#options.backends().join(', ')
      throw notFound(`no backend is named ${JSON.stringify(decoded.slice(0, 200))}. Configured: ${known || 'none'}`)
    }
    return decoded
  }

  /** A backend that leads back here, by its URL or by a `sluice connect` that it starts, would call itself without end. */
  #checkLoop(request: IncomingMessage): void {
    const { via } = this.#options
    const seen = String(request.headers.via ?? '')
    const at = seen.indexOf(via)
    if (at === -1) return
    const backend = /^ \(([^)]*)\)/.exec(seen.slice(at + via.length))?.[1] ?? ''
    this.#options.looped(backend)
    throw new GatewayError(
      ErrorCode.InternalError,
      `Client leg: backend "${backend}" leads back to this gateway, by its url or as a "sluice connect", so the call would go round for ever. Correct or remove it in the configuration.`,
      { backend, reason: 'loop' },
      // Loop Detected (RFC 5842): no answer that says anything of the era of whoever asks.
      { status: 508 },
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

function decodePath(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (error instanceof URIError) return segment
    throw error
  }
}

function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '/'
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}
