import type { IncomingHttpHeaders } from 'node:http'
import type { CallEnded, EndedBy, Outcome, Unstamped, WithheldReason } from '../../shared/capture/events'
import type { JsonValue } from '../../shared/protocol/json-rpc'
import type { Tap } from '../capture/tap'
import type { ModernRequest } from './envelope'
import { errorResponseText } from './gateway-error'
import type { ResponseStream } from './response-stream'

/** One call being served: the client's request, the response under way, and its end, which is recorded once. */
export class Call {
  #ended = false
  readonly #onEnd: (() => void)[] = []
  /** The result with which this call can be closed at any moment (a subscription); undefined for all others. */
  closing: string | undefined

  constructor(
    readonly number: number,
    /** `seq` of the event `call.received`. */
    readonly receivedSeq: number,
    readonly endpoint: string,
    readonly request: ModernRequest,
    readonly headers: IncomingHttpHeaders,
    readonly response: ResponseStream,
    readonly tap: Tap,
  ) {
    response.gone.addEventListener('abort', () => this.end('cancelled', 'client'))
  }

  /** Aborts when nobody waits for the answer any more. */
  get signal(): AbortSignal {
    return this.response.gone.signal
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Records that the backend's frame `from` does not reach the client, and why. */
  withhold(from: number, reason: WithheldReason, detail: string, method: JsonValue | undefined): void {
    const named = typeof method === 'string' ? { method } : {}
    this.tap.record({ kind: 'response.withheld', call: this.number, from, ...named, reason, detail })
  }

  /** Called once, when the call ends. */
  onEnd(listener: () => void): void {
    this.#onEnd.push(listener)
  }

  end(outcome: Outcome, by: EndedBy, more: Pick<CallEnded, 'error' | 'detail'> = {}): void {
    if (this.#ended) return
    this.#ended = true
    for (const listener of this.#onEnd) listener()
    const event: Unstamped<CallEnded> = { kind: 'call.ended', call: this.number, outcome, by }
    if (more.error !== undefined) event.error = more.error
    if (more.detail !== undefined) event.detail = more.detail
    this.tap.record(event)
  }

  /** Answers with an error of the gateway's own: as JSON with `status` before commit, else as the stream's last frame. */
  fail(error: { code: number; message: string; data?: JsonValue }, status: number): void {
    if (this.#ended) return
    this.response.finish({ text: errorResponseText(this.request.idRaw, error), edits: [] }, 'error', status)
    this.end('error', 'gateway', { error: { code: error.code, message: error.message } })
  }

  /** The gateway stops: an open answer gets its closing result or else `error` as its end, and the backend's work is cancelled. */
  abandon(error: { code: number; message: string }): void {
    if (this.closing === undefined) this.fail(error, 200)
    else this.succeed(this.closing)
    this.response.abandon()
  }

  /** Answers with a result that the gateway composed. */
  succeed(resultText: string, headers: Record<string, string> = {}): void {
    if (this.#ended) return
    const text = `{"jsonrpc":"2.0","id":${this.request.idRaw},"result":${resultText}}`
    this.response.finish({ text, edits: [] }, 'result', 200, headers)
    this.end('result', 'gateway')
  }
}
