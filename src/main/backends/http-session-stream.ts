import type { HeaderList } from '../../shared/capture/events'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import type { Stray } from './backend'
import type { HttpResponse } from './http-response'
import type { SessionWire } from './http-session-wire'
import { kindOf, messagesIn, pongText } from './messages'
import { streamFields, type SsePiece } from './sse-splitter'
import { once } from './strays'

/** `retry: 0` is allowed, and would be a loop without a pause where a server ends its stream at once. */
const LEAST_PAUSE_MS = 200
const MOST_PAUSE_MS = 30_000

/**
 * The GET stream of a legacy session, with the messages that belong to no request (2025-11-25 basic/transports,
 * "Listening for Messages from the Server"). Taken up again when it breaks; not asked for again where there is none.
 */
export class HttpSessionStream {
  #response: HttpResponse | undefined
  #timer: NodeJS.Timeout | undefined
  #generation = 0
  #lastEventId: string | undefined
  #retryMs: number | undefined
  /** Attempts in a row that brought no message. */
  #fruitless = 0
  /** Sessions in a row that were not known when their stream was asked for. */
  #renewals = 0
  #refused = false
  #resting = false
  #closed = false

  constructor(
    readonly wire: SessionWire,
    readonly emit: (stray: Stray, message: JsonObject) => void,
  ) {}

  /** Begins, or begins anew for a session that was begun anew. */
  restart(): void {
    this.#stop()
    this.#lastEventId = undefined
    this.#fruitless = 0
    this.#open()
  }

  /** Closed until `wake()`, which goes on after the last message that came. */
  rest(): void {
    this.#resting = true
    this.#stop()
  }

  wake(): void {
    if (!this.#resting) return
    this.#resting = false
    if (!this.#refused) this.#open()
  }

  close(): void {
    this.#closed = true
    this.#stop()
  }

  #stop(): void {
    clearTimeout(this.#timer)
    const response = this.#response
    this.#response = undefined
    response?.cancel()
  }

  #open(): void {
    if (this.#closed || this.#resting) return
    this.#generation = this.wire.generation
    this.#refused = false
    const own: HeaderList = [['accept', 'text/event-stream']]
    if (this.#lastEventId !== undefined) own.push(['last-event-id', this.#lastEventId])
    const response = this.wire.http.send('GET', this.wire.headers([], own), undefined, {
      head: (status, _headers, stream) => this.#head(response, status, stream),
      piece: (piece) => {
        if (this.#response === response) this.#piece(piece)
      },
      ended: () => {
        if (this.#response === response) this.#ended()
      },
    })
    this.#response = response
  }

  #head(response: HttpResponse, status: number, stream: boolean): void {
    if (this.#response !== response) return
    if (status === 200 && stream) {
      this.#renewals = 0
      return
    }
    // 405: the server has no such stream. Other refusals may pass.
    this.#refused = status !== 409 && status !== 429 && status < 500
    if (status !== 404 || this.wire.id === undefined) return
    // Where every new session is lost at once (instances that know nothing of each other), not without a pause.
    const pause = this.#renewals === 0 ? 0 : this.wire.timing.resumeMs * 2 ** Math.min(this.#renewals, 10)
    this.#renewals++
    this.#timer = setTimeout(() => void this.#renew(), Math.min(pause, MOST_PAUSE_MS))
    this.#timer.unref()
  }

  /** 404 says that the session is gone, or, of a server that routes POST only, that there is no stream: a ping tells. */
  async #renew(): Promise<void> {
    const generation = this.#generation
    if ((await this.wire.ask('ping', {})).status !== 404 || this.#closed) return
    const problem = await this.wire.renew(generation)
    if (problem === undefined || this.#closed || generation !== this.wire.generation) return
    this.#again()
  }

  #piece(piece: SsePiece): void {
    if (piece.form === 'comment' || this.#refused) return
    if (piece.form === 'event') {
      const { id, retryMs } = streamFields(piece.raw)
      if (id !== undefined) this.#lastEventId = id
      if (retryMs !== undefined) this.#retryMs = retryMs
    }
    if (piece.data === undefined || piece.data === '') return
    const messages = messagesIn(piece.data)
    if (messages === undefined) {
      this.wire.report(`no message, on the stream of a session: ${piece.raw.slice(0, 500)}`)
      return
    }
    this.#fruitless = 0
    for (const { text, message } of messages) {
      const pong = pongText(message)
      if (pong !== undefined) void this.wire.respond(pong)
      else if (kindOf(message) === 'response')
        this.wire.report(`an answer on the stream of a session, where none may come: ${text.slice(0, 500)}`)
      else {
        const respond = once((reply) => void this.wire.respond(reply))
        const raw = messages.length === 1 ? piece.raw : text
        this.emit({ raw, data: text, ...(kindOf(message) === 'request' ? { respond } : {}) }, message)
      }
    }
  }

  #ended(): void {
    this.#response = undefined
    if (!this.#refused) this.#again()
  }

  #again(): void {
    const wanted = this.#retryMs ?? this.wire.timing.resumeMs
    const pause =
      Math.max(wanted, Math.min(LEAST_PAUSE_MS, this.wire.timing.resumeMs)) * 2 ** Math.min(this.#fruitless, 10)
    this.#fruitless++
    this.#timer = setTimeout(() => this.#open(), Math.min(pause, MOST_PAUSE_MS))
    this.#timer.unref()
  }
}
