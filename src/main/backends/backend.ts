import type { BackendHealth, HeaderList, UpstreamEnded } from '../../shared/capture/events'
import type { JsonObject, RequestId } from '../../shared/protocol/json-rpc'
import type { Era } from '../../shared/protocol/revisions'
import type { CancelSignal } from './cancel-signal'

/** One request to a backend. `body` is the JSON text to send, already edited by the gateway, in the backend's era. */
export interface UpstreamRequest {
  method: string
  /** Id in `body`, unique among the requests outstanding at this backend. */
  id: RequestId
  body: string
  /** Tool or prompt name, URI or task id to mirror in `Mcp-Name`, where the method has one. */
  mirroredName?: string
  /** `Mcp-Param-*` fields of the client, and the fields that configuration lets pass (`passHeaders`). */
  headers: HeaderList
  /** Asked by the gateway for itself: no client waits for the answer. */
  quiet?: true
}

/** What arrives, in order: at most one head to each `sent`, frames, exactly one end. */
export type UpstreamPart =
  /**
   * The request left. stdio: method `stdio`, `url` is the command line. A second one of the same exchange says why in
   * `again`: `repeat` sends the same body once more, because the first was refused for a session that was no longer
   * known; `resume` is a GET without a body that goes on with a stream that broke (Last-Event-ID).
   */
  | { kind: 'sent'; method: string; url: string; headers: HeaderList; again?: 'repeat' | 'resume' }
  | { kind: 'head'; status: number; headers: HeaderList }
  /**
   * `data` is the message text of an event or body; undefined for comments, for messages that are not for the gateway
   * (a ping that the connector answered, a refusal that it dealt with), and for a batch, whose messages follow as frames
   * of their own. `respond` is there for requests of a legacy server, see `Stray`.
   */
  | {
      kind: 'frame'
      form: 'event' | 'comment' | 'body' | 'line'
      raw: string
      /** See `UpstreamFrame`. */
      bytes?: string
      data?: string
      respond?: (text: string) => void
    }
  /**
   * `wrongEra`: the answer shows that the backend does not speak the era that it was addressed in, and so did nothing.
   * The connector probes it anew: await `discover()`, and if `state.era` has changed, send the call once more.
   */
  | { kind: 'ended'; reason: UpstreamEnded['reason']; detail?: string; wrongEra?: true }

/** What a legacy server answered to `initialize`. */
export interface Initialized {
  protocolVersion: string
  capabilities: JsonObject
  serverInfo?: { name: string; version?: string }
  instructions?: string
  /** The whole result. */
  raw: JsonObject
}

/**
 * A message of a legacy server that belongs to no exchange. `raw` is its text on the wire, `data` the message. Requests
 * have `respond`, which takes the JSON-RPC response with the server's own id; the first response counts. Pings never
 * come here: the connector answers them.
 */
export interface Stray {
  raw: string
  data: string
  respond?: (text: string) => void
}

/** How a legacy session is to be opened: what `initialize` says of the client, and the header fields that pass. */
export interface SessionOpening {
  clientInfo: JsonObject
  capabilities: JsonObject
  protocolVersion: string
  headers: HeaderList
}

/** One `initialize` session with a legacy backend: an HTTP session, an HTTP+SSE connection, or a handle on a stdio process. */
export interface LegacySession {
  /** Of the last `initialize`; a session that was lost and begun anew may have changed it. */
  readonly initialized: Initialized
  /** The same value for all handles on one connection (a shared stdio process), whose strays are then the same too. */
  readonly connection: symbol
  /** Everything on its connection is about the one client that it was opened for, also what names no call. */
  readonly exclusive: boolean
  /** False after `onClosed` or `close()`: exchanges end at once with `lost`, and a new session is to be opened. */
  readonly open: boolean
  /**
   * Body in legacy form. Aborting `signal` sends `notifications/cancelled` and ends the parts with `cancelled`, as does
   * giving up the iteration before the answer came. Where calls share a connection, progress is attributed by token ===
   * `request.id` (or its string form), and requests and log messages go to the only call that could be meant.
   */
  exchange(request: UpstreamRequest, signal: CancelSignal): AsyncIterableIterator<UpstreamPart>
  /** Messages that belong to no exchange. While nobody listens, requests among them are refused with an error. */
  onStray(listener: (stray: Stray) => void): () => void
  /**
   * The server had forgotten the session, and a new one is there in its place, with the log level and the subscriptions
   * of the lost one. What changed in between went unheard.
   */
  onRenewed(listener: () => void): () => void
  /** Once, when the session ended by itself. */
  onClosed(listener: (reason: string) => void): () => void
  /** Sends a notification. Rejects when it could not be delivered. */
  notify(body: string): Promise<void>
  readonly inFlight: number
  /**
   * Nobody waits for messages that belong to no exchange: HTTP closes the GET stream of the session, until the next
   * exchange or listener. Other connections carry everything, and stay.
   */
  rest(): void
  close(): Promise<void>
}

