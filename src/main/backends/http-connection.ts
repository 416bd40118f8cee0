import type { HeaderList } from '../../shared/capture/events'
import { HttpClient, type HttpRequest } from '../http1/client'
import { HttpResponse, type ResponseSink } from './http-response'
import { isProtocolHeader } from './protocol-headers'

export interface HttpConnectionOptions {
  url: string
  /** The fields that configuration adds to every request. */
  headers: Readonly<Record<string, string>>
  maxMessageBytes: number
  version: string
  /** This backend's entry in `Via` (RFC 9110 7.6.3), by which the gateway knows calls that a configuration sends back to it. */
  via: string
  /** Hears of every answer, and of every connection that could not be made. */
  settled(reachable: boolean, detail?: string): void
}

const CONNECT_TIMEOUT_MS = 5_000
/** How many tools are called in turn, and how long their names are, is not for us to say. */
const MAX_USUAL = 256
const MAX_USUAL_KEY = 256

/** Requests to one HTTP server, raw bytes both ways, no time-out on silent tools. */
export class HttpConnection {
  readonly url: string
  readonly #origin: string
  readonly #path: string
  readonly #client: HttpClient
  readonly #options: HttpConnectionOptions
  readonly #ownHeaders: HeaderList
  readonly #userAgent: string
  readonly #usual = new Map<string, HeaderList>()

  constructor(options: HttpConnectionOptions) {
    const url = new URL(options.url)
    this.url = options.url
    this.#origin = url.origin
    this.#path = url.pathname + url.search
    this.#options = options
    this.#client = new HttpClient({ url, connectTimeoutMs: CONNECT_TIMEOUT_MS })
    this.#userAgent = `sluice/${options.version}`
    this.#ownHeaders = Object.entries(options.headers).filter(([name]) => !isProtocolHeader(name))
  }

  /** The fields of a request: what the method needs, what the caller passes, what configuration adds. */
  headers(own: HeaderList, passed: HeaderList): HeaderList {
    let { via } = this.#options
    const list: HeaderList = [
      // Compressed bytes could not be shown as they crossed the wire, and would delay small frames.
      ['accept-encoding', 'identity'],
      ['user-agent', this.#userAgent],
    ]
    for (const field of own) list.push(field)
    for (const field of passed) {
      if (field[0] === 'via') via = `${field[1]}, ${via}`
      else list.push(field)
    }
    for (const field of this.#ownHeaders) list.push(field)
    list.push(['via', via])
    return list
  }

  /** The fields of requests that are alike, by a key for them: made once, and frozen. */
  usualHeaders(key: string, make: () => HeaderList): HeaderList {
    const known = this.#usual.get(key)
    if (known !== undefined) return known
    const headers = make()
    if (key.length > MAX_USUAL_KEY) return headers
    if (this.#usual.size >= MAX_USUAL) this.#usual.clear()
    headers.forEach(Object.freeze)
    Object.freeze(headers)
    this.#usual.set(key, headers)
    return headers
  }

  /** `path` with query, on the same origin; the connection's own unless given. */
  send(
    method: 'GET' | 'POST' | 'DELETE',
    headers: HeaderList,
    body: string | undefined,
    sink: ResponseSink,
    path = this.#path,
  ): HttpResponse {
    const { maxMessageBytes, settled } = this.#options
    const response = new HttpResponse(maxMessageBytes, sink, settled)
    const request: HttpRequest = { method, path, headers }
    if (body !== undefined) request.body = body
    response.of(this.#client.send(request, response))
    return response
  }

  /** `reference` as an absolute URL, or undefined when it leads to another origin, which must not get our requests. */
  resolve(reference: string): URL | undefined {
    if (!URL.canParse(reference, this.url)) return undefined
    const url = new URL(reference, this.url)
    return url.origin === this.#origin ? url : undefined
  }

  /** Resolves when everything under way has ended. */
  close(): Promise<void> {
    return this.#client.close()
  }

  destroy(): Promise<void> {
    return this.#client.destroy()
  }
}
