import type { HeaderList } from '../../shared/capture/events'
import type { StdioBackendConfig } from '../../shared/config/schema'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import type { Era } from '../../shared/protocol/revisions'
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
import { commandLine } from './command-line'
import { deferredParts } from './deferred-parts'
import { discoverText, ownOpening, readDiscover } from './era'
import { LineRing } from './line-ring'
import type { Negotiated } from './negotiation'
import { readAnswer } from './own-question'
import { endedParts } from './part-queue'
import { serverEnvironment } from './server-environment'
import { viaOf } from './session-headers'
import { settleWithin } from './settle-within'
import { StdioConnection } from './stdio-connection'
import type { CancelSignal } from './cancel-signal'

const KEPT_LINES = 1_000
/** A call waits for a process that is started again so soon; else it is refused. */
const SOON_MS = 1_000

/**
 * A process that legacy clients share is initialized once, before any of them is known. Elicitation and sampling come
 * within a call, so that the gateway can take them to the client whose call it is; roots would be one client's alone.
 */
const SHARED_CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {} }

type Ready = Exclude<Negotiated, { kind: 'failed' | 'late-modern' }>

/** A server that is started here and kept running: one process for all, and more of them where sessions have their own. */
export class StdioBackend implements Backend {
  readonly name: string
  readonly type = 'stdio'
  readonly command: string
  readonly instances: StdioBackendConfig['instances']
  readonly sharesConnection = true
  readonly #config: StdioBackendConfig
  readonly #options: BackendOptions
  readonly #timing: BackendTiming
  readonly #status: BackendStatus
  readonly #backoff: Backoff
  readonly #stderr = new LineRing(KEPT_LINES)
  readonly #own = new Set<StdioConnection>()
  #connection: StdioConnection | undefined
  #ready: Ready | undefined
  #sharedSession: LegacySession | undefined
  #readyAt = 0
  /** Era of the last run, or what its way of failing suggests. */
  #expected: Era | undefined
  #starting: Promise<void> | undefined
  #startingSince = 0
  /** A start that is to come within `SOON_MS`, for those who wait for it. */
  #soon: { started: Promise<void>; resolve: () => void } | undefined
  #starts = 0

