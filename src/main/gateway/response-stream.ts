import type { IncomingMessage, ServerResponse } from 'node:http'
import type {
  BodyReference,
  CommitCause,
  CommitForm,
  Edit,
  ResponseFrame,
  Unstamped,
} from '../../shared/capture/events'
import type { Tap } from '../capture/tap'
import { afterRequest } from './after-request'
import { Departure } from './departure'
import type { EventStore } from './legacy/event-store'

/** A message for the client: its JSON text, and how it came to be. */
export interface ClientFrame {
  text: string
  edits: Edit[]
  /** The upstream frame that it carries on. */
  from?: number
  /** Set when `text` is the raw text of `from` but for the edits, and too large to be recorded twice. */
  rawFrom?: BodyReference
}

export interface ResponseOptions {
  call: number
  mode: 'auto' | 'json' | 'sse'
  deferralWindowMs: number
  pingIntervalMs: number
  /** Header fields of every response of this call (CORS). */
  headers: Record<string, string>
  /**
   * Of a legacy client: its session keeps the events of the stream for resumption, a lost connection is no cancellation
   * (2025-11-25 basic/transports), and errors are answered at status 200, since its SDK reads them only there.
   */
  kept?: {
    store: EventStore
    stream: string
    /** The revision opens streams with an empty event that carries an id. */ primed: boolean
  }
}

/** Before a legacy client takes a broken stream up again (2025-11-25 basic/transports, "retry"). */
const RESUME_AFTER_MS = 1_000
const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const

/**
 * The answer to one call, committed to JSON or to an event stream as late as possible (transports/streamable-http
 * "Receiving messages"):
 *
 * | what happens first              | what is written                                             |
 * |---------------------------------|-------------------------------------------------------------|
 * | `finish` before anything else   | `application/json` with the given status                     |
 * | `notify`                        | 200 `text/event-stream`, that notification as first frame    |
 * | the deferral window ends        | 200 `text/event-stream` and a first ping                     |
 * | the client goes away            | nothing; `gone` aborts                                       |
 *
 * After an SSE commit a ping follows whenever `pingIntervalMs` passed without a frame. Never `id:` or `retry:` for a modern
 * client; for a legacy one (`kept`) every event has an id, and `finish` and `notify` go on after the connection was lost.
 */
export class ResponseStream {
  readonly #response: ServerResponse
  readonly #options: ResponseOptions
  readonly #tap: Tap
  /** Aborts when the client goes away before the answer was complete. */
  readonly gone = new Departure()
  #form: CommitForm | undefined
  #finished = false
  /** The connection is gone, and what follows is only kept. */
  #detached = false
  #timer: NodeJS.Timeout | undefined

