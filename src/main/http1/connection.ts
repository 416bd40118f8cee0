import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { HeaderList } from '../../shared/capture/events'
import { HttpClientError } from './http-client-error'
import { ResponseParser } from './response-parser'

/** Hears of one response: at most one head, parts of the body, then `ended` or `failed`, once. */
export interface ResponseHandler {
  head(status: number, headers: HeaderList): void
  /** The bytes are there until this returns: what is kept of them has to be copied. */
  data(bytes: Buffer): void
  ended(): void
  /** An `HttpClientError`, or the operating system's with its `code`. */
  failed(error: Error): void
}

export interface ConnectionOptions {
  origin: URL
  connectTimeoutMs: number
  /** The response has ended, and the server keeps the connection. */
  free(connection: Connection): void
  /** The connection is gone. */
  gone(connection: Connection): void
}

const KEEP_ALIVE_PROBE_MS = 60_000
/** Shorter than usual servers wait, so that they do not close what is just used again. */
const IDLE_MS = 4_000
/** What a plain connection has read, until that is taken in: a buffer of its own for each read costs more than the copy of what is kept. */
const RECEIVED = Buffer.allocUnsafeSlow(65_536)
/** Of what a server says that it keeps a connection, less is counted on, and never more than this. */
const HINT_MARGIN_MS = 1_000
const MOST_IDLE_MS = 600_000

/** One connection to a server, for one request after the other. */
export class Connection {
  readonly #socket: Socket
  readonly #parser: ResponseParser
  readonly #options: ConnectionOptions
  #handler: ResponseHandler | undefined
  #timer: NodeJS.Timeout | undefined
  #keptMs = IDLE_MS
  /** The fields that `#keptMs` was read from: those of one head after the other are the same list mostly. */
  #hinted: HeaderList | undefined
  #closed = false
  /** Milliseconds on the clock of `performance.now()`; an idle connection is not used from then on. */
  idleUntil = 0

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#parser = new ResponseParser({
      head: (status, headers) => this.#head(status, headers),
      data: (bytes) => this.#handler?.data(bytes),
      end: (reusable) => this.#end(reusable),
    })
    this.#socket = open(options.origin, (bytes) => this.#data(bytes))
    this.#timer = setTimeout(() => {
      const detail = `no connection within ${options.connectTimeoutMs} ms`
      this.destroy(new HttpClientError('connect-timeout', detail))
    }, options.connectTimeoutMs)
    // TLS sockets do not take these as options.
    this.#socket.once('connect', () => this.#socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_PROBE_MS))
    const connected = options.origin.protocol === 'https:' ? 'secureConnect' : 'connect'
    this.#socket.once(connected, () => clearTimeout(this.#timer))
    this.#socket.on('end', () => this.#sendsNoMore())
    this.#socket.on('error', (error) => this.destroy(error))
    this.#socket.on('close', () => this.destroy(new HttpClientError('ended', 'the server closed the connection')))
  }

  /** `head`: request line and fields with the empty line after them, in latin1. */
  send(head: string, body: string, handler: ResponseHandler): void {
    this.#handler = handler
    // One string costs least; only what is ASCII is the same in both codings.
    if (body.length === 0 || Buffer.byteLength(body) === body.length) {
      this.#socket.write(head + body, 'latin1')
      return
    }
    this.#socket.cork()
    this.#socket.write(head, 'latin1')
    this.#socket.write(body, 'utf8')
    this.#socket.uncork()
  }

  /** A response is awaited, or on its way. */
  get busy(): boolean {
    return this.#handler !== undefined
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** Closes the connection. A response under way fails with `error`. */
  destroy(error: Error): void {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#timer)
    this.#socket.destroy()
    this.#options.gone(this)
    this.#fail(error)
  }

  #data(bytes: Buffer): void {
    if (this.#closed) return
    if (this.#handler === undefined) {
      // What nobody asked for would be taken for the answer to the next request.
      this.destroy(new HttpClientError('protocol', 'the server sent something before it was asked'))
      return
    }
    try {
      this.#parser.push(bytes)
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #sendsNoMore(): void {
    try {
      this.#parser.close()
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)))
      return
    }
    this.destroy(new HttpClientError('ended', 'the server closed the connection'))
  }

  #head(status: number, headers: HeaderList): void {
    if (headers !== this.#hinted) this.#keptMs = keptMs(headers)
    this.#hinted = headers
    this.#handler?.head(status, headers)
  }

  #end(reusable: boolean): void {
    const handler = this.#handler
    this.#handler = undefined
    // A server that answers before it has read the whole request is not waited for.
    const kept = reusable && this.#socket.writableLength === 0 && this.#keptMs > 0
    if (!kept) this.destroy(new HttpClientError('closed', 'the response has ended'))
    // The answer goes on before the connection is put away.
    handler?.ended()
    if (!kept || this.#closed) return
    this.idleUntil = performance.now() + this.#keptMs
    if (this.#socket.isPaused()) this.#socket.resume()
    this.#options.free(this)
  }

  #fail(error: Error): void {
    const handler = this.#handler
    this.#handler = undefined
    handler?.failed(error)
  }
}

function open(origin: URL, take: (bytes: Buffer) => void): Socket {
  const host = origin.hostname.replace(/^\[|\]$/g, '')
  if (origin.protocol !== 'https:') {
    const onread = {
      buffer: RECEIVED,
      callback: (length: number): boolean => {
        take(RECEIVED.subarray(0, length))
        return true
      },
    }
    return connect({ host, port: Number(origin.port || 80), onread })
  }
  const socket = connectTls({
    host,
    port: Number(origin.port || 443),
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 ? { servername: host } : {}),
  })
  // TLS sockets have no buffer of the caller's.
  return socket.on('data', take)
}

/** How long a connection is kept after this response, by the server's own words if it has any (`Keep-Alive`). */
function keptMs(headers: HeaderList): number {
  for (const [name, value] of headers) {
    if (name.length !== 10 || name.toLowerCase() !== 'keep-alive') continue
    const seconds = /(?:^|,)\s*timeout=(\d{1,9})/i.exec(value)?.[1]
    if (seconds !== undefined) return Math.min(MOST_IDLE_MS, Number(seconds) * 1_000 - HINT_MARGIN_MS)
  }
  return IDLE_MS
}
