import { randomBytes } from 'node:crypto'
import type { CatalogEntry, BackendStatus } from '../../shared/api/contract'
import type { BackendConfig, Configuration } from '../../shared/config/schema'
import { ErrorCode } from '../../shared/protocol/errors'
import { MAX_RESULT, MAX_RESULT_NESTING } from '../../shared/capture/known-servers'
import { nestsDeeper } from '../../shared/replay/recorded-exchange'
import type { Backend, BackendState } from '../backends/backend'
import type { BackendOptions } from '../backends/backend-options'
import { createBackend } from '../backends/create-backend'
import type { Tap } from '../capture/tap'
import { Announcements } from './announcements'
import { askQuietly } from './ask'
import type { Call } from './call'
import type { Ask, Catalog } from './catalog/contract'
import { createCatalog } from './catalog/create-catalog'
import { dispatch, type ConfiguredBackend, type DispatchParts } from './dispatch'
import { allowListFor, type AllowList } from './guards'
import { Ingress } from './ingress'
import { LegacyGateway } from './legacy/legacy-gateway'
import { UpstreamLogLevel } from './legacy/upstream-log-level'
import { Listener, type Listening } from './listener'
import { Reception } from './reception'
import { StateSealer } from './state-sealer'
import type { StateKeys } from './state-keys'
import { listenToAll } from './subscriptions/listen'
import { TaskOperations } from './tasks'

export interface GatewayOptions {
  configuration: Configuration
  tap: Tap
  stateKeys: StateKeys
  version: string
  /** How backends are started and waited for. */
  backends?: Pick<BackendOptions, 'searchPath' | 'processes' | 'timing' | 'captures'>
}

export interface Gateway {
  /** `http://127.0.0.1:<port>` once it listens; endpoints are `<base>/mcp` and `<base>/mcp/<backend>`. */
  readonly base: string
  listen(): Promise<Listening>
  /** Applies a changed configuration. Calls in flight go on as they began, also those to a backend that is taken out. */
  apply(configuration: Configuration): void
  backends(): readonly Backend[]
  /** Any change of the list of backends, of a backend's state, or of what it offers. */
  onBackends(listener: () => void): () => void
  /** What a backend offers, freshly asked when `refresh` was not called lately. */
  catalog(backend: string): Promise<{ entries: CatalogEntry[]; problems: string[] }>
  refresh(backend: string): Promise<void>
  /**
   * Somebody looks at what backends offer, until the function is called that this returns: meanwhile modern backends are
   * listened to for changes of their lists, each on a stream of the gateway's own.
   */
  watch(): () => void
  counts(backend: string): BackendStatus['counts']
  /** Stops accepting, ends open answers with an error, and waits at most `graceMs` for their last bytes. */
  close(graceMs?: number): Promise<void>
}

interface Entry extends ConfiguredBackend {
  config: BackendConfig
}

export function createGateway(options: GatewayOptions): Gateway {
  return new LiveGateway(options)
}

class LiveGateway implements Gateway {
  readonly #tap: Tap
  readonly #version: string
  readonly #backendOptions: GatewayOptions['backends']
  readonly #sealer: StateSealer
  /** Unlike any other gateway's, so that chains of gateways are no loops. */
  readonly #via = `1.1 sluice-${randomBytes(8).toString('hex')}`
  readonly #catalog: Catalog
  readonly #listener: Listener
  readonly #ingress: Ingress
  readonly #parts: DispatchParts
  readonly #legacy: LegacyGateway
  readonly #announcements: Announcements
  readonly #calls = new Set<Call>()
  /** Taken out of the configuration, with calls still under way. */
  readonly #retired = new Set<Backend>()
  readonly #listeners = new Set<() => void>()
  readonly #loops = new WeakSet<Backend>()
  #configuration: Configuration
  #entries = new Map<string, Entry>()
  #allowed: AllowList = { hosts: new Set(), origins: new Set() }
  #base = ''
  #port = 0
  #stopping = false

