import type { JsonObject } from '../../shared/protocol/json-rpc'
import type { Initialized, LegacySession, Stray, UpstreamPart, UpstreamRequest } from './backend'
import { InFlight } from './in-flight'
import type { MessageChannel } from './message-channel'
import { endedParts } from './part-queue'
import type { CancelSignal } from './cancel-signal'

export interface ChannelSessionOptions {
  channel: MessageChannel
  connection: symbol
  /** See `LegacySession`. */
  exclusive: boolean
  /** What the client declared whose calls these all are, though the connection may be others' too; undefined when they are of several. */
  capabilities: JsonObject | undefined
  initialized: Initialized
  /** What the capture shows of a request's way. */
  sent(request: UpstreamRequest): UpstreamPart & { kind: 'sent' }
  /** Called once, by `close()` or `lost()`. Ends the connection where it is this session's alone. */
  ended(session: ChannelSession): Promise<void>
}

/** A session, or one of the handles on a session, over a connection that calls share. */
export class ChannelSession implements LegacySession {
  readonly connection: symbol
  readonly exclusive: boolean
  readonly initialized: Initialized
  readonly #options: ChannelSessionOptions
  readonly #underWay = new InFlight()
  readonly #aborts = new Set<AbortController>()
  readonly #unhear = new Set<() => void>()
  readonly #closedListeners = new Set<(reason: string) => void>()
  #open = true

  constructor(options: ChannelSessionOptions) {
    this.#options = options
    this.connection = options.connection
    this.exclusive = options.exclusive
    this.initialized = options.initialized
  }

  get open(): boolean {
    return this.#open
  }

  get inFlight(): number {
    return this.#aborts.size
  }

  exchange(request: UpstreamRequest, signal: CancelSignal): AsyncIterableIterator<UpstreamPart> {
    if (!this.#open) return endedParts('lost', 'the session is closed')
    const abort = new AbortController()
    const forward = (): void => abort.abort(signal.reason)
    if (signal.aborted) forward()
    else signal.addEventListener('abort', forward, { once: true })
    this.#aborts.add(abort)
    this.#underWay.add()
    const { channel, sent, capabilities } = this.#options
    const done = (): void => {
      signal.removeEventListener('abort', forward)
      this.#aborts.delete(abort)
      this.#underWay.done()
    }
    return channel.exchange(request, abort.signal, sent(request), {
      done,
      ...(capabilities && { client: { of: this, capabilities } }),
    })
  }

  onStray(listener: (stray: Stray) => void): () => void {
    if (!this.#open) return () => undefined
    const stop = this.#options.channel.onStray(listener)
    this.#unhear.add(stop)
    return () => {
      stop()
      this.#unhear.delete(stop)
    }
  }

  /** A connection and its session begin and end together. */
  onRenewed(): () => void {
    return () => undefined
  }

  onClosed(listener: (reason: string) => void): () => void {
    this.#closedListeners.add(listener)
    return () => this.#closedListeners.delete(listener)
  }

  rest(): void {
    // One connection carries everything.
  }

  async notify(body: string): Promise<void> {
    if (!this.#open) throw new Error('the session is closed')
    await this.#options.channel.send(body)
  }

  /** Resolves when the exchanges under way have ended. */
  idle(): Promise<void> {
    return this.#underWay.idle()
  }

  async close(): Promise<void> {
    if (!this.#end()) return
    for (const abort of [...this.#aborts]) abort.abort('the session was closed')
    await this.#options.ended(this)
  }

  /** The connection ended by itself; the channel has ended the exchanges. */
  lost(reason: string): void {
    if (!this.#end()) return
    for (const listener of this.#closedListeners) listener(reason)
    void this.#options.ended(this)
  }

  #end(): boolean {
    if (!this.#open) return false
    this.#open = false
    for (const stop of this.#unhear) stop()
    this.#unhear.clear()
    return true
  }
}