  constructor(response: ServerResponse, options: ResponseOptions, tap: Tap) {
    this.#response = response
    this.#options = options
    this.#tap = tap
    response.on('close', () => this.#closed())
    // A reset while a frame is written surfaces as an error event; `close` follows and does the work.
    response.on('error', () => this.#closed())
  }

  /** Resolves when the last byte was handed to the connection, or the connection is gone. */
  get flushed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#response.writableFinished || this.#response.destroyed) resolve()
      this.#response.once('finish', () => resolve())
      this.#response.once('close', () => resolve())
    })
  }

  get mode(): ResponseOptions['mode'] {
    return this.#options.mode
  }

  /** Aborts `gone` although the client is still there. */
  abandon(): void {
    this.gone.abort()
  }

  /** Opens the deferral window, unless the answer has begun. */
  openWindow(): void {
    const { mode, deferralWindowMs } = this.#options
    if (mode !== 'auto' || this.#form !== undefined || this.#finished || this.gone.aborted) return
    this.#timer = setTimeout(() => this.#windowEnded(), deferralWindowMs)
  }

  /** The checks before dispatch have passed: in mode `sse` the stream starts here. */
  dispatching(): void {
    if (this.#options.mode === 'sse' && this.#form === undefined && !this.gone.aborted) this.#commitStream('mode')
  }

  /** Sends a notification, committing to SSE if need be. Resolves when the client can take more. */
  notify(frame: ClientFrame): Promise<void> | undefined {
    if (this.#finished || this.gone.aborted) return undefined
    if (this.#form === undefined) this.#commitStream('notification')
    return this.#writeFrame(frame, 'notification')
  }

  /** Sends a request to a legacy client on this call's stream. */
  request(frame: ClientFrame): Promise<void> | undefined {
    if (this.#finished || this.gone.aborted) return undefined
    if (this.#form === undefined) this.#commitStream('notification')
    return this.#writeFrame(frame, 'request')
  }

  /** A legacy client cancelled the request: the connection ends without a response (2025-11-25 basic/utilities/cancellation). */
  withdraw(): void {
    if (this.#finished) return
    clearTimeout(this.#timer)
    if (this.#form === undefined) this.#commit('sse', 200, 'mode', { ...SSE_HEADERS, ...this.#options.headers })
    this.#finished = true
    this.#response.end()
    this.abandon()
  }

  /**
   * Sends the terminal response: as JSON with `status` when nothing was committed yet, else as the stream's last frame.
   * `last`: the request, when the connection closes after this answer to it.
   */
  finish(
    frame: ClientFrame,
    message: 'result' | 'error',
    status: number,
    headers: Record<string, string> = {},
    last?: IncomingMessage,
  ): void {
    if (this.#finished || this.gone.aborted) return
    this.#finished = true
    if (this.#form === 'sse' || this.#detached) {
      clearTimeout(this.#timer)
      void this.#writeFrame(frame, message)
      this.#response.end()
      return
    }
    const code = this.#options.kept === undefined ? status : 200
    const fields: Record<string, string> = { 'content-type': 'application/json' }
    Object.assign(fields, this.#options.headers, headers)
    const { text } = frame
    const bytes = Buffer.byteLength(text)
    fields['content-length'] = String(bytes)
    // Sent before it is recorded: the client need not wait for that.
    this.#form = 'json'
    this.#response.writeHead(code, fields)
    // Only what is ASCII is the same in both codings, and costs less in this one.
    const coding = bytes === text.length ? 'latin1' : 'utf8'
    if (last === undefined) this.#response.end(text, coding)
    else {
      this.#response.write(text, coding)
      afterRequest(last, () => this.#response.end())
    }
    clearTimeout(this.#timer)
    this.#recordCommit('json', code, message, fields)
    this.#record(frame, 'body', message)
  }

  /** Ends a request that gets no JSON-RPC response: 202 for a notification (transports "Sending messages"). */
  accept(status: number): void {
    this.#commit('json', status, 'result', { ...this.#options.headers, 'content-length': '0' })
    this.#finished = true
    this.#response.end()
  }

  #commitStream(cause: CommitCause): void {
    clearTimeout(this.#timer)
    if (this.#detached) return
    this.#commit('sse', 200, cause, { ...SSE_HEADERS, ...this.#options.headers })
    const { kept } = this.#options
    if (kept?.primed === true) {
      const { id } = kept.store.append(kept.stream, '')
      this.#response.write(`id: ${id}\nretry: ${RESUME_AFTER_MS}\ndata: \n\n`)
    }
    this.#schedulePing()
  }

  #commit(form: CommitForm, status: number, cause: CommitCause, headers: Record<string, string>): void {
    this.#form = form
    this.#response.writeHead(status, headers)
    this.#recordCommit(form, status, cause, headers)
  }

  #recordCommit(form: CommitForm, status: number, cause: CommitCause, headers: Record<string, string>): void {
    const { call } = this.#options
    this.#tap.record({ kind: 'response.committed', call, form, status, cause, headers: Object.entries(headers) })
  }

  #windowEnded(): void {
    this.#commitStream('window')
    this.#ping()
  }

  #schedulePing(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#ping(), this.#options.pingIntervalMs)
  }

  #ping(): void {
    // A client that does not read gains nothing from pings, and they would pile up.
    if (!this.#response.writableNeedDrain) {
      this.#response.write(': ping\n\n')
      this.#tap.record({ kind: 'response.ping', call: this.#options.call })
    }
    this.#schedulePing()
  }

  #writeFrame(frame: ClientFrame, message: ResponseFrame['message']): Promise<void> | undefined {
    const { kept } = this.#options
    const id = kept?.store.append(kept.stream, frame.text, this.#finished).id
    this.#record(frame, 'event', message)
    if (this.#detached) return undefined
    const more = this.#response.write(eventText(frame.text, id))
    if (!this.#finished) this.#schedulePing()
    return more ? undefined : this.#drained()
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#response.off('drain', done)
        this.#response.off('close', done)
        resolve()
      }
      this.#response.on('drain', done)
      this.#response.on('close', done)
    })
  }

  #record(frame: ClientFrame, form: 'event' | 'body', message: ResponseFrame['message']): void {
    const { call } = this.#options
    const event: Unstamped<ResponseFrame> = { kind: 'response.frame', call, form, message, edits: frame.edits }
    if (frame.rawFrom === undefined) event.raw = frame.text
    else event.rawFrom = frame.rawFrom
    if (frame.from !== undefined) event.from = frame.from
    if (this.#detached) event.kept = true
    this.#tap.record(event)
  }

  #closed(): void {
    clearTimeout(this.#timer)
    if (this.#finished) return
    if (this.#options.kept === undefined) this.abandon()
    else this.#detached = true
  }
}

/** SSE framing. A line end inside the JSON text (white space there) needs a data line of its own. */
function eventText(text: string, id?: string): string {
  const data = text.includes('\n') || text.includes('\r') ? text.replace(/\r\n|\r|\n/g, '\ndata: ') : text
  return `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${data}\n\n`
}
