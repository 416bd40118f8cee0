import type { CatalogEntry } from '../../../shared/api/contract'
import type { BackendConfig, GatewayConfig } from '../../../shared/config/schema'
import type { ParameterAnnotation } from '../../../shared/protocol/parameter-headers'
import type { JsonObject, JsonValue } from '../../../shared/protocol/json-rpc'
import type { Backend } from '../../backends/backend'

export type ListKind = 'tools' | 'prompts' | 'resources' | 'resourceTemplates'

/** The outcome of one exchange. `resultText` is the raw JSON text of the `result` member; `reason` says in words why there is none. */
export type Answer =
  | { ok: true; resultText: string }
  | { ok: false; error: { code: number; message: string; data?: JsonValue }; reason: string }

/**
 * Performs one recorded exchange with one backend as part of the client's call. `params` come without `_meta`, which the
 * caller adds. Resolves always. `signal` is aborted when the time limit of the backend has passed.
 */
export type Ask = (backend: Backend, method: string, params: JsonObject, signal: AbortSignal) => Promise<Answer>

/** A backend that could not contribute (or not wholly), and why, in words. */
export interface Missing {
  backend: string
  reason: string
}

export interface MergedAnswer {
  /** Raw JSON text of the `result` member for the client. */
  resultText: string
  /** Backends that were really asked, in configured order. Those answered from a fresh public list are not among them. */
  asked: string[]
  missing: Missing[]
}

/** A client's mistake, for instance a bad cursor (-32602). */
export class CatalogError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: JsonValue,
  ) {
    super(message)
    this.name = 'CatalogError'
  }
}

/** Where a call goes, under which name or URI; or the error that the client gets. */
export type Resolution =
  { backend: Backend; name: string } | { refused: { code: number; message: string; data?: JsonValue } }

export interface CatalogBackend {
  backend: Backend
  config: BackendConfig
}

export type CatalogSettings = Pick<GatewayConfig, 'names' | 'listTimeoutMs'>

export interface Catalog {
  /** The order of `backends` is the order of priority. What is known of a backend object that stays is kept. */
  configure(settings: CatalogSettings, backends: readonly CatalogBackend[]): void
  /** One page of the merged list. Throws `CatalogError` for a bad cursor. */
  list(kind: ListKind, cursor: JsonValue | undefined, ask: Ask): Promise<MergedAnswer>
  /** `server/discover` of the aggregate endpoint. Never fails, and waits little for a backend that does not answer. */
  discover(ask: Ask): Promise<MergedAnswer>
  /** Synchronous where configuration alone decides; else from the last lists, fetching them when needed. */
  resolve(kind: 'tool' | 'prompt' | 'resource', name: string, ask: Ask): Resolution | Promise<Resolution>
  /** `ref/prompt` by name, `ref/resource` by URI template. */
  resolveCompletion(ref: JsonValue | undefined, ask: Ask): Promise<Resolution>
  /** The backends that may tell of changes of a resource: its owner by the last lists, else all that may offer it. Asks nobody. */
  subscribersOf(uri: string): readonly Backend[]
  /** The backend's own entries as last seen, and what is wrong with them. */
  entries(backend: string): { entries: CatalogEntry[]; problems: string[] }
  /** What the backend itself offers, as last seen; filtered entries included. */
  counts(backend: string): { tools: number; prompts: number; resources: number; resourceTemplates: number }
  /** Learns lists of one backend, all when `kinds` is absent: for the desk, at start-up, or because they are stale. Never rejects. */
  learn(backend: Backend, ask: Ask, kinds?: readonly ListKind[]): Promise<void>
  /** The arguments of a tool, by its own name, that travel in header fields too, by the list as last seen. */
  mirrored(backend: Backend, tool: string): readonly ParameterAnnotation[]
  /** The backend announced a change (`list_changed`), or may be another one now: its kept lists are not reused. */
  expire(backend: string, kind?: ListKind): void
}
