import { Pool } from 'undici'
import type { HeaderList } from '../../shared/capture/events'
import type { BackendConfig } from '../../shared/config/schema'
import { ErrorCode } from '../../shared/protocol/errors'
import { encodeHeaderValue } from '../../shared/protocol/header-value'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { META } from '../../shared/protocol/meta'
import { MODERN_VERSION } from '../../shared/protocol/revisions'
import type { Backend, BackendState, UpstreamPart, UpstreamRequest } from './backend'
import { HttpExchange } from './http-exchange'

export interface HttpBackendOptions {
  name: string
  config: BackendConfig
  maxMessageBytes: number
  /** Version of this gateway, for `User-Agent` and `clientInfo` of its own probes. */
  version: string
  /** This gateway in `Via` (RFC 9110 7.6.3), by which it knows calls that a configuration sends back to it. */
  via: string
}

const PROTOCOL_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Header fields that the protocol or the connection owns: neither configuration nor a client may set them upstream. */
export function isProtocolHeader(name: string): boolean {
  return PROTOCOL_HEADERS.has(name.toLowerCase())
}

const CONNECT_TIMEOUT_MS = 5_000
const PROBE_TIMEOUT_MS = 5_000
/** Pauses before a backend that is down is probed again. */
const PROBE_PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000]

/** A modern Streamable HTTP backend: one POST an exchange, raw bytes both ways, no time-out on silent tools. */
export class HttpBackend implements Backend {
  readonly name: string
  readonly type = 'http'
  readonly url: string
  #state: BackendState = { health: 'starting', era: null, changedAt: Date.now() }
  #listeners = new Set<(state: BackendState) => void>()
  readonly #pool: Pool
  readonly #path: string
  readonly #options: HttpBackendOptions
  readonly #ownHeaders: string[]
  #probing: Promise<BackendState> | undefined
  #retry: NodeJS.Timeout | undefined
  #failures = 0
  #closed = false

