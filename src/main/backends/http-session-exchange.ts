import type { HeaderList, UpstreamEnded } from '../../shared/capture/events'
import type { UpstreamRequest } from './backend'
import { isModernCode, saysSessionUnknown } from './era'
import type { HttpResponse } from './http-response'
import type { SessionWire } from './http-session-wire'
import { answers, cancelledText, errorOf, cancelReason, kindOf, messagesIn, pongText } from './messages'
import { PartQueue } from './part-queue'
import { streamFields, type SsePiece } from './sse-splitter'
import { once } from './strays'
import type { CancelSignal } from './cancel-signal'

const MAX_FAILED_RESUMPTIONS = 5
const LEAST_PAUSE_MS = 50
const MOST_PAUSE_MS = 60_000
/** A cancellation notice must have left before its stream is closed, but not hold it open. */
const NOTICE_MS = 1_000

/**
 * One exchange of a legacy Streamable HTTP session: a POST; once more when the session was not known; and GETs that go on
 * with its stream where it broke or the server closed it early (2025-11-25 basic/transports, "Resumability").
 */
export class HttpSessionExchange {
  readonly parts: PartQueue
  #response: HttpResponse | undefined
  #generation = 0
  #status = 0
  #repeated = false
  #resumed = false
  #sessionUnknown = false
  #modernError = false
  #answered = false
  #taken = false
  #over = false
  #lastEventId: string | undefined
  #retryMs: number | undefined
  #failedResumptions = 0
  #pause: NodeJS.Timeout | undefined

  constructor(
    readonly wire: SessionWire,
    readonly request: UpstreamRequest,
    readonly signal: CancelSignal,
    /** `taken`: the server answered with a result. */
    readonly done: (taken: boolean) => void,
  ) {
    this.parts = new PartQueue({
      pause: () => this.#response?.pause(),
      resume: () => this.#response?.resume(),
      abandon: () => this.#cancel(),
    })
  }

  start(): void {
    if (this.signal.aborted) {
      this.#end('cancelled', 'cancelled before it was sent')
      return
    }
    this.signal.addEventListener('abort', this.#onAbort, { once: true })
    this.#post()
  }

  /** The session is closed. */
  close(detail: string): void {
    this.#end('lost', detail)
    this.#response?.cancel()
  }

  readonly #onAbort = (): void => this.#cancel()

  #post(again?: 'repeat'): void {
    const headers = this.wire.headers(this.request.headers, POST_FIELDS)
    this.#generation = this.wire.generation
    this.#sessionUnknown = false
    this.#sent('POST', headers, again)
    this.#dispatch('POST', headers, this.request.body)
  }

  #resume(): void {
    if (this.#over || this.#lastEventId === undefined) return
    if (this.wire.generation !== this.#generation) {
      this.#end('lost', 'its stream broke, and the session that it belonged to is gone')
      return
    }
    const headers = this.wire.headers(this.request.headers, [
      ['accept', 'text/event-stream'],
      ['last-event-id', this.#lastEventId],
    ])
    this.#sent('GET', headers, 'resume')
    this.#dispatch('GET', headers, undefined)
  }

  #sent(method: string, headers: HeaderList, again: 'repeat' | 'resume' | undefined): void {
    const { url } = this.wire.http
    this.parts.push({ kind: 'sent', method, url, headers, ...(again === undefined ? {} : { again }) })
  }

