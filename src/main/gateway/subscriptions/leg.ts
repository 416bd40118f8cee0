import { setTimeout as pause } from 'node:timers/promises'
import { ErrorCode } from '../../../shared/protocol/errors'
import { isObject, type JsonObject } from '../../../shared/protocol/json-rpc'
import type { Backend, UpstreamPart } from '../../backends/backend'
import type { Call } from '../call'
import { ExchangeRecord } from '../exchange-record'
import { passedHeaders } from '../passed-headers'
import { readUpstreamMessage, type UpstreamMessage } from '../upstream-message'
import type { Filter } from './filter'
import { LegacyLeg } from './legacy-leg'
import { requestFor } from './message-texts'

/** What a leg needs of the call that it serves. */
export type LegCall = Pick<Call, 'number' | 'receivedSeq' | 'request' | 'headers' | 'signal' | 'tap' | 'withhold'>

export interface LegOptions {
  call: LegCall
  backend: Backend
  passHeaders: ReadonlySet<string>
  /** What the client asked for, and what of it this backend is asked. */
  asked: Filter
  wanted: Filter
  /** Pauses before the first, second, … new attempt, in milliseconds; the last one is used from then on. */
  pausesMs: readonly number[]
}

export interface LegListener {
  /** The backend acknowledged; `again` when it had been lost before. Frames after it wait for the promise. */
  acknowledged(leg: SubscriptionLeg, again: boolean): Promise<void>
  /** The stream broke, or there was none; it is tried again. */
  lost(leg: SubscriptionLeg): void
  notification(leg: SubscriptionLeg, message: JsonObject, text: string, seq: number): Promise<void>
}

/** The part of a subscription that one backend serves, in whatever era. */
export interface SubscriptionLeg {
  readonly backend: Backend
  readonly wanted: Filter
  /** What the backend acknowledged last; undefined before it has. */
  readonly honoured: Filter | undefined
  /** The backend closed the subscription, or refused it for good. */
  readonly ended: boolean
  /** Resolves when the leg has ended, was stopped, or the client has gone. */
  run(listener: LegListener): Promise<void>
  stop(): void
}

export function createLeg(options: LegOptions): SubscriptionLeg {
  return options.backend.state.era === 'legacy' ? new LegacyLeg(options) : new Leg(options)
}

type AttemptEnd = 'ended' | 'lost'

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'
/** After the closing result the stream is watched this long for frames that come too late, then closed. */
const LATE_FRAMES_MS = 1_000
/** Errors that will not be others the next time. */
const FINAL_ERRORS: ReadonlySet<number> = new Set([
  ErrorCode.MethodNotFound,
  ErrorCode.InvalidParams,
  ErrorCode.InvalidRequest,
  ErrorCode.UnsupportedProtocolVersion,
  ErrorCode.MissingRequiredClientCapability,
])

/**
 * The part of a subscription that one backend serves. A stream that ends without a closing result is opened anew after
 * a pause, for as long as the client stays (basic/patterns/subscriptions: no server state survives an abrupt end).
 */
class Leg implements SubscriptionLeg {
  readonly backend: Backend
  /** What the backend acknowledged last; undefined before it has. */
  honoured: Filter | undefined
  /** The backend closed the subscription, or refused it for good. */
  ended = false
  readonly #options: LegOptions
  readonly #stop = new AbortController()
  #failures = 0
  #wasLost = false

  constructor(options: LegOptions) {
    this.#options = options
    this.backend = options.backend
  }

  get wanted(): Filter {
    return this.#options.wanted
  }

  stop(): void {
    this.#stop.abort()
  }

  /** Resolves when the leg has ended, was stopped, or the client has gone. */
  async run(listener: LegListener): Promise<void> {
    const over = AbortSignal.any([this.#options.call.signal, this.#stop.signal])
    while (!over.aborted) {
      const end = await this.#attempt(listener, over)
      if (over.aborted) return
      if (end === 'ended') {
        this.ended = true
        return
      }
      this.#wasLost = true
      listener.lost(this)
      const { pausesMs } = this.#options
      const wait = pausesMs[Math.min(this.#failures++, pausesMs.length - 1)] ?? 0
      await pause(wait, undefined, { signal: over }).catch((error: unknown) => {
        if (!over.aborted) throw error
      })
    }
  }

  async #attempt(listener: LegListener, over: AbortSignal): Promise<AttemptEnd> {
    const { call, backend, asked, wanted, passHeaders } = this.#options
    const exchange = call.tap.nextExchange()
    const request = requestFor(call.request.body, String(exchange), asked, wanted)
    const reference = request.reference(call.receivedSeq)
    const body = request.text
    const sent = reference === undefined ? { body } : { bodyFrom: reference }
    const record = new ExchangeRecord(call.tap, exchange, call.number, backend, sent)
    const late = new AbortController()
    const parts = backend.exchange(
      { method: call.request.method, id: exchange, body, headers: passedHeaders(call, passHeaders) },
      AbortSignal.any([over, late.signal]),
    )
    let end: AttemptEnd | undefined
    let timer: NodeJS.Timeout | undefined
    for await (const part of parts) {
      const seq = record.record(part)
      const text = textOf(part)
      if (text === undefined) continue
      const read = readUpstreamMessage(text, exchange)
      if (end !== undefined) {
        this.#withhold(seq, 'after-result', 'it came after the backend had closed its subscription', read)
        continue
      }
      end = await this.#message(listener, read, text, seq, exchange)
      if (end !== undefined) timer = setTimeout(() => late.abort(), LATE_FRAMES_MS)
    }
    clearTimeout(timer)
    return end ?? 'lost'
  }

  /** How the message ends the attempt, or undefined when it goes on. */
  async #message(
    listener: LegListener,
    read: UpstreamMessage,
    text: string,
    seq: number,
    id: number,
  ): Promise<AttemptEnd | undefined> {
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
        return this.#notified(listener, read, text, seq, id)
    }
  }

  #closed(read: UpstreamMessage & { kind: 'response' }, seq: number): AttemptEnd {
    const { error } = read
    if (error === undefined) {
      this.#withhold(seq, 'merged', `"${this.backend.name}" closed its part of the subscription`, read)
      return 'ended'
    }
    const what = `"${this.backend.name}" refused its part of the subscription: error ${error.code}`
    this.#withhold(seq, 'merged', what, read)
    return FINAL_ERRORS.has(error.code) ? 'ended' : 'lost'
  }

  async #notified(
    listener: LegListener,
    read: UpstreamMessage & { kind: 'notification' },
    text: string,
    seq: number,
    id: number,
  ): Promise<AttemptEnd | undefined> {
    const { method, params } = read.message
    if (method === ACKNOWLEDGED) {
      this.#withhold(seq, 'merged', 'the client gets one acknowledgement for all backends', read)
      this.honoured = isObject(params) && isObject(params.notifications) ? filterOf(params.notifications) : {}
      this.#failures = 0
      await listener.acknowledged(this, this.#wasLost)
      this.#wasLost = false
      return undefined
    }
    if (method === 'notifications/cancelled') {
      // One of the three ways in which published servers close a subscription (basic/patterns/cancellation).
      this.#withhold(seq, 'merged', `"${this.backend.name}" cancelled its part of the subscription`, read)
      return isObject(params) && (params.requestId === id || params.requestId === String(id)) ? 'ended' : undefined
    }
    await listener.notification(this, read.message, text, seq)
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