  constructor(options: HttpBackendOptions) {
    const url = new URL(options.config.url)
    this.#options = options
    this.name = options.name
    this.url = options.config.url
    this.#path = url.pathname + url.search
    this.#pool = new Pool(url.origin, {
      connections: null,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      autoSelectFamily: true,
    })
    this.#ownHeaders = Object.entries(options.config.headers)
      .filter(([name]) => !isProtocolHeader(name))
      .flat()
  }

  get state(): BackendState {
    return this.#state
  }

  onState(listener: (state: BackendState) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  exchange(request: UpstreamRequest, signal: AbortSignal): AsyncIterableIterator<UpstreamPart> {
    const exchange = new HttpExchange(this.#options.maxMessageBytes, (reachable, detail) =>
      this.#settled(reachable, detail),
    )
    const headers = this.#headersFor(request)
    exchange.parts.push({ kind: 'sent', method: 'POST', url: this.url, headers: pairs(headers) })
    if (signal.aborted) {
      exchange.cancel()
      return exchange.parts
    }
    const cancel = (): void => exchange.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    this.#pool.dispatch({ path: this.#path, method: 'POST', headers, body: request.body }, exchange)
    return exchange.parts
  }

  async discover(): Promise<BackendState> {
    this.#probing ??= this.#probe().finally(() => (this.#probing = undefined))
    return this.#probing
  }

  async retire(): Promise<void> {
    this.#stopProbing()
    await this.#pool.close()
  }

  async close(): Promise<void> {
    this.#stopProbing()
    await this.#pool.destroy()
  }

  #stopProbing(): void {
    this.#closed = true
    clearTimeout(this.#retry)
  }

  #headersFor(request: UpstreamRequest): string[] {
    const headers = [
      'content-type',
      'application/json',
      'accept',
      'application/json, text/event-stream',
      // Compressed bytes could not be shown as they crossed the wire, and would delay small frames.
      'accept-encoding',
      'identity',
      'user-agent',
      `sluice/${this.#options.version}`,
      'mcp-protocol-version',
      MODERN_VERSION,
      'mcp-method',
      request.method,
    ]
    if (request.mirroredName !== undefined) headers.push('mcp-name', encodeHeaderValue(request.mirroredName))
    let via = `${this.#options.via} (${this.name})`
    for (const [name, value] of request.headers) {
      if (name === 'via') via = `${value}, ${via}`
      else headers.push(name, value)
    }
    headers.push('via', via)
    headers.push(...this.#ownHeaders)
    return headers
  }

  async #probe(): Promise<BackendState> {
    const id = `sluice-probe-${this.#failures}`
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'server/discover',
      params: {
        _meta: {
          [META.protocolVersion]: MODERN_VERSION,
          [META.clientInfo]: { name: 'sluice', version: this.#options.version },
          [META.clientCapabilities]: {},
        },
      },
    })
    let status = 0
    let answer: unknown
    let failure: string | undefined
    const timeout = AbortSignal.timeout(PROBE_TIMEOUT_MS)
    const parts = this.exchange({ method: 'server/discover', id, body, headers: [] }, timeout)
    for await (const part of parts) {
      if (part.kind === 'head') status = part.status
      else if (part.kind === 'frame' && part.data !== undefined) answer = readAnswer(part.data, id) ?? answer
      else if (part.kind === 'ended' && part.reason !== 'complete') failure = part.detail ?? `${part.reason}`
      if (answer !== undefined) break
    }
    if (timeout.aborted) failure = `no answer to server/discover within ${PROBE_TIMEOUT_MS / 1000} s`
    this.#set(verdict(answer, status, failure))
    return this.#state
  }

  /** Traffic is evidence too: a backend that answers is reachable, one that refuses connections is down. */
  #settled(reachable: boolean, detail?: string): void {
    if (reachable && this.#state.health === 'down' && this.#probing === undefined) void this.discover()
    else if (!reachable) this.#set({ health: 'down', era: this.#state.era, reason: detail ?? 'not reachable' })
  }

  #set(next: Omit<BackendState, 'changedAt'>): void {
    if (this.#closed) return
    const before = this.#state
    const changed = before.health !== next.health || before.reason !== next.reason
    this.#state = {
      ...next,
      ...(next.serverInfo === undefined && before.serverInfo !== undefined ? { serverInfo: before.serverInfo } : {}),
      changedAt: changed ? Date.now() : before.changedAt,
    }
    if (next.health === 'down') this.#probeAgain()
    else this.#failures = 0
    if (changed || before.era !== next.era || next.discovered !== undefined) {
      for (const listener of this.#listeners) listener(this.#state)
    }
  }

  #probeAgain(): void {
    clearTimeout(this.#retry)
    const pause = PROBE_PAUSES_MS[Math.min(this.#failures, PROBE_PAUSES_MS.length - 1)] ?? 0
    this.#failures++
    this.#retry = setTimeout(() => void this.discover(), pause)
    this.#retry.unref()
  }
}

function readAnswer(data: string, id: string): JsonObject | undefined {
  try {
    const message: unknown = JSON.parse(data)
    if (!isObject(message) || message.method !== undefined) return undefined
    return message.id === id || message.error !== undefined ? message : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** What the answer to `server/discover` says of a backend (basic/versioning, "Era detection"). */
function verdict(answer: unknown, status: number, failure: string | undefined): Omit<BackendState, 'changedAt'> {
  if (isObject(answer) && isObject(answer.result)) {
    const { supportedVersions, _meta } = answer.result
    const info = isObject(_meta) ? _meta[META.serverInfo] : undefined
    const serverInfo =
      isObject(info) && typeof info.name === 'string'
        ? { name: info.name, ...(typeof info.version === 'string' ? { version: info.version } : {}) }
        : undefined
    const known = {
      era: 'modern' as const,
      discovered: answer.result,
      ...(serverInfo === undefined ? {} : { serverInfo }),
    }
    if (Array.isArray(supportedVersions) && supportedVersions.includes(MODERN_VERSION))
      return { health: 'ready', ...known }
    return { health: 'degraded', ...known, reason: `it does not list ${MODERN_VERSION} among its supportedVersions` }
  }
  if (isObject(answer) && isObject(answer.error)) {
    const { code, message } = answer.error
    const modern: readonly unknown[] = [
      ErrorCode.HeaderMismatch,
      ErrorCode.MissingRequiredClientCapability,
      ErrorCode.UnsupportedProtocolVersion,
    ]
    const era = modern.includes(code) ? ('modern' as const) : null
    return {
      health: 'degraded',
      era,
      reason: `it answers server/discover with error ${String(code)}: ${String(message).slice(0, 200)}`,
    }
  }
  if (failure !== undefined) return { health: 'down', era: null, reason: failure }
  const hint = status === 401 || status === 403 ? ' (configure its "headers")' : ''
  return {
    health: 'degraded',
    era: null,
    reason: `it answers server/discover with HTTP ${status} and no JSON-RPC message${hint}; is this the MCP endpoint of a ${MODERN_VERSION} server?`,
  }
}

function pairs(flat: readonly string[]): HeaderList {
  const list: HeaderList = []
  for (let index = 0; index + 1 < flat.length; index += 2) list.push([flat[index] ?? '', flat[index + 1] ?? ''])
  return list
}
