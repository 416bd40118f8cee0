import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CallReceived, HeaderList } from '../../shared/capture/events'
import type { GatewayConfig } from '../../shared/config/schema'
import { ErrorCode } from '../../shared/protocol/errors'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'
import { META } from '../../shared/protocol/meta'
import { MODERN_VERSION, type Era } from '../../shared/protocol/revisions'
import type { Tap } from '../capture/tap'
import { classifyEra, headerValue, type ClientMessage, type ModernRequest } from './envelope'
import { errorResponseText, GatewayError } from './gateway-error'
import type { AllowList } from './guards'
import { ResponseStream, type ResponseOptions } from './response-stream'

/** One HTTP request of a client as far as it was read. */
export interface Arrival {
  request: IncomingMessage
  response: ServerResponse
  /** Path without query. */
  path: string
  body: string
  message?: ClientMessage | ModernRequest
  era?: Era
  /** What the session of a legacy client says of it. */
  clientInfo?: JsonObject
}

export interface ReceptionOptions {
  tap: Tap
  settings(): GatewayConfig
  allowed(): AllowList
}

/** Turns requests into recorded calls: gives them a number, writes `call.received`, and opens their response. */
export class Reception {
  readonly tap: Tap
  readonly #options: ReceptionOptions

  constructor(options: ReceptionOptions) {
    this.tap = options.tap
    this.#options = options
  }

  /** Records the arrival as a call. */
  receive(arrival: Arrival): { number: number; seq: number } {
    const number = this.tap.nextCall()
    return { number, seq: this.tap.record(this.#received(number, arrival)) }
  }

  /** The response of a recorded call. */
  stream({ request, response, message }: Arrival, call: number, kept?: ResponseOptions['kept']): ResponseStream {
    const { responseMode, deferralWindowMs, pingIntervalMs } = this.#options.settings()
    const headers = corsHeaders(request, this.#options.allowed())
    // A subscription is nothing but its stream, in every mode (basic/patterns/subscriptions).
    const mode = responseMode === 'json' && message?.method === 'subscriptions/listen' ? 'auto' : responseMode
    const options = { call, mode, deferralWindowMs, pingIntervalMs, headers, ...(kept === undefined ? {} : { kept }) }
    return new ResponseStream(response, options, this.tap)
  }

  /** Records a request that is not served, and answers it with the error. */
  refuse(arrival: Arrival, error: unknown): void {
    const raised = asGatewayError(error)
    const { number } = this.receive(arrival)
    const text = errorResponseText(arrival.message?.idRaw ?? raised.idRaw, bodyOfError(raised))
    const last = raised.headers.connection === 'close' ? arrival.request : undefined
    this.stream(arrival, number).finish({ text, edits: [] }, 'error', raised.status, raised.headers, last)
    const { code, message } = raised
    this.tap.record({ kind: 'call.ended', call: number, outcome: 'error', by: 'gateway', error: { code, message } })
  }

  /** Records a notification (or a posted response), and answers 202. */
  accept(arrival: Arrival, detail: string): void {
    const { number } = this.receive(arrival)
    this.stream(arrival, number).accept(202)
    this.tap.record({ kind: 'call.ended', call: number, outcome: 'result', by: 'gateway', detail })
  }

  #received(
    call: number,
    { request, path, body, message, era, clientInfo }: Arrival,
  ): Omit<CallReceived, 'seq' | 'at'> {
    const { responseMode, deferralWindowMs, pingIntervalMs } = this.#options.settings()
    const event: Omit<CallReceived, 'seq' | 'at'> = {
      kind: 'call.received',
      call,
      endpoint: endpointOf(path),
      era: era ?? (message === undefined ? eraOfHeaders(request) : classifyEra(message, request.headers)),
      http: { method: request.method ?? '', path: request.url ?? path, headers: wireHeaders(request) },
      body,
      deferralWindowMs,
      pingIntervalMs,
      responseMode,
    }
    const client = clientOf(clientInfo ?? message?.meta[META.clientInfo])
    if (client !== undefined) event.client = client
    if (message === undefined) return event
    if (message.id !== undefined) event.id = message.id
    event.method = message.method
    const target = 'target' in message ? message.target : (message.params.name ?? message.params.uri)
    if (typeof target === 'string') event.name = target
    const token = message.meta.progressToken
    if (typeof token === 'string' || typeof token === 'number') event.progressToken = token
    const level = message.meta[META.logLevel]
    if (typeof level === 'string') event.logLevel = level
    return event
  }
}

function eraOfHeaders(request: IncomingMessage): Era {
  return headerValue(request.headers, 'mcp-protocol-version') === MODERN_VERSION ? 'modern' : 'legacy'
}

function clientOf(info: JsonValue | undefined): { name: string; version?: string } | undefined {
  if (!isObject(info) || typeof info.name !== 'string') return undefined
  return { name: info.name, ...(typeof info.version === 'string' ? { version: info.version } : {}) }
}

/** Fields that let pages of allowed origins read the response. */
export function corsHeaders(request: IncomingMessage, allowed: AllowList): Record<string, string> {
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

/** The endpoint as it is named everywhere: without a closing slash. */
export function endpointOf(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

export function bodyOfError({ code, message, data }: GatewayError): {
  code: number
  message: string
  data?: JsonValue
} {
  return { code, message, ...(data === undefined ? {} : { data }) }
}

/** What went wrong, as the error that the client gets. */
export function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  const text = error instanceof Error ? error.message : String(error)
  return new GatewayError(
    ErrorCode.InternalError,
    `Gateway: internal error: ${text}. This is a fault of Sluice itself.`,
    undefined,
    { cause: error },
  )
}