/** What happens besides exchanges: of processes, and `restarted` of HTTP sessions that were begun anew. `noise` is what came on stdout and is no message for any call, with the reason. */
export interface Activity {
  kind: 'stderr' | 'noise' | 'started' | 'exited' | 'restarted'
  text: string
}

export interface BackendState {
  health: BackendHealth
  era: Era | null
  /** In words, when not `ready`. */
  reason?: string
  changedAt: number
  serverInfo?: { name: string; version?: string }
  /** The last `server/discover` result. */
  discovered?: JsonObject
  /** The last `initialize` result of a legacy backend. */
  initialized?: Initialized
  /** `WWW-Authenticate` of the refusal, while `health` is `needs-sign-in`. */
  challenge?: string
}

export interface Backend {
  readonly name: string
  readonly type: 'http' | 'sse' | 'stdio' | 'replay'
  readonly url?: string
  /** The command line of a stdio backend, without secrets that its arguments seem to carry; what a replay backend reads. */
  readonly command?: string
  /** stdio: one process for all, or one for every session of a legacy client. */
  readonly instances?: 'shared' | 'per-session'
  /**
   * True when calls share one connection, so that progress tokens must be unique there (everything but modern HTTP). The
   * gateway then sends `request.id` as the progress token.
   */
  readonly sharesConnection: boolean
  readonly state: BackendState
  onState(listener: (state: BackendState) => void): () => void
  onActivity(listener: (activity: Activity) => void): () => void
  /**
   * Finds out how the backend is, and its era unless that is known; never rejects: the outcome is in `state`. `headers`
   * are those of a client whose credentials the backend wants to see (`passHeaders`).
   */
  discover(headers?: HeaderList): Promise<BackendState>
  /** Era `modern` only. Aborting `signal` ends the exchange upstream at once. */
  exchange(request: UpstreamRequest, signal: CancelSignal): AsyncIterableIterator<UpstreamPart>
  /**
   * Era `legacy`: the one session of all modern clients with the same passed headers. It declares no elicitation,
   * sampling or roots, except that a shared stdio process declares elicitation and sampling, since it is also that of
   * legacy clients. Rejects with `SessionError` when none can be had.
   */
  shared(headers: HeaderList): Promise<LegacySession>
  /**
   * Era `legacy`: a session of its own for one legacy client session (stdio: a handle on the shared process, unless
   * `"instances": "per-session"`). Rejects with `SessionError`.
   */
  open(opening: SessionOpening): Promise<LegacySession>
  /** The last lines of stderr of a stdio backend, at most 1 000, oldest first. */
  stderr?(): readonly string[]
  /** stdio: stops the process and starts it again, by hand; resolves when it is ready or has failed. replay: begins anew. */
  restart?(): Promise<void>
  /** Takes no new exchanges; resolves when those under way have ended and the connections are closed. */
  retire(): Promise<void>
  /** Ends everything at once. */
  close(): Promise<void>
}

/** No session with a legacy backend could be had; `reason` as in the end of an exchange. */
export class SessionError extends Error {
  constructor(
    readonly reason: UpstreamEnded['reason'],
    readonly detail: string,
    /** HTTP status, where one came, and the challenge of a 401 or 403. */
    readonly status = 0,
    readonly challenge?: string,
    /** Of the JSON-RPC error that `initialize` was refused with. */
    readonly code?: number,
  ) {
    super(detail)
    this.name = 'SessionError'
  }
}
