import type { UpstreamEnded } from '../../shared/capture/events'
import { canBeAsked } from '../../shared/protocol/client-capabilities'
import { isObject, isRequestId, type JsonObject, type JsonValue, type RequestId } from '../../shared/protocol/json-rpc'
import { META } from '../../shared/protocol/meta'
import { MULTI_ROUND_METHODS } from '../../shared/protocol/methods'
import type { Era } from '../../shared/protocol/revisions'
import type { Stray, UpstreamPart, UpstreamRequest } from './backend'
import { discoverText, ownMeta } from './era'
import { cancelledText, cancelReason, kindOf, messagesIn, pongText, type WireMessage } from './messages'
import { endedParts, PartQueue } from './part-queue'
import { InFlight } from './in-flight'
import { SilenceWatch, type Silence } from './silence-watch'
import { once, StrayListeners } from './strays'
import type { CancelSignal } from './cancel-signal'

/** How a channel's texts leave. Rejects, in words for the call, when one could not be sent. */
export type Send = (text: string) => Promise<void>

export interface ChannelOptions {
  send: Send
  /** Form of the frames that arrive here. */
  form: 'line' | 'event'
  maxMessageBytes: number
  version: string
  /** What came and belongs to no call. */
  noise(text: string): void
  silence: ChannelSilence
}

/** When the server counts as silent, and who hears of it. See `SilenceWatch`. */
export interface ChannelSilence {
  quietMs: number
  answerMs: number
  /** In words that follow "it"; undefined when it speaks again. */
  changed(reason: string | undefined): void
}

/** One client among those whose calls share a connection. */
export interface ChannelClient {
  /** The same for all its calls. */
  of: object
  /** What it declared at `initialize`. */
  capabilities: JsonObject
}

interface Exchange {
  id: RequestId
  method: string
  parts: PartQueue
  /** Whose call it is; undefined where that is not known. */
  client: ChannelClient | undefined
  /** Ids, as raw JSON, of requests of a legacy server that were given to it. */
  asked: Set<string>
  /** The gateway asks for itself. */
  quiet: boolean
  /** It asked for log messages (modern era). */
  wantsLogs: boolean
  release(): void
}

const NOISE_LENGTH = 2_000

/**
 * One connection that all calls share (stdio, HTTP+SSE): requests go out with ids of their own, and what comes back is
 * given to the call that it names: responses by id, progress by its token, which is the id too, messages of a
 * subscription by its id. What names no call is a stray of the session, or noise.
 */
export class MessageChannel {
  /** Decides whose messages may come without naming a call. */
  era: Era | null = null
  readonly #options: ChannelOptions
  readonly #exchanges = new Map<string, Exchange>()
  readonly #underWay = new InFlight()
  readonly #strays = new StrayListeners()
  readonly #silence: SilenceWatch
  /** Id of the question whether the server is there. */
  #aliveId = 0
  #closed: { reason: UpstreamEnded['reason']; detail: string } | undefined

