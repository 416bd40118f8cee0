import { isObject, type JsonObject } from '../../../shared/protocol/json-rpc'
import type { HeaderList } from '../../../shared/capture/events'
import type { UpstreamPart } from '../../backends/backend'
import type { Call } from '../call'
import { carriedVia, withVia } from '../carried-via'
import { ExchangeRecord } from '../exchange-record'
import { readUpstreamMessage, type UpstreamMessage } from '../upstream-message'
import type { Filter } from './filter'
import type { AttemptEnd, AttemptListener, LegOptions } from './leg'
import { ACKNOWLEDGED, FINAL_ERRORS, requestFor } from './message-texts'

/** After the closing result the stream is watched this long for frames that come too late, then closed. */
const LATE_FRAMES_MS = 1_000

/** One `subscriptions/listen` exchange with a modern backend. */
export class ModernAttempt {
  readonly #options: LegOptions
  readonly #headers: HeaderList
  readonly #listener: AttemptListener

  constructor(options: LegOptions, headers: HeaderList, listener: AttemptListener) {
    this.#options = options
    this.#headers = headers
    this.#listener = listener
  }

  async run(over: AbortSignal): Promise<AttemptEnd> {
    const { call, backend, asked, wanted } = this.#options
    const exchange = call.tap.nextExchange()
    const request = requestFor(call.request.body, String(exchange), asked, wanted)
    const via = carriedVia(call, backend)
    const reference = via === undefined ? request.reference(call.receivedSeq) : undefined
    const body = via === undefined ? request.text : withVia(request.text, via).text
    const sent = reference === undefined ? { body } : { bodyFrom: reference }
    const record = new ExchangeRecord(call.tap, exchange, call.number, backend, sent)
    const late = new AbortController()
    const parts = backend.exchange(
      { method: call.request.method, id: exchange, body, headers: this.#headers },
      AbortSignal.any([over, late.signal]),
    )
    let end: AttemptEnd | undefined
    let timer: NodeJS.Timeout | undefined
    for await (const part of parts) {
      const seq = record.record(part)
      if (part.kind === 'ended' && part.wrongEra === true) {
        await backend.discover(this.#headers)
        end = 'lost'
      }
      const text = textOf(part)
      if (text === undefined) continue
      const read = readUpstreamMessage(text, exchange)
      if (end !== undefined) {
        this.#withhold(seq, 'after-result', 'it came after the backend had closed its subscription', read)
        continue
      }
      end = await this.#message(read, text, seq, exchange)
      if (end !== undefined) timer = setTimeout(() => late.abort(), LATE_FRAMES_MS)
    }
    clearTimeout(timer)
    return end ?? 'lost'
  }

  /** How the message ends the attempt, or undefined when it goes on. */
  async #message(read: UpstreamMessage, text: string, seq: number, id: number): Promise<AttemptEnd | undefined> {
    switch (read.kind) {
      case 'invalid':
        this.#withhold(seq, 'not-json-rpc', read.detail, read)
        return undefined
      case 'request':
        this.#withhold(seq, 'server-request', 'a server may not send requests in this revision', read)
        return undefined
      case 'response':
        return this.#closed(read, seq)
      case 'notification':
        return this.#notified(read, text, seq, id)
    }
  }

  #closed(read: UpstreamMessage & { kind: 'response' }, seq: number): AttemptEnd {
    const { error } = read
    if (error === undefined) {
      this.#withhold(seq, 'merged', `"${this.#options.backend.name}" closed its part of the subscription`, read)
      return 'ended'
    }
    const what = `"${this.#options.backend.name}" refused its part of the subscription: error ${error.code}`
    this.#withhold(seq, 'merged', what, read)
    return FINAL_ERRORS.has(error.code) ? 'ended' : 'lost'
  }

  async #notified(
    read: UpstreamMessage & { kind: 'notification' },
    text: string,
    seq: number,
    id: number,
  ): Promise<AttemptEnd | undefined> {
    const { method, params } = read.message
    if (method === ACKNOWLEDGED) {
      this.#withhold(seq, 'merged', 'the client gets one acknowledgement for all backends', read)
      const honoured = isObject(params) && isObject(params.notifications) ? filterOf(params.notifications) : {}
      await this.#listener.acknowledged(honoured)
      return undefined
    }
    if (method === 'notifications/cancelled') {
      // One of the three ways in which published servers close a subscription (basic/patterns/cancellation).
      this.#withhold(seq, 'merged', `"${this.#options.backend.name}" cancelled its part of the subscription`, read)
      return isObject(params) && (params.requestId === id || params.requestId === String(id)) ? 'ended' : undefined
    }
    await this.#listener.notification(read.message, text, seq)
    return undefined
  }

  #withhold(seq: number, reason: Parameters<Call['withhold']>[1], detail: string, read: UpstreamMessage): void {
    this.#options.call.withhold(seq, reason, detail, 'message' in read ? read.message.method : undefined)
  }
}

function textOf(part: UpstreamPart): string | undefined {
  return part.kind === 'frame' && part.data !== undefined && part.data !== '' ? part.data : undefined
}

function filterOf(notifications: JsonObject): Filter {
  const entries = Object.entries(notifications).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))
  return Object.fromEntries(entries) as Filter
}
