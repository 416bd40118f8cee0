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
import { discoverText, ownOpening, readDiscover, type EraVerdict } from './era'
import { HttpConnection } from './http-connection'
import { HttpSession } from './http-session'
import { modernExchange } from './modern-exchange'
import { readAnswer } from './own-question'
import { endedParts } from './part-queue'
import { settleWithin } from './settle-within'
import { SharedSessions } from './shared-sessions'

const FAREWELL_MS = 1_000

interface LegacyVerdict {
  state: Omit<BackendState, 'changedAt'>
  /** It may be different in a while. */
  passing: boolean
}

/** A Streamable HTTP backend of either era, which is found out by asking (basic/versioning, "Era detection") or given. */
export class HttpBackend implements Backend {
  readonly name: string
  readonly type = 'http'
  readonly url: string
  readonly #http: HttpConnection
  readonly #options: BackendOptions
  readonly #timing: BackendTiming
  readonly #pinned: 'modern' | 'legacy' | undefined
  readonly #status: BackendStatus
  readonly #backoff: Backoff
  readonly #shared: SharedSessions<HttpSession>
  readonly #own = new Set<HttpSession>()
  #probing: Promise<BackendState> | undefined

  constructor(name: string, config: HttpBackendConfig, options: BackendOptions) {
    this.name = name
    this.url = config.url
    this.#options = options
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
      (headers) => this.#begin({ ...ownOpening(options.version), headers }),
      (error) => this.#status.report('noise', `a session could not be ended: ${String(error)}`),
    )
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

  exchange(request: UpstreamRequest, signal: AbortSignal): AsyncIterableIterator<UpstreamPart> {
    if (this.#status.closed) return endedParts('lost', 'the backend was taken out of the configuration')
    return modernExchange(this.#http, request, signal, () => this.#contradicted())
  }

  shared(headers: HeaderList): Promise<LegacySession> {
    return this.#shared.get(headers)
  }

  async open(opening: SessionOpening): Promise<LegacySession> {
    const session = await this.#begin(opening)
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

  async #begin(opening: SessionOpening): Promise<HttpSession> {
    const session = await HttpSession.begin({
      http: this.#http,
      opening,
      timing: this.#timing,
      contradicted: () => this.#contradicted(),
      report: (text) => this.#status.report('noise', text),
      closed: (ended) => this.#own.delete(ended),
    })
    if (!this.#status.closed) return session
    await session.close()
    throw new SessionError('lost', 'the backend was taken out of the configuration')
  }

  async #probe(headers: HeaderList): Promise<BackendState> {
    const verdict = this.#pinned === 'legacy' ? undefined : await this.#askEra(headers)
    if (verdict === undefined || (verdict.kind === 'not-modern' && this.#pinned !== 'modern')) {
      const { state, passing } = await this.#probeLegacy(headers, verdict?.why)
      this.#set(state, passing)
    } else if (verdict.kind === 'not-modern') {
      this.#set({
        health: 'degraded',
        era: 'modern',
        reason: `${verdict.why} ("era" is "modern" in its configuration)`,
      })
    } else {
      const passing = verdict.kind === 'unknown' && verdict.state.health !== 'needs-sign-in'
      this.#set({ ...verdict.state, era: verdict.state.era ?? this.state.era }, passing)
    }
    return this.state
  }

  async #askEra(headers: HeaderList): Promise<EraVerdict> {
    const id = 'sluice-discover'
    const signal = AbortSignal.timeout(this.#timing.discoverMs)
    const body = discoverText(id, this.#options.version)
    const request = { method: 'server/discover', id, body, headers }
    const answer = await readAnswer(
      modernExchange(this.#http, request, signal, () => undefined),
      id,
    )
    const silent = signal.aborted && answer.message === undefined
    const failure = `no answer to server/discover within ${this.#timing.discoverMs / 1000} s`
    return readDiscover(silent ? { ...answer, failure } : answer)
  }

  /** A session that is there is asked whether it still is; `initialize` is for where there is none. */
  async #probeLegacy(headers: HeaderList, notModern: string | undefined): Promise<LegacyVerdict> {
    const known = this.#shared.known(headers)
    try {
      const session = known ?? (await this.#shared.get(headers))
      if (known !== undefined) {
        const { failure } = await known.ping()
        if (failure !== undefined) return { state: { health: 'down', era: 'legacy', reason: failure }, passing: true }
      }
      const { initialized } = session
      const { serverInfo } = initialized
      const state = { health: 'ready' as const, era: 'legacy' as const, initialized, ...(serverInfo && { serverInfo }) }
      return { state, passing: false }
    } catch (error) {
      if (!(error instanceof SessionError)) throw error
      return this.#noSession(error, notModern)
    }
  }

  #noSession({ detail, status, challenge, reason }: SessionError, notModern: string | undefined): LegacyVerdict {
    const era = this.#pinned ?? null
    if (status === 401 || status === 403) {
      const state = {
        health: 'needs-sign-in' as const,
        era,
        reason: detail,
        ...(challenge !== undefined && { challenge }),
      }
      return { state, passing: false }
    }
    if (reason !== 'protocol') return { state: { health: 'down', era, reason: detail }, passing: true }
    const hint =
      status === 404 || status === 405 || status === 400
        ? '; is this its MCP endpoint? A server of 2024-11-05 needs "type": "sse"'
        : ''
    const both = `${notModern === undefined ? '' : `${notModern}; `}${detail}${hint}`
    return { state: { health: 'degraded', era, reason: both }, passing: status >= 500 }
  }

  /** Traffic is evidence too: a backend that answers is reachable, one that refuses connections is down. */
  #settled(reachable: boolean, detail?: string): void {
    if (this.#probing !== undefined) return
    if (reachable && this.state.health === 'down') void this.discover()
    else if (!reachable) this.#set({ health: 'down', era: this.state.era, reason: detail ?? 'not reachable' })
  }

  #contradicted(): void {
    if (!this.#status.closed) void this.discover()
  }

  /** `passing`: the trouble may be over in a while. */
  #set(next: Omit<BackendState, 'changedAt'>, passing = next.health === 'down'): void {
    this.#status.set(next)
    if (passing) this.#backoff.again(() => void this.discover())
    else this.#backoff.reset()
  }
}