  constructor(options: ChannelOptions) {
    this.#options = options
    const { quietMs, answerMs, changed } = options.silence
    this.#silence = new SilenceWatch({
      quietMs,
      answerMs,
      ask: () => this.#askAlive(),
      onSilent: (silence) => changed(silentText(silence, this.era)),
      onHeard: () => changed(undefined),
    })
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.#underWay.idle()
  }

  /** `sent` is what the capture shows of the request's way; `done` hears of the end; `client` is whose call it is. */
  exchange(
    request: UpstreamRequest,
    signal: CancelSignal,
    sent: UpstreamPart & { kind: 'sent' },
    { done = () => undefined, client }: { done?: () => void; client?: ChannelClient } = {},
  ): PartQueue {
    const { id, method, body } = request
    const key = String(id)
    const refusal = this.#closed ?? (signal.aborted ? CANCELLED_BEFORE : undefined)
    if (refusal !== undefined || this.#exchanges.has(key)) {
      done()
      return refusal === undefined
        ? endedParts('protocol', `another request with the id ${key} is under way`)
        : endedParts(refusal.reason, refusal.detail)
    }
    const cancel = (): void => this.#cancel(exchange, cancelReason(signal))
    const idle = (): void => undefined
    const quiet = request.quiet === true
    // A subscription is silent as long as nothing happens, and negotiation has limits of its own.
    const watched = !quiet && this.era !== null && method !== 'subscriptions/listen'
    const exchange: Exchange = {
      id,
      method,
      parts: new PartQueue({ pause: idle, resume: idle, abandon: cancel }),
      client,
      asked: new Set(),
      quiet,
      // The text may have the key elsewhere too; then one call more is asked whose log message it is.
      wantsLogs: body.includes(META.logLevel),
      release: () => {
        signal.removeEventListener('abort', cancel)
        if (watched) this.#silence.ended()
        done()
      },
    }
    signal.addEventListener('abort', cancel, { once: true })
    this.#exchanges.set(key, exchange)
    this.#underWay.add()
    if (watched) this.#silence.began()
    exchange.parts.push(sent)
    this.#options.send(body).catch((error: unknown) => this.#end(exchange, 'lost', textOf(error)))
    return exchange.parts
  }

  /** Rejects when the text could not be sent. */
  async send(text: string): Promise<void> {
    if (this.#closed !== undefined) throw new Error(this.#closed.detail)
    await this.#options.send(text)
  }

  onStray(listener: (stray: Stray) => void): () => void {
    return this.#strays.add(listener)
  }

  /** A text as it came: one message, or a batch. */
  receive(raw: string, data: string): void {
    this.#silence.heard()
    const messages = messagesIn(data)
    if (messages === undefined) {
      this.#noise('it is no JSON-RPC message', raw)
      return
    }
    // Of a batch, whose messages may be for different calls, each has its own text only.
    for (const one of messages) this.#message(messages.length === 1 ? raw : one.text, one)
  }

  /** A message that was too large to be read. The call it was for, or if that is not known every call, ends. */
  receiveOversized(bytes: number, ends: string): void {
    const detail = `the backend's message of ${bytes} bytes is larger than ${this.#options.maxMessageBytes} (gateway.maxMessageBytes)`
    const ids = new Set(
      [...ends.matchAll(/"id"\s*:\s*(?:"([^"]*)"|(-?\d+))/g)].map(([, text, number]) => text ?? number),
    )
    const named = [...this.#exchanges.values()].filter(({ id }) => ids.has(String(id)))
    for (const exchange of named.length === 1 ? named : [...this.#exchanges.values()])
      this.#end(exchange, 'protocol', detail)
    this.#options.noise(detail)
  }

  /** The connection is gone: every call ends, and later ones do at once. */
  close(reason: UpstreamEnded['reason'], detail: string): void {
    this.#closed ??= { reason, detail }
    this.#silence.stop()
    for (const exchange of [...this.#exchanges.values()]) this.#end(exchange, reason, detail)
  }

  #message(raw: string, { text, message }: WireMessage): void {
    switch (kindOf(message)) {
      case 'response':
        this.#response(raw, text, message)
        return
      case 'request':
        this.#request(raw, text, message)
        return
      case 'notification':
        this.#notification(raw, text, message)
        return
      case undefined:
        this.#noise('it is no JSON-RPC message', raw)
    }
  }

  /** `ping`, and where there is none (2026-07-28) the one request that every server must know. */
  #askAlive(): void {
    const id = `${ALIVE}${++this.#aliveId}`
    const text =
      this.era === 'modern'
        ? discoverText(id, this.#options.version)
        : JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })
    this.#options
      .send(text)
      .catch((error: unknown) => this.#options.noise(`whether it is there could not be asked: ${textOf(error)}`))
  }

  #response(raw: string, text: string, message: JsonObject): void {
    // That it came is all that was wanted.
    if (typeof message.id === 'string' && message.id.startsWith(ALIVE)) return
    const exchange = isRequestId(message.id) ? this.#exchanges.get(String(message.id)) : this.#only()
    if (exchange === undefined) {
      this.#noise('it answers no request that is under way', raw)
      return
    }
    this.#frame(exchange, raw, text)
    this.#end(exchange, 'complete')
  }

  #request(raw: string, text: string, message: JsonObject): void {
    if (this.era !== 'legacy') {
      // A modern server sends no requests (basic/index); the one call that it could be about shall show it.
      const exchange = this.#only()
      if (exchange === undefined) this.#noise('it is a request, which a server may not send in this revision', raw)
      else this.#frame(exchange, raw, text)
      return
    }
    const answer = (reply: string): void => {
      this.#options
        .send(reply)
        .catch((error: unknown) => this.#options.noise(`an answer was not sent: ${textOf(error)}`))
    }
    const pong = pongText(message)
    if (pong !== undefined) {
      answer(pong)
      return
    }
    // It names no call; where only one could be meant, it is that one's.
    const calls = this.#calls()
    const exchange = onlyOf(calls) ?? onlyOf(calls.filter((call) => canAnswer(call, message)))
    if (exchange === undefined) {
      if (calls.length > 1) this.#noise(`it could be for any of ${calls.length} calls`, raw)
      this.#strays.emit({ raw, data: text, respond: once(answer) }, message)
    } else {
      exchange.asked.add(JSON.stringify(message.id))
      this.#frame(exchange, raw, text, once(answer))
    }
  }

  #notification(raw: string, text: string, message: JsonObject): void {
    const params = isObject(message.params) ? message.params : {}
    const exchange = this.#namedBy(message.method, params)
    if (exchange !== undefined) {
      this.#frame(exchange, raw, text)
      // The end of a subscription on stdio (basic/patterns/cancellation).
      if (this.era !== 'legacy' && message.method === 'notifications/cancelled') this.#end(exchange, 'complete')
    } else if (this.era === 'legacy' && !this.#ofSomebodyElse(message.method))
      this.#strays.emit({ raw, data: text }, message)
    else this.#noise('it names no call that is under way', raw)
  }

  /** The call that a notification names, or if it can name none the only one that can be meant. */
  #namedBy(method: unknown, params: JsonObject): Exchange | undefined {
    const meta = isObject(params._meta) ? params._meta : {}
    if (method === 'notifications/progress') return this.#byId(params.progressToken)
    const subscription = meta[META.subscriptionId]
    if (subscription !== undefined) return this.#byId(subscription)
    if (this.era === 'legacy') {
      if (method === 'notifications/cancelled') return this.#askedFor(params.requestId)
      return method === 'notifications/message' ? onlyOf(this.#calls()) : undefined
    }
    if (method === 'notifications/cancelled') return this.#byId(params.requestId, 'subscriptions/listen')
    if (method !== 'notifications/message') return undefined
    const asked = [...this.#exchanges.values()].filter(({ wantsLogs }) => wantsLogs)
    return asked.length === 0 ? this.#only() : asked.length === 1 ? asked[0] : undefined
  }

  /** The call within which a legacy server asked something that it takes back now. */
  #askedFor(requestId: JsonValue | undefined): Exchange | undefined {
    if (!isRequestId(requestId)) return undefined
    const id = JSON.stringify(requestId)
    return [...this.#exchanges.values()].find(({ asked }) => asked.has(id))
  }

  #byId(id: unknown, method?: string): Exchange | undefined {
    const exchange = isRequestId(id) ? this.#exchanges.get(String(id)) : undefined
    return method === undefined || exchange?.method === method ? exchange : undefined
  }

  /** On a process that clients share, a log message that names no call may be about another client's. */
  #ofSomebodyElse(method: unknown): boolean {
    return method === 'notifications/message' && this.#options.form === 'line'
  }

  /** Those in which a legacy server may ask its client something, or tell it of what it does. */
  #calls(): Exchange[] {
    return [...this.#exchanges.values()].filter(({ method }) => MULTI_ROUND_METHODS.has(method))
  }

  /** The only call under way; subscriptions, which last, and the gateway's own count only where there is nothing else. */
  #only(): Exchange | undefined {
    const all = [...this.#exchanges.values()]
    const calls = all.filter(({ method, quiet }) => method !== 'subscriptions/listen' && !quiet)
    const [first, second] = calls.length > 0 ? calls : all
    return second === undefined ? first : undefined
  }

  #frame(exchange: Exchange, raw: string, data: string, respond?: (text: string) => void): void {
    if (exchange.parts.chars > this.#options.maxMessageBytes) {
      // Pausing the connection would hold up the others.
      this.#end(
        exchange,
        'protocol',
        'its client reads too slowly: too much of the answer waits (gateway.maxMessageBytes)',
      )
      this.#sendCancelled(exchange.id, 'its reader is too slow')
      return
    }
    const { form } = this.#options
    exchange.parts.push({ kind: 'frame', form, raw, data, ...(respond === undefined ? {} : { respond }) })
  }

  #cancel(exchange: Exchange, reason: string): void {
    if (this.#exchanges.get(String(exchange.id)) !== exchange) return
    this.#end(exchange, 'cancelled')
    this.#sendCancelled(exchange.id, reason)
  }

  #sendCancelled(id: RequestId, reason: string): void {
    const meta = this.era === 'modern' ? ownMeta(this.#options.version) : undefined
    this.#options
      .send(cancelledText(id, reason, meta))
      .catch((error: unknown) => this.#options.noise(`a cancellation was not sent: ${textOf(error)}`))
  }

  #end(exchange: Exchange, reason: UpstreamEnded['reason'], detail?: string): void {
    if (this.#exchanges.get(String(exchange.id)) !== exchange) return
    this.#exchanges.delete(String(exchange.id))
    exchange.release()
    this.#underWay.done()
    exchange.parts.end(reason, detail)
  }

  #noise(why: string, raw: string): void {
    this.#options.noise(`${why}: ${raw.slice(0, NOISE_LENGTH)}`)
  }
}

const ALIVE = 'sluice-alive-'

function silentText({ calls, forMs }: Silence, era: Era | null): string {
  const asked = era === 'modern' ? 'server/discover' : 'ping'
  const waits = calls === 1 ? 'a call' : `${calls} calls`
  return `has not answered ${waits} for ${Math.round(forMs / 1000)} s, nor ${asked}: it is stopped, or busy with something that lets it do nothing else`
}

/** The only call, or the last one of the only client. */
function onlyOf(calls: readonly Exchange[]): Exchange | undefined {
  const [first, second] = calls
  if (second === undefined) return first
  const of = second.client?.of
  return of !== undefined && calls.every((call) => call.client?.of === of) ? calls.at(-1) : undefined
}

function canAnswer({ client }: Exchange, { method, params }: JsonObject): boolean {
  return client !== undefined && canBeAsked(client.capabilities, String(method), params)
}

const CANCELLED_BEFORE = { reason: 'cancelled' as const, detail: 'cancelled before it was sent' }

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
