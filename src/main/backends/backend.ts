import type { BackendHealth, HeaderList, UpstreamEnded } from '../../shared/capture/events'
import type { JsonObject, RequestId } from '../../shared/protocol/json-rpc'
import type { Era } from '../../shared/protocol/revisions'

/** One request to a backend. `body` is the JSON text to send, already edited by the gateway. */
export interface UpstreamRequest {
  method: string
  /** Id in `body`, unique among the requests outstanding at this backend. */
  id: RequestId
  body: string
  /** Tool or prompt name, URI or task id to mirror in `Mcp-Name`, where the method has one. */
  mirroredName?: string
  /** `Mcp-Param-*` fields of the client, and the fields that configuration lets pass (`passHeaders`). */
  headers: HeaderList
}

/** What arrives, in order: at most one head, frames, exactly one end. */
export type UpstreamPart =
  | { kind: 'sent'; method: string; url: string; headers: HeaderList }
  | { kind: 'head'; status: number; headers: HeaderList }
  /** `data` is the message text of an event or body, undefined for comments. */
  | { kind: 'frame'; form: 'event' | 'comment' | 'body' | 'line'; raw: string; data?: string }
  | { kind: 'ended'; reason: UpstreamEnded['reason']; detail?: string }

export interface BackendState {
  health: BackendHealth
  era: Era | null
  reason?: string
  changedAt: number
  serverInfo?: { name: string; version?: string }
  /** The last `server/discover` result. */
  discovered?: JsonObject
}

export interface Backend {
  readonly name: string
  readonly type: 'http'
  readonly url?: string
  /** Priority order of configuration. */
  readonly state: BackendState
  onState(listener: (state: BackendState) => void): () => void
  /** Probes the backend (`server/discover`); never rejects: the outcome is in `state`. */
  discover(): Promise<BackendState>
  /** Aborting `signal` ends the exchange upstream (closes its stream) at once. */
  exchange(request: UpstreamRequest, signal: AbortSignal): AsyncIterableIterator<UpstreamPart>
  /** Takes no new exchanges; resolves when those under way have ended. */
  retire(): Promise<void>
  /** Ends everything at once. */
  close(): Promise<void>
}
