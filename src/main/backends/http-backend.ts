import type { HeaderList } from '../../shared/capture/events'
import type { HttpBackendConfig } from '../../shared/config/schema'
import { SessionError } from './backend'
import type {
  Activity,
  Backend,
  BackendState,
  LegacySession,
  SessionOpening,
  UpstreamPart,
  UpstreamRequest,
} from './backend'
import { timingOf, type BackendOptions, type BackendTiming } from './backend-options'
import { BackendStatus } from './backend-status'
import { Backoff } from './backoff'
import { ownOpening } from './era'
import { HttpConnection } from './http-connection'
import { HttpProbe } from './http-probe'
import { HttpSession } from './http-session'
import { modernExchange } from './modern-exchange'
import { endedParts } from './part-queue'
import { sessionKey } from './session-headers'
import { settleWithin } from './settle-within'
import { SharedSessions } from './shared-sessions'
import type { CancelSignal } from './cancel-signal'

const FAREWELL_MS = 1_000

/** A Streamable HTTP backend of either era, which is found out by asking (basic/versioning, "Era detection") or given. */
export class HttpBackend implements Backend {
  readonly name: string
  readonly type = 'http'
  readonly url: string
  readonly #http: HttpConnection
  readonly #timing: BackendTiming
  readonly #pinned: 'modern' | 'legacy' | undefined
  readonly #status: BackendStatus
  readonly #backoff: Backoff
  readonly #shared: SharedSessions<HttpSession>
  readonly #own = new Set<HttpSession>()
  readonly #prober: HttpProbe
  /** The probe that runs last; one with the fields of another client waits for it. */
  #probing: { key: string; outcome: Promise<BackendState> } | undefined

  constructor(name: string, config: HttpBackendConfig, options: BackendOptions) {
    this.name = name
    this.url = config.url
    this.#timing = timingOf(options)
    this.#pinned = config.era === 'auto' ? undefined : config.era
    this.#status = new BackendStatus(this.#pinned ?? null)
    this.#backoff = new Backoff(this.#timing.probePausesMs)
    this.#http = new HttpConnection({
      url: config.url,
      headers: config.headers,
      maxMessageBytes: options.maxMessageBytes,
      via: `${options.via} (${name})`,
      version: options.version,
      settled: (reachable, detail) => this.#settled(reachable, detail),
    })
    this.#shared = new SharedSessions(
      (headers) => this.#begin({ ...ownOpening(options.version), headers }, false),
      (error) => this.#status.report('noise', `a session could not be ended: ${String(error)}`),
    )
    this.#prober = new HttpProbe({
      http: this.#http,
      sessions: this.#shared,
      pinned: this.#pinned,
      timing: this.#timing,
      version: options.version,
    })
  }

  get sharesConnection(): boolean {
    return this.state.era === 'legacy'
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

  exchange(request: UpstreamRequest, signal: CancelSignal): AsyncIterableIterator<UpstreamPart> {
    if (this.#status.closed) return endedParts('lost', 'the backend was taken out of the configuration')
    return modernExchange(this.#http, request, signal, () => this.#contradicted())
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
    const key = sessionKey(headers)
    const before = this.#probing
    if (before?.key === key) return before.outcome
    const outcome = (before?.outcome ?? Promise.resolve()).then(() => this.#probe(headers))
    const probing = { key, outcome }
    this.#probing = probing
    return outcome.finally(() => {
      if (this.#probing === probing) this.#probing = undefined
    })
  }

  async retire(): Promise<void> {
    this.#backoff.stop()
    this.#status.close()
    const sessions = this.#takeSessions()
    await Promise.all(sessions.map((session) => session.finish()))
    await this.#http.close()
  }

  async close(): Promise<void> {
    this.#backoff.stop()
    this.#status.close()
    await settleWithin(FAREWELL_MS, Promise.all(this.#takeSessions().map((session) => session.close())))
    await this.#http.destroy()
  }

  #takeSessions(): HttpSession[] {
    const sessions = [...this.#shared.takeAll(), ...this.#own].filter((session) => session.open)
    this.#own.clear()
    return sessions
  }

  async #begin(opening: SessionOpening, exclusive: boolean): Promise<HttpSession> {
    const session = await HttpSession.begin({
      http: this.#http,
      opening,
      exclusive,
      timing: this.#timing,
      contradicted: () => this.#contradicted(),
      report: (text) => this.#status.report('noise', text),
      renewed: (text) => this.#status.report('restarted', text),
      closed: (ended) => this.#own.delete(ended),
    })
    if (!this.#status.closed) return session
    await session.close()
    throw new SessionError('lost', 'the backend was taken out of the configuration')
  }

  async #probe(headers: HeaderList): Promise<BackendState> {
    const { state, passing } = await this.#prober.probe(headers, this.state.era)
    this.#set(state, passing)
    if (state.era === 'modern') for (const session of this.#shared.takeAll()) void session.close()
    return this.state
  }

  /** Traffic is evidence too: a backend that answers is reachable, one that refuses connections is down. */
  #settled(reachable: boolean, detail?: string): void {
    if (this.#probing !== undefined) return
    if (reachable && this.state.health === 'down') void this.discover()
    else if (!reachable) this.#set({ health: 'down', era: this.state.era, reason: detail ?? 'not reachable' })
  }

  #contradicted(): void {
    this.#prober.doubt()
    if (!this.#status.closed) void this.discover()
  }

  /** `passing`: the trouble may be over in a while. */
  #set(next: Omit<BackendState, 'changedAt'>, passing = next.health === 'down'): void {
    this.#status.set(next)
    if (passing) this.#backoff.again(() => void this.discover())
    else this.#backoff.reset()
  }
}
