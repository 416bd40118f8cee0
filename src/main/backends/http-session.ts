import type { Initialized, LegacySession, Stray, UpstreamPart, UpstreamRequest } from './backend'
import type { OwnAnswer } from './era'
import { HttpSessionExchange } from './http-session-exchange'
import { HttpSessionStream } from './http-session-stream'
import { SessionWire, type SessionWireOptions } from './http-session-wire'
import { readAnswer } from './own-question'
import { endedParts } from './part-queue'
import { InFlight } from './in-flight'
import { SessionSettings, type AskAnew } from './session-settings'
import { StrayListeners } from './strays'
import type { CancelSignal } from './cancel-signal'

export interface HttpSessionOptions extends SessionWireOptions {
  /** See `LegacySession`. */
  exclusive: boolean
  /** Hears of the end of the session. */
  closed(session: HttpSession): void
}

let pings = 0

/** A session of Streamable HTTP as it was from 2025-03-26 to 2025-11-25. It survives that the server forgets it. */
export class HttpSession implements LegacySession {
  readonly connection = Symbol('HTTP session')
  readonly #wire: SessionWire
  readonly #stream: HttpSessionStream
  readonly #exchanges = new Set<HttpSessionExchange>()
  readonly #inFlight = new InFlight()
  readonly #strays = new StrayListeners()
  readonly #settings = new SessionSettings()
  readonly #renewedListeners = new Set<() => void>()
  readonly #closedListeners = new Set<(reason: string) => void>()
  #initialized: Initialized
  #open = true

  /** Rejects with `SessionError`. */
  static async begin(options: HttpSessionOptions): Promise<HttpSession> {
    const wire = new SessionWire(options)
    return new HttpSession(wire, await wire.initialize(), options.exclusive, options.closed)
  }

  private constructor(
    wire: SessionWire,
    initialized: Initialized,
    readonly exclusive: boolean,
    readonly closed: (session: HttpSession) => void,
  ) {
    this.#wire = wire
    this.#initialized = initialized
    this.#stream = new HttpSessionStream(wire, (stray, message) => this.#strays.emit(stray, message))
    wire.onRenewed = () => this.#renewed()
    this.#stream.restart()
  }

  get initialized(): Initialized {
    return this.#initialized
  }

  get open(): boolean {
    return this.#open
  }

  get inFlight(): number {
    return this.#exchanges.size
  }

  exchange(request: UpstreamRequest, signal: CancelSignal): AsyncIterableIterator<UpstreamPart> {
    if (!this.#open) return endedParts('lost', 'the session is closed')
    const exchange = new HttpSessionExchange(this.#wire, request, signal, (taken) => {
      if (taken) this.#settings.taken(request)
      this.#exchanges.delete(exchange)
      this.#inFlight.done()
    })
    this.#stream.wake()
    this.#exchanges.add(exchange)
    this.#inFlight.add()
    exchange.start()
    return exchange.parts
  }

  /** Asks whether the session is there; one that was lost is begun anew. */
  async ping(): Promise<OwnAnswer> {
    const id = `sluice-ping-${++pings}`
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })
    const signal = AbortSignal.timeout(this.#wire.timing.discoverMs)
    const answer = await readAnswer(this.exchange({ method: 'ping', id, body, headers: [] }, signal), id)
    return signal.aborted && answer.message === undefined ? { ...answer, failure: 'no answer to a ping' } : answer
  }

  onStray(listener: (stray: Stray) => void): () => void {
    this.#stream.wake()
    return this.#strays.add(listener)
  }

  onClosed(listener: (reason: string) => void): () => void {
    this.#closedListeners.add(listener)
    return () => this.#closedListeners.delete(listener)
  }

  onRenewed(listener: () => void): () => void {
    this.#renewedListeners.add(listener)
    return () => this.#renewedListeners.delete(listener)
  }

  async notify(body: string): Promise<void> {
    const { generation, id } = this.#wire
    let trouble = await this.#wire.deliver(body)
    if (trouble?.status === 404 && id !== undefined) {
      const problem = await this.#wire.renew(generation)
      trouble = problem === undefined ? await this.#wire.deliver(body) : { status: 404, problem }
    }
    if (trouble !== undefined) throw new Error(`the notification was not taken: ${trouble.problem}`)
  }

  rest(): void {
    this.#stream.rest()
  }

  /** Closes when the exchanges under way have ended. */
  async finish(): Promise<void> {
    await this.#inFlight.idle()
    for (const listener of this.#closedListeners) listener('the backend was taken out of the configuration')
    await this.close()
  }

  async close(): Promise<void> {
    if (!this.#open) return
    this.#open = false
    this.#stream.close()
    for (const exchange of [...this.#exchanges]) exchange.close('the session was closed')
    this.closed(this)
    await this.#wire.end()
  }

  /** The log level is there before the calls that waited are sent again; subscriptions do not hold them up. */
  async #renewed(): Promise<void> {
    this.#initialized = this.#wire.initialized ?? this.#initialized
    this.#stream.restart()
    const level = await this.#settings.restoreLevel((method, params) => this.#wire.ask(method, params))
    void this.#resubscribe(level)
  }

  async #resubscribe(level: string | undefined): Promise<void> {
    const { generation } = this.#wire
    const going = (): boolean => this.#open && this.#wire.generation === generation
    const ask: AskAnew = (method, params) => this.#wire.ask(method, params)
    const subscriptions = await this.#settings.restoreSubscriptions(ask, going)
    if (!going()) return
    const found = [level, subscriptions].filter((one) => one !== undefined)
    this.#wire.renewed(['the server had forgotten the session, and a new one was begun', ...found].join('; '))
    for (const listener of this.#renewedListeners) listener()
  }
}