  constructor(options: GatewayOptions) {
    this.#tap = options.tap
    this.#version = options.version
    this.#backendOptions = options.backends
    this.#configuration = options.configuration
    this.#catalog = createCatalog({ version: options.version })
    this.#announcements = new Announcements({
      expire: (backend, kind) => this.#catalog.expire(backend.name, kind),
      learn: (backend) => this.#learnLists(backend),
      version: options.version,
    })
    this.#sealer = new StateSealer(options.stateKeys, options.configuration.gateway.requestStateTtlSeconds)
    const reception = new Reception({
      tap: options.tap,
      settings: () => this.#configuration.gateway,
      allowed: () => this.#allowed,
    })
    this.#parts = {
      catalog: this.#catalog,
      sealer: this.#sealer,
      tasks: new TaskOperations(),
      logLevel: new UpstreamLogLevel(),
      backend: (wanted) => this.#entries.get(wanted),
      backends: () => [...this.#entries.values()],
      announced: (backend, method) => this.#announcements.heard(backend, method),
      listen: (call, only) =>
        listenToAll(call, {
          catalog: this.#catalog,
          backends: () => (only === undefined ? [...this.#entries.values()] : [only]),
          onBackends: (listener) => this.onBackends(listener),
          announced: (backend, method) => this.#announcements.heard(backend, method),
        }),
    }
    this.#legacy = new LegacyGateway({
      reception,
      parts: this.#parts,
      version: options.version,
      pingIntervalMs: () => this.#configuration.gateway.pingIntervalMs,
      pushLingerMs: () => this.#configuration.gateway.pushLingerMs,
      onBackends: (listener) => this.onBackends(listener),
      announced: (backend, method) => this.#announcements.heard(backend, method),
      track: (call, serving) => this.#track(call, serving),
    })
    this.#ingress = new Ingress({
      reception,
      settings: () => this.#configuration.gateway,
      allowed: () => this.#allowed,
      via: this.#via,
      looped: (backend) => this.#looped(backend),
      backends: () => [...this.#entries.keys()],
      isBackend: (name) => this.#entries.has(name),
      isOff: (name) => this.#configuration.off?.some((one) => one.name === name) === true,
      serve: (call, backend) => this.#serve(call, backend),
      legacy: this.#legacy.door,
      stopping: () => this.#stopping,
    })
    this.#listener = new Listener((request, response) => {
      // The ingress answers every failure itself; should answering fail, the client at least learns it by the closed connection.
      this.#ingress.handle(request, response).catch((error: unknown) => response.destroy(asError(error)))
    })
    this.#configure()
  }

  get base(): string {
    return this.#base
  }

  async listen(): Promise<Listening> {
    const { host, port } = this.#configuration.gateway
    const listening = await this.#listener.listen(port, host)
    this.#port = listening.port
    this.#base = `http://${host === '::1' ? '[::1]' : '127.0.0.1'}:${listening.port}`
    this.#allow()
    for (const { backend } of this.#entries.values()) void this.#learn(backend)
    return listening
  }

  apply(configuration: Configuration): void {
    this.#configuration = configuration
    this.#sealer.ttlSeconds = configuration.gateway.requestStateTtlSeconds
    const gone = this.#configure()
    this.#allow()
    for (const backend of gone) {
      this.#retired.add(backend)
      this.#announcements.forget(backend)
      void backend.retire().finally(() => this.#retired.delete(backend))
    }
    this.#changed()
  }

  backends(): readonly Backend[] {
    return [...this.#entries.values()].map(({ backend }) => backend)
  }

  onBackends(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async catalog(name: string): Promise<{ entries: CatalogEntry[]; problems: string[] }> {
    const entry = this.#entries.get(name)
    if (entry !== undefined) await this.#catalog.learn(entry.backend, this.#askQuietly)
    return this.#catalog.entries(name)
  }

  async refresh(name: string): Promise<void> {
    const entry = this.#entries.get(name)
    if (entry === undefined) return
    this.#catalog.expire(name)
    await this.#learn(entry.backend)
  }

  watch(): () => void {
    return this.#announcements.watch(this.backends())
  }

  counts(name: string): BackendStatus['counts'] {
    return this.#catalog.counts(name)
  }

  async close(graceMs = 1_000): Promise<void> {
    this.#stopping = true
    this.#listener.stopAccepting()
    for (const call of this.#calls)
      call.abandon({ code: ErrorCode.InternalError, message: 'Gateway: Sluice is stopping; the call was ended.' })
    const flushed = Promise.all([...this.#calls].map((call) => call.response.flushed))
    await Promise.race([flushed, new Promise((resolve) => setTimeout(resolve, graceMs).unref())])
    await this.#legacy.close()
    for (const backend of this.backends()) this.#announcements.forget(backend)
    this.#listener.destroy()
    await Promise.all([...this.backends(), ...this.#retired].map((backend) => backend.close()))
  }

  #serve(call: Call, name: string | undefined): Promise<void> {
    const own = name === undefined ? undefined : this.#entries.get(name)
    return this.#track(call, dispatch(call, own, this.#parts))
  }

  async #track(call: Call, serving: Promise<void>): Promise<void> {
    this.#calls.add(call)
    try {
      await serving
    } finally {
      this.#calls.delete(call)
    }
  }

  /** Makes the backends match the configuration; returns those that are no longer used. */
  #configure(): Backend[] {
    const { gateway, mcpServers } = this.#configuration
    const before = this.#entries
    this.#entries = new Map()
    for (const [name, config] of Object.entries(mcpServers)) {
      const known = before.get(name)
      const kept = known !== undefined && sameConnection(known.config, config) ? known.backend : undefined
      const backend = kept ?? this.#start(name, config)
      this.#entries.set(name, {
        backend,
        config,
        passHeaders: new Set('passHeaders' in config ? config.passHeaders.map((header) => header.toLowerCase()) : []),
      })
    }
    this.#catalog.configure(gateway, [...this.#entries.values()])
    const kept = new Set(this.backends())
    return [...before.values()].map(({ backend }) => backend).filter((backend) => !kept.has(backend))
  }

  #start(name: string, config: BackendConfig): Backend {
    const { maxMessageBytes } = this.#configuration.gateway
    const backend = createBackend(name, config, {
      maxMessageBytes,
      version: this.#version,
      via: this.#via,
      ...this.#backendOptions,
    })
    if (backend.url !== undefined) this.#tap.record({ kind: 'backend.started', backend: name, url: backend.url })
    backend.onActivity(({ kind, text }) => this.#tap.record({ kind: `backend.${kind}`, backend: name, text }))
    let health = backend.state.health
    backend.onState((state) => {
      const { era, reason, serverInfo } = state
      this.#tap.record({
        kind: 'backend.probed',
        backend: name,
        health: state.health,
        ...(era === null ? {} : { era }),
        ...(reason === undefined ? {} : { reason }),
        ...(serverInfo === undefined ? {} : { serverInfo }),
        ...resultOf(state),
      })
      if (state.health !== health && health === 'down') void this.#learn(backend)
      health = state.health
      this.#changed()
    })
    if (this.#port !== 0) void this.#learn(backend)
    return backend
  }

  /** Told once of a backend: the calls that are refused for it are on record too, each as a call of its own. */
  #looped(name: string): void {
    const backend = this.#entries.get(name)?.backend
    if (backend === undefined || this.#loops.has(backend)) return
    this.#loops.add(backend)
    const text =
      'it leads back to this gateway: a call that went out through it came back and was refused. Correct or remove it in the configuration of this gateway, or of the one that it leads to.'
    this.#tap.record({ kind: 'backend.noise', backend: name, text })
  }

  async #learn(backend: Backend): Promise<void> {
    const state = await backend.discover()
    if (state.health === 'down') return
    await this.#learnLists(backend)
    await this.#announcements.listen(backend)
  }

  async #learnLists(backend: Backend): Promise<void> {
    await this.#catalog.learn(backend, this.#askQuietly)
    this.#tap.record({ kind: 'backend.catalog', backend: backend.name, counts: this.#catalog.counts(backend.name) })
    this.#changed()
  }

  readonly #askQuietly: Ask = (backend, method, params, signal) =>
    askQuietly(backend, method, params, signal, this.#version)

  #allow(): void {
    const { allowedHosts, allowedOrigins } = this.#configuration.gateway
    this.#allowed = allowListFor(this.#port, allowedHosts, allowedOrigins)
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}

/** What is offered and how it is named may change without a new connection. */
function sameConnection(a: BackendConfig, b: BackendConfig): boolean {
  return JSON.stringify(connectionOf(a)) === JSON.stringify(connectionOf(b))
}

function connectionOf(config: BackendConfig): unknown {
  return { ...config, include: undefined, exclude: undefined, rename: undefined, passHeaders: undefined }
}

/** What the server said of itself, unless it is too long or too deep to be kept. */
function resultOf({ initialized, discovered }: BackendState): { result?: string } {
  const said = initialized?.raw ?? discovered
  if (said === undefined || nestsDeeper(said, MAX_RESULT_NESTING)) return {}
  const result = JSON.stringify(said)
  return result.length > MAX_RESULT ? {} : { result }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
