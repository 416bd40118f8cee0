import { isUtf8 } from 'node:buffer'
import type { HeaderList, UpstreamEnded } from '../../shared/capture/events'
import { MAX_KEPT_BYTES } from '../../shared/capture/frame-bytes'
import type { HttpExchange } from '../http1/client'
import type { ResponseHandler } from '../http1/connection'
import { HttpClientError } from '../http1/http-client-error'
import { BodyBytes } from './body-bytes'
import { SseSplitter, type SsePiece } from './sse-splitter'

const BYTE_ORDER_MARK = 0xfeff

/** Hears of a response, in order: at most one head, pieces, exactly one end. */
export interface ResponseSink {
  /** `stream`: an event stream follows, of which every piece arrives at once; else one body. */
  head(status: number, headers: HeaderList, stream: boolean): void
  piece(piece: SsePiece): void
  ended(reason: UpstreamEnded['reason'], detail?: string): void
}

/**
 * Reads one HTTP response of a backend: an event stream piece by piece as it arrives, anything else as one body. Raw
 * text is kept; nothing is corrected.
 */
export class HttpResponse implements ResponseHandler {
  #exchange: HttpExchange | undefined
  #splitter: SseSplitter | undefined
  #body = new BodyBytes()
  #headSeen = false
  #over = false
  #cancelled = false

  constructor(
    readonly maxMessageBytes: number,
    readonly sink: ResponseSink,
    readonly settled: (reachable: boolean, detail?: string) => void,
  ) {}

  /** What it is the response to. */
  of(exchange: HttpExchange): void {
    this.#exchange = exchange
    if (this.#cancelled) exchange.abort()
  }

  pause(): void {
    this.#exchange?.pause()
  }

  resume(): void {
    this.#exchange?.resume()
  }

  /** Closes the connection at once, which on modern HTTP cancels the backend's work (basic/patterns/cancellation). */
  cancel(): void {
    if (this.#over) return
    this.#cancelled = true
    this.#end('cancelled')
    this.#exchange?.abort()
  }

  head(status: number, headers: HeaderList): void {
    if (this.#over) return
    this.#headSeen = true
    this.settled(true)
    const type = fieldOf(headers, 'content-type')
    const stream = type !== undefined && /^text\/event-stream\s*(;|$)/i.test(type)
    this.sink.head(status, headers, stream)
    const encoding = fieldOf(headers, 'content-encoding')
    if (encoding !== undefined && encoding !== 'identity') {
      this.#fail(`the backend answered with content-encoding "${encoding}" although only identity was accepted`)
      return
    }
    if (stream) this.#splitter = new SseSplitter(this.maxMessageBytes)
  }

  data(chunk: Buffer): void {
    if (this.#over) return
    if (this.#splitter !== undefined) {
      try {
        for (const piece of this.#splitter.push(chunk)) this.#piece(piece)
      } catch (error) {
        this.#fail(error instanceof Error ? error.message : String(error))
      }
      return
    }
    if (this.#body.length + chunk.length > this.maxMessageBytes) {
      this.#fail(`the backend's body is larger than ${this.maxMessageBytes} bytes (gateway.maxMessageBytes)`)
      return
    }
    this.#body.push(chunk)
  }

  ended(): void {
    if (this.#over) return
    if (this.#splitter === undefined) {
      const bytes = this.#body.join()
      // As clients read it: a byte order mark is no part of the text.
      const whole = bytes.toString('utf8')
      const text = whole.charCodeAt(0) === BYTE_ORDER_MARK ? whole.slice(1) : whole
      const valid = isUtf8(bytes)
      const piece: SsePiece = { form: 'body', raw: text, data: text }
      if (!valid) piece.bytes = bytes.subarray(0, MAX_KEPT_BYTES).toString('base64')
      if (bytes.length > 0) this.#piece(piece)
      this.#end('complete', valid ? undefined : 'the body is not valid UTF-8')
      return
    }
    const { pieces, unfinished } = this.#splitter.end()
    for (const piece of pieces) this.#piece(piece)
    this.#end(
      'complete',
      unfinished === undefined ? undefined : `the stream ended inside an event: ${unfinished.slice(0, 200)}`,
    )
  }

  failed(error: Error): void {
    if (this.#over) return
    const { reason, detail } = describeFailure(error, this.#headSeen)
    if (reason === 'refused') this.settled(false, detail)
    this.#end(reason, detail)
  }

  /** A sink that cancels in the middle of a chunk hears of nothing more. */
  #piece(piece: SsePiece): void {
    if (!this.#over) this.sink.piece(piece)
  }

  #fail(detail: string): void {
    this.#end('protocol', detail)
    this.#exchange?.abort()
  }

  #end(reason: UpstreamEnded['reason'], detail?: string): void {
    if (this.#over) return
    this.#over = true
    this.#body = new BodyBytes()
    this.sink.ended(reason, detail)
  }
}

interface Failure {
  reason: UpstreamEnded['reason']
  detail: string
}

/** Why an exchange failed, in words that name what to look at. */
function describeFailure(error: Error, headSeen: boolean): Failure {
  if (error instanceof HttpClientError) return describeClientError(error, headSeen)
  const code = errorCode(error)
  switch (code) {
    case 'ECONNREFUSED':
      return { reason: 'refused', detail: 'connection refused: nothing listens there' }
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { reason: 'refused', detail: `host name not found (${code})` }
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return { reason: 'refused', detail: `host not reachable (${code})` }
    case 'ETIMEDOUT':
      return { reason: headSeen ? 'lost' : 'refused', detail: 'connecting took too long' }
    case 'EPROTO':
      // The words of OpenSSL name lines of its own source.
      return {
        reason: 'lost',
        detail: 'no TLS connection (EPROTO); if it speaks plain HTTP, its URL begins with http://',
      }
    case 'ECONNRESET':
    case 'EPIPE':
      return lost(headSeen)
    default:
      return { reason: 'lost', detail: code === undefined ? error.message : `${error.message} (${code})` }
  }
}

function describeClientError({ failure, message }: HttpClientError, headSeen: boolean): Failure {
  switch (failure) {
    case 'ended':
      return lost(headSeen)
    case 'protocol':
    case 'request':
      return { reason: 'protocol', detail: message }
    case 'connect-timeout':
      return { reason: 'refused', detail: 'connecting took too long' }
    case 'closed':
      return { reason: 'lost', detail: 'the backend was taken out of the configuration, or the gateway stops' }
  }
}

function lost(headSeen: boolean): Failure {
  const detail = headSeen
    ? 'the backend closed the connection in the middle of its answer'
    : 'the backend closed the connection without an answer'
  return { reason: 'lost', detail }
}

function errorCode(error: Error): string | undefined {
  // Both addresses of a name failing arrives as an AggregateError around the single failures.
  const source: unknown = error instanceof AggregateError ? error.errors[0] : error
  const code = (source as { code?: unknown } | undefined)?.code ?? (error as { code?: unknown }).code
  return typeof code === 'string' ? code : undefined
}

/** The first field of that name, which is in lower case. */
function fieldOf(headers: HeaderList, wanted: string): string | undefined {
  for (const [name, value] of headers) if (name.length === wanted.length && name.toLowerCase() === wanted) return value
  return undefined
}