  #dispatch(method: 'POST' | 'GET', headers: HeaderList, body: string | undefined): void {
    this.#status = 0
    this.#resumed = method === 'GET'
    this.#response = this.wire.http.send(method, headers, body, {
      head: (status, fields, stream) => this.#head(method, status, fields, stream),
      piece: (piece) => this.#piece(piece),
      ended: (reason, detail) => this.#ended(reason, detail),
    })
  }

  #head(method: string, status: number, headers: HeaderList, stream: boolean): void {
    this.#status = status
    this.parts.push({ kind: 'head', status, headers })
    if (method === 'GET' && (status !== 200 || !stream)) {
      this.#lastEventId = undefined
      this.#end('lost', `its stream broke, and the backend does not resume it (HTTP ${status})`)
      this.#response?.cancel()
      return
    }
    if (status === 200) this.#failedResumptions = 0
    if (status === 404 && this.wire.id !== undefined) this.#sessionUnknown = true
  }

  #piece(piece: SsePiece): void {
    if (piece.form === 'event') {
      const { id, retryMs } = streamFields(piece.raw)
      if (id !== undefined) this.#lastEventId = id
      if (retryMs !== undefined) this.#retryMs = retryMs
    }
    if (piece.form === 'comment' || piece.data === undefined || piece.data === '') {
      this.parts.push({ kind: 'frame', ...piece })
      return
    }
    if (this.#status >= 400 && this.wire.id !== undefined) {
      this.#sessionUnknown = saysSessionUnknown(this.#status, piece.data)
      if (this.#sessionUnknown && !this.#repeated) {
        const { form, raw } = piece
        this.parts.push({ kind: 'frame', form, raw, ...bytesOf(piece) })
        return
      }
    }
    this.#messages(piece, piece.data)
  }

  #messages(piece: Exclude<SsePiece, { form: 'comment' }>, data: string): void {
    const { form, raw } = piece
    const bytes = bytesOf(piece)
    const messages = messagesIn(data)
    if (messages === undefined) {
      this.parts.push({ kind: 'frame', form, raw, data, ...bytes })
      return
    }
    const batch = messages.length > 1 || messages[0]?.text !== data
    if (batch) this.parts.push({ kind: 'frame', form, raw, ...bytes })
    for (const { text, message } of messages) {
      const frame = { kind: 'frame' as const, form, ...(batch ? { raw: text } : { raw, ...bytes }) }
      const kind = kindOf(message)
      if (kind === 'request') {
        const pong = pongText(message)
        if (pong === undefined)
          this.parts.push({ ...frame, data: text, respond: once((reply) => void this.wire.respond(reply)) })
        else {
          this.parts.push(frame)
          void this.wire.respond(pong)
        }
        continue
      }
      if (answers(message, this.request.id)) {
        this.#answered = true
        this.#taken = errorOf(message) === undefined
      }
      if (kind === 'response' && isModernCode(errorOf(message)?.code)) this.#modernError = true
      this.parts.push({ ...frame, data: text })
    }
    // Servers end the stream of a POST with its answer, but not a stream that was resumed.
    if (this.#answered && this.#resumed) {
      this.#end('complete')
      this.#response?.cancel()
    }
  }

  #ended(reason: UpstreamEnded['reason'], detail: string | undefined): void {
    if (this.#over) return
    if (this.#sessionUnknown && !this.#repeated && reason === 'complete') {
      this.#repeated = true
      void this.#repeat()
      return
    }
    const broke = reason === 'complete' || reason === 'lost'
    const resumable = !this.#answered && this.#lastEventId !== undefined && broke
    if (!resumable) {
      this.#end(reason, detail, this.#modernError)
      return
    }
    if (reason === 'lost') this.#failedResumptions++
    if (this.#failedResumptions > MAX_FAILED_RESUMPTIONS) {
      this.#end('lost', `its stream broke, and could not be resumed: ${detail ?? reason}`)
      return
    }
    const pause = this.#retryMs ?? this.wire.timing.resumeMs
    this.#pause = setTimeout(() => this.#resume(), Math.min(Math.max(pause, LEAST_PAUSE_MS), MOST_PAUSE_MS))
  }

  async #repeat(): Promise<void> {
    const problem = await this.wire.renew(this.#generation)
    if (this.#over) return
    if (problem === undefined) this.#post('repeat')
    else this.#end('lost', `the session was no longer known, and no new one could be had: ${problem}`, true)
  }

  /** Legacy servers do not take a closed connection for a cancellation, so they are told. */
  #cancel(): void {
    if (this.#over) return
    const asked = !this.#answered
    this.#end('cancelled')
    const response = this.#response
    if (!asked) {
      response?.cancel()
      return
    }
    const close = (): void => response?.cancel()
    const late = setTimeout(close, NOTICE_MS)
    void this.wire.deliver(cancelledText(this.request.id, cancelReason(this.signal))).finally(() => {
      clearTimeout(late)
      close()
    })
  }

  #end(reason: UpstreamEnded['reason'], detail?: string, wrongEra = false): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#pause)
    this.signal.removeEventListener('abort', this.#onAbort)
    if (wrongEra) this.wire.contradicted()
    this.parts.end(reason, detail, wrongEra)
    this.done(this.#taken)
  }
}

/** What a piece has beside its text. */
function bytesOf(piece: SsePiece): { bytes?: string } {
  return piece.form === 'body' && piece.bytes !== undefined ? { bytes: piece.bytes } : {}
}

const POST_FIELDS: HeaderList = [
  ['content-type', 'application/json'],
  ['accept', 'application/json, text/event-stream'],
]
