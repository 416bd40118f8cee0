import type { HeaderList } from '../../shared/capture/events'
import { Connection, type ResponseHandler } from './connection'
import { HttpClientError } from './http-client-error'

export interface HttpClientOptions {
  /** `http:` or `https:`, of which only the origin counts. */
  url: URL
  connectTimeoutMs: number
}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE'
  /** Path with query. */
  path: string
  /**
   * Without those that say where a message ends and a connection goes, which are the client's; `Host` may be given. A list
   * that is frozen, with its fields, is checked and put together once however often it is sent.
   */
  headers: HeaderList
  body?: string
}

/** A request under way. */
export interface HttpExchange {
  /** Reads no more from the connection until `resume()`. */
  pause(): void
  resume(): void
  /** Gives the request up: its connection closes at once, and the handler hears nothing more. */
  abort(): void
}

/** Fields of the connection and of framing (RFC 9110 7.6.1, RFC 9112 6): two words on them, and two readers could differ. */
const OWN_FIELDS = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const SWEEP_MS = 1_000
const PATH = /^\/[\x21-\x7e]*$/
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const NO_FIELD_VALUE = /[^\t\x20-\x7e\x80-\xff]/

/**
 * HTTP/1.1 requests to one origin, on connections that are kept and never shared by two requests at a time (RFC 9112 9). No
 * time-out but that for connecting: a silent tool may take as long as it likes. Every call of the gateway goes through here
 * twice, so it does what these requests need and nothing else: text out, raw parts back as they arrive.
 */
export class HttpClient {
  readonly #options: HttpClientOptions
  readonly #host: string
  /** The text of frozen lists. */
  readonly #written = new WeakMap<HeaderList, string>()
  /** The one used last comes first. */
  readonly #idle: Connection[] = []
  readonly #all = new Set<Connection>()
  #sweep: NodeJS.Timeout | undefined
  #closing = false
  #closed: (() => void) | undefined

  constructor(options: HttpClientOptions) {
    this.#options = options
    this.#host = options.url.host
  }

  send(request: HttpRequest, handler: ResponseHandler): HttpExchange {
    const exchange = new Exchange(handler)
    const head = this.#closing ? new HttpClientError('closed', 'the client was closed') : this.#head(request)
    if (typeof head === 'string') {
      const connection = this.#connection()
      exchange.connection = connection
      connection.send(head, request.body ?? '', exchange)
    } else queueMicrotask(() => exchange.failed(head))
    return exchange
  }

  #head({ method, path, headers, body }: HttpRequest): string | HttpClientError {
    if (!PATH.test(path)) return unwritable(`its path is ${JSON.stringify(path.slice(0, 100))}`)
    let fields = this.#written.get(headers)
    if (fields === undefined) {
      const problem = problemOf(headers)
      if (problem !== undefined) return problem
      fields = fieldsOf(headers, this.#host)
      if (Object.isFrozen(headers)) this.#written.set(headers, fields)
    }
    // RFC 9110 8.6: of a POST a length is expected, also of none.
    const length = body !== undefined || method === 'POST' ? `content-length: ${Buffer.byteLength(body ?? '')}\r\n` : ''
    return `${method} ${path} HTTP/1.1\r\n${fields}${length}\r\n`
  }

  /** Takes no more requests; resolves when those under way have ended. */
  close(): Promise<void> {
    this.#closing = true
    for (const connection of [...this.#all]) if (!connection.busy) connection.destroy(closed())
    if (this.#all.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const before = this.#closed
      this.#closed = () => {
        before?.()
        resolve()
      }
    })
  }

  /** As `close`, and what is under way fails. */
  destroy(): Promise<void> {
    const done = this.close()
    for (const connection of [...this.#all]) connection.destroy(closed())
    return done
  }

  #connection(): Connection {
    const now = performance.now()
    for (let kept = this.#idle.pop(); kept !== undefined; kept = this.#idle.pop()) {
      if (kept.idleUntil > now) return kept
      kept.destroy(closed())
    }
    const { url: origin, connectTimeoutMs } = this.#options
    const connection = new Connection({
      origin,
      connectTimeoutMs,
      free: (free) => this.#rest(free),
      gone: (gone) => this.#gone(gone),
    })
    this.#all.add(connection)
    return connection
  }

  /**
   * Not every server that closes after a response says so in it. Its FIN is read in the next turn of the event loop, and
   * until then the connection is not used again.
   */
  #rest(connection: Connection): void {
    setImmediate(() => setImmediate(() => this.#free(connection)))
  }

  #free(connection: Connection): void {
    if (!this.#all.has(connection)) return
    if (this.#closing) {
      connection.destroy(closed())
      return
    }
    this.#idle.push(connection)
    this.#sweep ??= setInterval(() => this.#sweepIdle(), SWEEP_MS).unref()
  }

  #gone(connection: Connection): void {
    this.#all.delete(connection)
    const at = this.#idle.indexOf(connection)
    if (at !== -1) this.#idle.splice(at, 1)
    if (this.#idle.length === 0) {
      clearInterval(this.#sweep)
      this.#sweep = undefined
    }
    if (this.#all.size === 0) this.#closed?.()
  }

  #sweepIdle(): void {
    const now = performance.now()
    for (const connection of this.#idle.filter(({ idleUntil }) => idleUntil <= now)) connection.destroy(closed())
  }
}

/** Between a connection, which goes on to other requests, and who asked for this one. */
class Exchange implements HttpExchange, ResponseHandler {
  connection: Connection | undefined
  #over = false

  constructor(readonly handler: ResponseHandler) {}

  pause(): void {
    this.connection?.pause()
  }

  resume(): void {
    this.connection?.resume()
  }

  abort(): void {
    if (this.#over) return
    this.#over = true
    this.connection?.destroy(closed())
    this.connection = undefined
  }

  head(status: number, headers: HeaderList): void {
    if (!this.#over) this.handler.head(status, headers)
  }

  data(bytes: Buffer): void {
    if (!this.#over) this.handler.data(bytes)
  }

  ended(): void {
    if (this.#finish()) return
    try {
      this.handler.ended()
    } catch (error) {
      // The connection is no longer this one's, and cannot tell it.
      this.handler.failed(error instanceof Error ? error : new Error(String(error)))
    }
  }

  failed(error: Error): void {
    if (!this.#finish()) this.handler.failed(error)
  }

  #finish(): boolean {
    const before = this.#over
    this.#over = true
    this.connection = undefined
    return before
  }
}

function fieldsOf(headers: HeaderList, host: string): string {
  let fields = ''
  let named = host
  for (const [name, value] of headers) {
    if (name.length === 4 && name.toLowerCase() === 'host') named = value
    else fields += `${name}: ${value}\r\n`
  }
  return `host: ${named}\r\nconnection: keep-alive\r\n${fields}`
}

/** What cannot be written is refused, not repaired: a line end in a value would begin a field of its own. */
function problemOf(headers: HeaderList): HttpClientError | undefined {
  for (const [name, value] of headers) {
    if (!FIELD_NAME.test(name)) return unwritable(`a header field is named ${JSON.stringify(name.slice(0, 100))}`)
    if (OWN_FIELDS.has(name.toLowerCase())) return unwritable(`${name} cannot be given, it belongs to the connection`)
    if (NO_FIELD_VALUE.test(value))
      return unwritable(`the value of ${name} has a character that no header field can have`)
  }
  return undefined
}

function unwritable(what: string): HttpClientError {
  return new HttpClientError('request', `the request cannot be sent: ${what}`)
}

function closed(): HttpClientError {
  return new HttpClientError('closed', 'the connection was closed')
}
