import type { HeaderList } from '../../shared/capture/events'
import type { SseBackendConfig } from '../../shared/config/schema'
import { SessionError } from './backend'
import type { Activity, Backend, BackendState, LegacySession, SessionOpening, UpstreamPart } from './backend'
import { timingOf, type BackendOptions, type BackendTiming } from './backend-options'
import { BackendStatus } from './backend-status'
import { Backoff } from './backoff'
import type { ChannelSession } from './channel-session'
import { ownOpening, SIGN_IN_ADVICE } from './era'
import { HttpConnection } from './http-connection'
import { endedParts } from './part-queue'
import { settleWithin } from './settle-within'
import { SharedSessions } from './shared-sessions'
import { SseConnection } from './sse-connection'

const FAREWELL_MS = 1_000

/** A backend of the HTTP+SSE transport, which is always of the legacy era. One connection is one session. */
export class SseBackend implements Backend {
  readonly name: string
  readonly type = 'sse'
  readonly url: string
  readonly sharesConnection = true
  readonly #http: HttpConnection
  readonly #options: BackendOptions
  readonly #timing: BackendTiming
  readonly #status = new BackendStatus('legacy')
  readonly #backoff: Backoff
  readonly #shared: SharedSessions<ChannelSession>
  readonly #own = new Set<ChannelSession>()
  #probing: Promise<BackendState> | undefined

  constructor(name: string, config: SseBackendConfig, options: BackendOptions) {
    this.name = name
    this.url = config.url
    this.#options = options
    this.#timing = timingOf(options)
    this.#backoff = new Backoff(this.#timing.probePausesMs)
    this.#http = new HttpConnection({
      url: config.url,
      headers: config.headers,
      maxMessageBytes: options.maxMessageBytes,
      via: `${options.via} (${name})`,
      version: options.version,
      settled: () => undefined,
    })
    this.#shared = new SharedSessions(
      (headers) => this.#begin({ ...ownOpening(options.version), headers }, false),
      (error) => this.#status.report('noise', `a connection could not be ended: ${String(error)}`),
    )
  }

  get state(): BackendState {
    return this.#status.state
  }

  onState(listener: (state: BackendState) => void): () => void {
    return this.#status.onState(listener)
  }

  onActivity(listener: (activity: Activity) => void): () => void {
    return this.#status.onActivity(listener)
  }

  exchange(): AsyncIterableIterator<UpstreamPart> {
    return endedParts('protocol', 'HTTP+SSE does not speak 2026-07-28', true)
  }

  shared(headers: HeaderList): Promise<LegacySession> {
    return this.#shared.get(headers)
  }

  async open(opening: SessionOpening): Promise<LegacySession> {
    const session = await this.#begin(opening, true)
    this.#own.add(session)
    return session
  }

  discover(headers: HeaderList = []): Promise<BackendState> {
    this.#probing ??= this.#probe(headers).finally(() => (this.#probing = undefined))
    return this.#probing
  }

  async retire(): Promise<void> {
    this.#backoff.stop()
    this.#status.close()
    const sessions = this.#sessions()
    await Promise.all(sessions.map((session) => session.idle()))
    await this.#end(sessions)
    await this.#http.close()
  }

  async close(): Promise<void> {
    this.#backoff.stop()
    this.#status.close()
    await settleWithin(FAREWELL_MS, this.#end(this.#sessions()))
    await this.#http.destroy()
  }

  #sessions(): ChannelSession[] {
    return [...this.#shared.takeAll(), ...this.#own]
  }

  async #end(sessions: ChannelSession[]): Promise<void> {
    await Promise.all(sessions.map((session) => session.close()))
  }

  async #begin(opening: SessionOpening, exclusive: boolean): Promise<ChannelSession> {
    const session = await SseConnection.begin({
      http: this.#http,
      opening,
      exclusive,
      timing: this.#timing,
      version: this.#options.version,
      maxMessageBytes: this.#options.maxMessageBytes,
      noise: (text) => this.#status.report('noise', text),
      silence: (reason) => this.#silence(reason),
      onEnd: (ended) => this.#ended(ended),
    })
    if (!this.#status.closed) return session
    await session.close()
    throw new SessionError('lost', 'the backend was taken out of the configuration')
  }

  /** A connection that is there says by itself when it ends; nothing has to be asked. */
  async #probe(headers: HeaderList): Promise<BackendState> {
    try {
      const { initialized } = await this.#shared.get(headers)
      const { serverInfo } = initialized
      this.#backoff.reset()
      this.#status.set({ health: 'ready', era: 'legacy', initialized, ...(serverInfo && { serverInfo }) })
    } catch (error) {
      if (!(error instanceof SessionError)) throw error
      this.#refused(error)
    }
    return this.state
  }

  #refused({ detail, reason, status, challenge }: SessionError): void {
    if (status === 401 || status === 403) {
      this.#status.set({
        health: 'needs-sign-in',
        era: 'legacy',
        reason: `${detail}. ${SIGN_IN_ADVICE}`,
        ...(challenge !== undefined && { challenge }),
      })
      return
    }
    const wrong = reason === 'protocol' && status < 500
    this.#status.set({ health: wrong ? 'degraded' : 'down', era: 'legacy', reason: detail })
    if (!wrong) this.#backoff.again(() => void this.discover())
  }

  /** Every connection leads to the same server. */
  #silence(reason: string | undefined): void {
    if (reason !== undefined) this.#status.set({ health: 'degraded', era: 'legacy', reason: `it ${reason}` })
    else this.#status.set({ health: 'ready', era: 'legacy' })
  }

  /** Without the connection that all share, nothing tells how the server is: it is opened again. */
  #ended(session: ChannelSession | undefined): void {
    if (session === undefined || this.#own.delete(session) || this.#status.closed) return
    this.#status.set({ health: 'down', era: 'legacy', reason: 'it closed its event stream' })
    this.#backoff.again(() => void this.discover())
  }
}
