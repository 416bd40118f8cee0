import type { Answer, Ask, Catalog, CatalogBackend } from '../../src/main/gateway/catalog/contract'
import { createCatalog } from '../../src/main/gateway/catalog/create-catalog'
import type { Backend, BackendState } from '../../src/main/backends/backend'
import { BackendConfig, type GatewayConfig, type NamePolicy } from '../../src/shared/config/schema'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'

/** What a fake backend says to one question: a result, its raw text, an answer of another kind, or nothing for ever. */
export type Reply = JsonObject | string | Answer | 'silence'
export type Replies = Record<string, (params: JsonObject) => Reply>

export const failed = (reason: string, code = -32603): Answer => ({
  ok: false,
  error: { code, message: reason },
  reason,
})
export const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  inputSchema: { type: 'object' },
  ...more,
})
export const listOf = (member: string, entries: JsonObject[], more: JsonObject = {}): JsonObject => ({
  resultType: 'complete',
  [member]: entries,
  ttlMs: 0,
  cacheScope: 'private',
  ...more,
})
export const tools = (...names: string[]): Replies => ({
  'tools/list': () =>
    listOf(
      'tools',
      names.map((name) => tool(name)),
    ),
})
export const resources = (uris: string[], templates: string[] = []): Replies => ({
  'resources/list': () =>
    listOf(
      'resources',
      uris.map((uri) => ({ uri, name: uri })),
    ),
  'resources/templates/list': () =>
    listOf(
      'resourceTemplates',
      templates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate })),
    ),
})

export interface FakeBackend {
  replies: Replies
  config?: Partial<BackendConfig>
  state?: Partial<BackendState>
}

export interface Bench {
  catalog: Catalog
  ask: Ask
  /** Questions in order, `<backend> <method>`, with the cursor where there is one. */
  questions: string[]
  /** Signals of the questions, in order. */
  signals: AbortSignal[]
  backends: CatalogBackend[]
  clock: { now: number }
  list(method: 'tools' | 'prompts' | 'resources' | 'resourceTemplates', cursor?: string): Promise<JsonObject>
}

export interface BenchOptions {
  policy?: NamePolicy
  listTimeoutMs?: number
}

/** A catalog over fake backends, in this order. Methods without a reply are unknown (-32601). */
export function bench(
  fakes: Record<string, FakeBackend>,
  { policy = 'prefix', listTimeoutMs = 1_000 }: BenchOptions = {},
): Bench {
  const clock = { now: 0 }
  const questions: string[] = []
  const signals: AbortSignal[] = []
  const catalog = createCatalog({ version: '1.2.3', now: () => clock.now })
  const backends = Object.entries(fakes).map(([name, { config, state }]): CatalogBackend => {
    return { backend: fakeBackend(name, state), config: BackendConfig.parse({ url: 'http://127.0.0.1:1', ...config }) }
  })
  const ask: Ask = (backend, method, params, signal) => {
    const cursor = params.cursor === undefined ? '' : ` ${JSON.stringify(params.cursor)}`
    questions.push(`${backend.name} ${method}${cursor}`)
    signals.push(signal)
    const reply = fakes[backend.name]?.replies[method]?.(params) ?? failed('Method not found', -32601)
    if (reply === 'silence') return new Promise(() => undefined)
    if (typeof reply === 'string') return Promise.resolve({ ok: true, resultText: reply })
    return Promise.resolve(isAnswer(reply) ? reply : { ok: true, resultText: JSON.stringify(reply) })
  }
  const settings: Pick<GatewayConfig, 'names' | 'listTimeoutMs'> = { names: { policy }, listTimeoutMs }
  catalog.configure(settings, backends)
  return {
    catalog,
    ask,
    questions,
    signals,
    backends,
    clock,
    list: async (kind, cursor) => JSON.parse((await catalog.list(kind, cursor, ask)).resultText) as JsonObject,
  }
}

export const namesIn = (list: JsonObject, member = 'tools', key = 'name'): unknown[] =>
  (list[member] as JsonObject[]).map((entry) => entry[key])

function isAnswer(reply: JsonObject | Answer): reply is Answer {
  return typeof reply.ok === 'boolean'
}

function fakeBackend(name: string, state: Partial<BackendState> = {}): Backend {
  const full: BackendState = { health: 'ready', era: 'modern', changedAt: 0, ...state }
  return {
    name,
    type: 'http',
    sharesConnection: false,
    state: full,
    onState: () => () => undefined,
    onActivity: () => () => undefined,
    discover: () => Promise.resolve(full),
    exchange: () => {
      throw new Error('the catalog asks, it does not exchange')
    },
    shared: () => Promise.reject(new Error('the catalog asks, it opens no session')),
    open: () => Promise.reject(new Error('the catalog asks, it opens no session')),
    retire: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}