  constructor(name: string, config: StdioBackendConfig, options: BackendOptions) {
    this.name = name
    this.command = commandLine(config.command, config.args)
    this.instances = config.instances
    this.#config = config
    this.#options = options
    this.#timing = timingOf(options)
    this.#status = new BackendStatus(config.era === 'auto' ? null : config.era)
    this.#backoff = new Backoff(this.#timing.restartPausesMs)
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

  stderr(): readonly string[] {
    return this.#stderr.lines()
  }

  exchange(request: UpstreamRequest, signal: CancelSignal): AsyncIterableIterator<UpstreamPart> {
    if (this.#status.closed) return endedParts('lost', 'the backend was taken out of the configuration')
    const coming = this.#coming(request.headers)
    if (coming !== undefined) return deferredParts(coming, () => this.#exchange(request, signal), signal)
    return this.#exchange(request, signal)
  }

  #exchange(request: UpstreamRequest, signal: CancelSignal): AsyncIterableIterator<UpstreamPart> {
    const connection = this.#connection
    if (connection === undefined || this.#ready === undefined) return endedParts('refused', this.#notRunning())
    if (this.#ready.kind === 'legacy') return endedParts('protocol', 'it does not speak 2026-07-28', true)
    return connection.channel.exchange(request, signal, connection.sent())
  }

  async shared(headers: HeaderList): Promise<LegacySession> {
    await this.#coming(headers)
    if (this.#sharedSession?.open !== true) this.#sharedSession = this.#newSession(undefined)
    return this.#sharedSession
  }

  /** A handle on the shared process. */
  #newSession(capabilities: JsonObject | undefined): LegacySession {
    const connection = this.#connection
    if (connection === undefined || this.#ready === undefined) throw new SessionError('refused', this.#notRunning())
    if (this.#ready.kind === 'modern') throw new SessionError('protocol', 'it speaks 2026-07-28, which has no sessions')
    return connection.session(this.#ready.initialized, { capabilities })
  }

  async open(opening: SessionOpening): Promise<LegacySession> {
    if (this.#config.instances === 'shared') {
      await this.#coming(opening.headers)
      return this.#newSession(opening.capabilities)
    }
    if (this.#status.closed) throw new SessionError('refused', this.#notRunning())
    const connection = await this.#spawn(opening, 'legacy', (_how, ended) => this.#own.delete(ended))
    if (connection.how === undefined) this.#own.add(connection)
    const negotiated = await connection.negotiated
    if (negotiated.kind === 'legacy')
      return connection.session(negotiated.initialized, { exclusive: true, capabilities: opening.capabilities }, () =>
        connection.stop('the session was closed'),
      )
    await connection.stop('it could not be initialized')
    const why = negotiated.kind === 'failed' ? negotiated.reason : 'it speaks 2026-07-28, which has no sessions'
    throw new SessionError('protocol', why)
  }

  async discover(headers: HeaderList = []): Promise<BackendState> {
    if (this.#connection === undefined || this.#ready === undefined) await this.#patient(headers, this.#start())
    else if (this.#ready.kind === 'modern') await this.#discoverAgain(this.#connection)
    // A legacy server has nothing that could be asked twice without side effects; that it runs is known.
    return this.state
  }

  async restart(): Promise<void> {
    const { starting, connection } = { starting: this.#starting, connection: this.#connection }
    await connection?.stop('the server is started again by hand')
    await starting
    this.#backoff.reset()
    await this.#start()
  }

  async retire(): Promise<void> {
    this.#backoff.stop()
    this.#status.close()
    const connections = this.#connections()
    await Promise.all(connections.map((connection) => connection.idle()))
    await this.#stop(connections, 'the backend was taken out of the configuration')
  }

  async close(): Promise<void> {
    this.#backoff.stop()
    this.#status.close()
    await this.#stop(this.#connections(), 'the gateway stops')
  }

  #connections(): StdioConnection[] {
    return [...(this.#connection === undefined ? [] : [this.#connection]), ...this.#own]
  }

  async #stop(connections: StdioConnection[], reason: string): Promise<void> {
    this.#soon?.resolve()
    await Promise.all(connections.map((connection) => connection.stop(reason)))
    await this.#starting
  }

  /** What a call has to wait for before it can be sent or refused. */
  #coming(headers: HeaderList): Promise<void> | undefined {
    if (this.#ready !== undefined || this.#status.closed) return undefined
    const coming = this.#starting ?? this.#soon?.started ?? (this.#starts === 0 ? this.#start() : undefined)
    return coming && this.#patient(headers, coming)
  }

  /** `coming`, but a call that came through another gateway does not wait for ever: the start may wait for that call. */
  #patient(headers: HeaderList, coming: Promise<void>): Promise<void> {
    if (viaOf(headers).length === 0) return coming
    const spent = this.#starting === undefined ? 0 : Date.now() - this.#startingSince
    return settleWithin(Math.max(this.#timing.cascadeMs - spent, 0), coming)
  }

  #start(): Promise<void> {
    if (this.#starting !== undefined) return this.#starting
    // Whoever came first has started it: a pause that ends later, or one who waited for it.
    if (this.#connection !== undefined && this.#ready !== undefined) return Promise.resolve()
    const soon = this.#soon
    this.#soon = undefined
    // Not within this turn: whoever hears of the new state may ask for a start again, and must find this one.
    const running = Promise.resolve().then(() => this.#run())
    this.#startingSince = Date.now()
    this.#starting = running.finally(() => {
      this.#starting = undefined
      soon?.resolve()
    })
    return this.#starting
  }

  async #run(): Promise<void> {
    if (this.#status.closed) return
    this.#status.set({ health: 'starting', era: this.state.era })
    const connection = await this.#spawn(
      ownOpening(this.#options.version, this.#config.instances === 'shared' ? SHARED_CAPABILITIES : {}),
      this.#expected,
      (how, ended) => this.#ended(ended, how),
    )
    this.#connection = connection
    if (this.#status.closed) return connection.stop('the gateway stops')
    const negotiated = await connection.negotiated
    if (negotiated.kind === 'late-modern') {
      this.#expected = 'modern'
      await connection.stop('it is started again, since it turned out to speak 2026-07-28')
      return this.#run()
    }
    if (negotiated.kind === 'failed' || connection.how !== undefined) {
      // A server that ends when it is asked what it does not know may be one that wants `initialize` first.
      this.#expected = connection.how !== undefined && this.#expected === undefined ? 'legacy' : undefined
      const reason = negotiated.kind === 'failed' ? negotiated.reason : 'it had just begun'
      const { how } = connection
      this.#connection = undefined
      await connection.stop(reason)
      this.#down(how === undefined ? reason : `the process ${how}; ${reason}`)
      return
    }
    this.#ready = negotiated
    this.#readyAt = Date.now()
    this.#expected = negotiated.kind
    this.#status.set(readyState(negotiated))
  }

  async #spawn(
    opening: SessionOpening,
    expected: Era | undefined,
    onEnd: (how: string, connection: StdioConnection) => void,
  ): Promise<StdioConnection> {
    const searchPath = this.#config.env.PATH === undefined ? await this.#options.searchPath?.() : undefined
    const connection = new StdioConnection({
      config: this.#config,
      commandLine: this.command,
      environment: serverEnvironment(this.#config.env, searchPath, `${this.#options.via} (${this.name})`),
      opening,
      expected,
      timing: this.#timing,
      version: this.#options.version,
      maxMessageBytes: this.#options.maxMessageBytes,
      processes: this.#options.processes,
      onStderr: (line) => {
        this.#stderr.push(line)
        this.#status.report('stderr', line)
      },
      onNoise: (text) => this.#status.report('noise', text),
      onSilence: (reason, silent) => this.#silence(silent, reason),
      onEnd: (how, ended) => {
        this.#status.report('exited', ended.pid === undefined ? how : `process ${ended.pid} ${how}`)
        onEnd(how, ended)
      },
    })
    this.#starts++
    const { pid } = connection
    if (pid !== undefined)
      this.#status.report(this.#starts === 1 ? 'started' : 'restarted', `process ${pid}: ${this.command}`)
    return connection
  }

  /** Of a process that is one client's alone only a line tells: the others are not concerned. */
  #silence(connection: StdioConnection, reason: string | undefined): void {
    if (this.#connection !== connection || this.#ready === undefined) {
      if (reason !== undefined) this.#status.report('noise', `process ${connection.pid ?? ''} of one session ${reason}`)
    } else if (reason === undefined) this.#status.set(readyState(this.#ready))
    else this.#status.set({ health: 'degraded', era: this.state.era, reason: `it ${reason}` })
  }

  /** The shared process is gone. While it was starting, `#run` deals with that. */
  #ended(connection: StdioConnection, how: string): void {
    if (this.#connection !== connection) return
    this.#connection = undefined
    if (this.#ready === undefined) return
    this.#ready = undefined
    if (Date.now() - this.#readyAt >= this.#timing.steadyMs) this.#backoff.reset()
    this.#down(`the process ${how}`)
  }

  #down(reason: string): void {
    const words = this.#stderr.last()
    const pause = this.#backoff.pauseMs
    this.#status.set({
      health: 'down',
      era: this.state.era,
      reason: words === undefined ? reason : `${reason}; last on stderr: ${words.slice(0, 300)}`,
    })
    if (this.#status.closed) return
    this.#backoff.again(() => void this.#start())
    if (pause > SOON_MS) return
    let resolve: () => void = () => undefined
    const started = new Promise<void>((settle) => (resolve = settle))
    this.#soon = { started, resolve }
  }

  async #discoverAgain(connection: StdioConnection): Promise<void> {
    const id = 'sluice-discover-again'
    const body = discoverText(id, this.#options.version)
    const signal = AbortSignal.timeout(this.#timing.discoverMs)
    const request = { method: 'server/discover', id, body, headers: [], quiet: true as const }
    const answer = await readAnswer(connection.channel.exchange(request, signal, connection.sent()), id)
    const verdict = readDiscover(answer)
    // A server that is busy is not worse for it; one that ended is seen by its end.
    if (verdict.kind === 'modern' && this.#ready !== undefined) this.#status.set(verdict.state)
  }

  #notRunning(): string {
    if (this.#starting !== undefined)
      return 'the process is still starting (does it lead back to the gateway that asks? Then each waits for the other)'
    return `the process is not running: ${this.state.reason ?? 'it has not been started'}`
  }
}

function readyState(ready: Ready): Omit<BackendState, 'changedAt'> {
  if (ready.kind === 'modern') return ready.state
  const { initialized } = ready
  const { serverInfo } = initialized
  return { health: 'ready', era: 'legacy', initialized, ...(serverInfo === undefined ? {} : { serverInfo }) }
}
