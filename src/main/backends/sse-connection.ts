import type { HeaderList } from '../../shared/capture/events'
import { SessionError, type SessionOpening } from './backend'
import type { BackendTiming } from './backend-options'
import { ChannelSession } from './channel-session'
import type { HttpConnection } from './http-connection'
import { postParts } from './http-post'
import type { HttpResponse } from './http-response'
import { MessageChannel } from './message-channel'
import { negotiate } from './negotiation'
import { messagesIn } from './messages'
import { fieldOf } from './own-question'
import { sessionHeaders } from './session-headers'
import { eventType, type SsePiece } from './sse-splitter'

export interface SseConnectionOptions {
  http: HttpConnection
  opening: SessionOpening
  /** See `LegacySession`. */
  exclusive: boolean
  timing: BackendTiming
  version: string
  maxMessageBytes: number
  noise(text: string): void
  /** It is silent though calls wait, in words that follow "it"; undefined when it speaks again. */
  silence(reason: string | undefined): void
  /** Once, when the connection has ended, asked or not. */
  onEnd(session: ChannelSession | undefined): void
}

/**
 * One connection of HTTP+SSE (2024-11-05 basic/transports): everything that the server says comes on one event stream,
 * whose first event says where to post what the client says.
 */
export class SseConnection {
  readonly #options: SseConnectionOptions
  readonly #passed: HeaderList
  readonly #channel: MessageChannel
  readonly #stream: HttpResponse
  readonly #posts = new AbortController()
  readonly #endpoint: Promise<URL>
  #found: (endpoint: URL) => void = () => undefined
  #refused: (error: SessionError) => void = () => undefined
  #target: URL | undefined
  #session: ChannelSession | undefined
  #over = false
  /** It answers where it should not; said once. */
  #misplaced = false

  /** Opens a connection and initializes it. Rejects with `SessionError`. */
  static async begin(options: SseConnectionOptions): Promise<ChannelSession> {
    const connection = new SseConnection(options)
    try {
      return await connection.#initialize()
    } catch (error) {
      connection.#end('it could not be initialized')
      throw error
    }
  }

  private constructor(options: SseConnectionOptions) {
    this.#options = options
    const { http, opening, maxMessageBytes, version, timing, noise } = options
    this.#passed = sessionHeaders(opening.headers)
    this.#endpoint = new Promise((resolve, reject) => {
      this.#found = resolve
      this.#refused = reject
    })
    this.#channel = new MessageChannel({
      send: (text) => this.#post(text),
      form: 'event',
      maxMessageBytes,
      version,
      noise,
      silence: { quietMs: timing.quietMs, answerMs: timing.discoverMs, changed: options.silence },
    })
    const headers = http.headers([['accept', 'text/event-stream']], this.#passed)
    this.#stream = http.send('GET', headers, undefined, {
      head: (status, fields, stream) => this.#head(status, fields, stream),
      piece: (piece) => this.#piece(piece),
      ended: (reason, detail = 'the backend closed its event stream') => {
        this.#refused(new SessionError(reason === 'complete' ? 'protocol' : reason, detail))
        this.#end(detail)
      },
    })
  }

  async #initialize(): Promise<ChannelSession> {
    const { opening, timing, version, exclusive } = this.#options
    const limit = setTimeout(() => {
      this.#refused(new SessionError('timeout', `no "endpoint" event within ${timing.discoverMs / 1000} s`))
    }, timing.discoverMs)
    const endpoint = await this.#endpoint.finally(() => clearTimeout(limit))
    this.#target = endpoint
    const sent = { kind: 'sent' as const, method: 'POST', url: endpoint.href, headers: this.#postHeaders() }
    const channel = this.#channel
    const negotiated = await negotiate({
      channel,
      opening,
      timing,
      version,
      sent,
      pinned: 'legacy',
      expected: undefined,
    })
    if (negotiated.kind !== 'legacy')
      throw new SessionError('protocol', negotiated.kind === 'failed' ? negotiated.reason : 'it refuses initialize')
    const session = new ChannelSession({
      channel,
      connection: Symbol('HTTP+SSE connection'),
      exclusive,
      capabilities: exclusive ? opening.capabilities : undefined,
      initialized: negotiated.initialized,
      sent: () => sent,
      ended: () => {
        this.#end('the session was closed')
        return Promise.resolve()
      },
    })
    this.#session = session
    if (this.#over) session.lost('the backend closed its event stream')
    return session
  }

  #head(status: number, headers: HeaderList, stream: boolean): void {
    if (status === 200 && stream) return
    const type = fieldOf(headers, 'content-type') ?? 'no content-type'
    const detail = `it answers the GET of its event stream with HTTP ${status}, ${type}`
    this.#refused(new SessionError('protocol', detail, status, fieldOf(headers, 'www-authenticate')))
  }

  #piece({ form, raw, ...piece }: SsePiece): void {
    if (form === 'comment') return
    const data = 'data' in piece ? piece.data : undefined
    if (data === undefined || data === '') return
    const type = form === 'event' ? eventType(raw) : 'message'
    if (type === 'endpoint') this.#locate(data)
    else if (type === 'message') this.#channel.receive(raw, data)
    else this.#options.noise(`an event of the type ${type.slice(0, 100)}: ${data.slice(0, 500)}`)
  }

  /** Another origin must not get what clients say, credentials and all. */
  #locate(reference: string): void {
    const endpoint = this.#options.http.resolve(reference.trim())
    if (endpoint !== undefined) this.#found(endpoint)
    else
      this.#refused(
        new SessionError('protocol', `its "endpoint" event names no URL of its own origin: ${reference.slice(0, 200)}`),
      )
  }

  async #post(text: string): Promise<void> {
    const parts = postParts(this.#options.http, {
      url: this.#target,
      headers: this.#postHeaders(),
      body: text,
      signal: this.#posts.signal,
    })
    let status = 0
    let failure: string | undefined
    for await (const part of parts) {
      if (part.kind === 'head') status = part.status
      else if (part.kind === 'frame' && part.data !== undefined) this.#answeredThere(part.raw, part.data, status)
      else if (part.kind === 'ended' && part.reason !== 'complete') failure = part.detail ?? part.reason
    }
    if (this.#over) return
    if (failure !== undefined) throw new Error(failure)
    if (status >= 300) throw new Error(`the backend answers the POST of a message with HTTP ${status}`)
  }

  /** What is said on the answer to a POST belongs onto the event stream; it is taken as if it had come there. */
  #answeredThere(raw: string, data: string, status: number): void {
    // "Accepted", as the SDK's servers say, is no message.
    if (this.#over || status >= 300 || messagesIn(data) === undefined) return
    if (!this.#misplaced)
      this.#options.noise(
        'it answers in the body of a POST, where HTTP+SSE has nothing: taken as if it came on its stream',
      )
    this.#misplaced = true
    this.#channel.receive(raw, data)
  }

  #postHeaders(): HeaderList {
    return this.#options.http.headers([['content-type', 'application/json']], this.#passed)
  }

  #end(reason: string): void {
    if (this.#over) return
    this.#over = true
    this.#channel.close('lost', reason)
    this.#posts.abort()
    this.#stream?.cancel()
    this.#session?.lost(reason)
    this.#options.onEnd(this.#session)
  }
}
