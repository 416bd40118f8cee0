import type { JsonValue, RequestId } from '../protocol/json-rpc'
import type { Era } from '../protocol/revisions'

/** Header fields in wire order, names as they were spelled, duplicates kept. */
export type HeaderList = [name: string, value: string][]

/**
 * One named edit of a body on its way through the gateway. `at` is a JSON Pointer into the body (or a header name for
 * `what: "header"`); `was` and `now` are the raw JSON texts (absent: the member was not there, or was removed).
 * `offset` is the position, in UTF-16 code units of the body as it arrived, where `was` stood (and `now` stands instead).
 */
export interface Edit {
  what:
    | 'id'
    | 'name'
    | 'requestState'
    | 'progressToken'
    | 'ttlMs'
    | 'meta'
    | 'capabilities'
    | 'header'
    | 'subscriptionId'
    | 'filter'
    | 'taskId'
    | 'era'
  at: string
  was?: string
  now?: string
  offset?: number
}

/**
 * A body that was carried on unchanged but for small edits is not written twice when it is large: it is the text of
 * event `seq` (a request body, a body frame, or the joined data of an SSE event) with `edits` applied.
 */
export interface BodyReference {
  seq: number
  edits: Edit[]
}

export type Outcome = 'result' | 'tool-error' | 'error' | 'input-required' | 'task' | 'cancelled'
export type EndedBy = 'backend' | 'client' | 'gateway'
export type CommitForm = 'json' | 'sse'
export type CommitCause = 'result' | 'error' | 'notification' | 'window' | 'mode'

export type WithheldReason =
  | 'no-progress-token'
  | 'progress-token-mismatch'
  | 'no-log-level'
  | 'below-log-level'
  | 'not-request-scoped'
  | 'server-request'
  | 'after-result'
  | 'json-mode'
  | 'not-subscribed'
  /** Said to the gateway, which says it to the client in its own words, for several backends at once. */
  | 'merged'
  | 'not-json-rpc'

export type StateRefusedReason =
  'malformed' | 'unauthentic' | 'unknown_key' | 'expired' | 'caller_mismatch' | 'request_mismatch' | 'backend_gone'

/** What the gateway seals around a backend's request state (docs/request-state.md). Times are Unix seconds. */
export interface SealedState {
  version: 1
  backend: string
  endpoint: string
  method: string
  /** Tool or prompt name as the client sent it, or resource URI. */
  target: string
  /** The backend's own state; absent when the backend gave none, which is not the same as "". */
  inner?: string
  paramsDigest: string
  /** Digest of the caller's `Authorization`, or null when it sent none. */
  callerDigest: string | null
  operation: string
  /** The round that produced this state, from 1. */
  round: number
  issuedAt: number
  expiresAt: number
}

interface Base {
  /** Position in the capture, from 1, without gaps. */
  seq: number
  /** Microseconds on a monotonic clock since the capture began. */
  at: number
  /** Set when the body or raw text was over the recorder's bound and only its beginning is here: its whole length in UTF-16 code units. */
  cut?: number
}
interface OfCall extends Base {
  /** Number of the call in this capture, from 1. */
  call: number
}

export interface CallReceived extends OfCall {
  kind: 'call.received'
  endpoint: string
  era: Era
  http: { method: string; path: string; headers: HeaderList }
  body: string
  id?: RequestId
  method?: string
  /** Tool or prompt name, or resource URI, as the client sent it. */
  name?: string
  progressToken?: RequestId
  logLevel?: string
  client?: { name: string; version?: string }
  deferralWindowMs: number
  /** After so long without a frame an event stream gets a ping. */
  pingIntervalMs?: number
  responseMode: 'auto' | 'json' | 'sse'
}
export interface CallRouted extends OfCall {
  kind: 'call.routed'
  /** The backend, or null when the gateway answers by itself or from several backends. */
  backend: string | null
  /** All backends asked, for merged answers. */
  backends?: string[]
  backendEra?: Era
  /** Name or URI as the backend knows it. */
  name?: string
  operation: string
  round: number
  edits: Edit[]
}
export interface UpstreamSent extends OfCall {
  kind: 'upstream.sent'
  exchange: number
  backend: string
  /** Era that the backend was spoken to in, where it is known. */
  era?: Era
  /**
   * Not the first of its exchange: the same once more for a legacy session that was begun anew, or a GET that goes on
   * with a stream that broke.
   */
  again?: 'repeat' | 'resume'
  http: { method: string; url: string; headers: HeaderList }
  body?: string
  bodyFrom?: BodyReference
}
export interface UpstreamHead extends OfCall {
  kind: 'upstream.head'
  exchange: number
  status: number
  headers: HeaderList
}
export interface UpstreamFrame extends OfCall {
  kind: 'upstream.frame'
  exchange: number
  /** `event`: one SSE event; `comment`: an SSE comment; `body`: a whole body that is no event stream; `line`: a stdio line. */
  form: 'event' | 'comment' | 'body' | 'line'
  /** Of a frame that answers no request but was sent unasked on the session with a legacy backend: the backend's name. */
  unasked?: string
  /** The text as it crossed the wire (for `event`: the event's block without its closing blank line). */
  raw: string
  /** Of a `body` that is not valid UTF-8, for which `raw` has replacement characters: its bytes in Base64, of a long one the first. */
  bytes?: string
}
export interface UpstreamEnded extends OfCall {
  kind: 'upstream.ended'
  exchange: number
  reason: 'complete' | 'cancelled' | 'refused' | 'lost' | 'timeout' | 'protocol'
  detail?: string
}
export interface ResponseCommitted extends OfCall {
  kind: 'response.committed'
  form: CommitForm
  status: number
  cause: CommitCause
  headers: HeaderList
}
export interface ResponseFrame extends OfCall {
  kind: 'response.frame'
  form: 'event' | 'body'
  /** `request`: one of the gateway or a legacy backend to a legacy client. */
  message: 'notification' | 'request' | 'result' | 'error'
  /** The client's connection was gone: kept for a legacy client that resumes the stream. */
  kept?: true
  /** The JSON text that went to the client (without SSE framing), unless `rawFrom` says how to make it. */
  raw?: string
  rawFrom?: BodyReference
  /** The upstream frame that this one carries on. */
  from?: number
  edits: Edit[]
}
/** The answer to a request of a legacy backend, or to one of the gateway's own to a legacy client. */
export interface RequestAnswered extends OfCall {
  kind: 'request.answered'
  /** The upstream frame with the request; absent when the gateway asked, then the id in `raw` is that of its request. */
  to?: number
  by: 'client' | 'gateway'
  /** The JSON-RPC response: as the backend got it, or where the gateway asked as the client gave it. */
  raw: string
}
export interface ResponsePing extends OfCall {
  kind: 'response.ping'
}
export interface ResponseWithheld extends OfCall {
  kind: 'response.withheld'
  /** The upstream frame that did not pass. */
  from: number
  method?: string
  reason: WithheldReason
  /** The reason in words. */
  detail: string
}
export interface StateSealed extends OfCall {
  kind: 'state.sealed'
  outer: string
  kid: string
  sealed: SealedState
}
export interface StateOpened extends OfCall {
  kind: 'state.opened'
  outer: string
  kid: string
  sealed: SealedState
}
export interface StateRefused extends OfCall {
  kind: 'state.refused'
  outer: string
  reason: StateRefusedReason
  /** The sealed fields, when the token could be opened. */
  sealed?: SealedState
  /** Which field differed, with both values. */
  differs?: { field: string; sealed: JsonValue; now: JsonValue }
}
export interface CallEnded extends OfCall {
  kind: 'call.ended'
  outcome: Outcome
  by: EndedBy
  error?: { code: number; message: string }
  detail?: string
}
/** What a reader has put on the call, instead of what was there before; without members it is taken off. */
export interface CallAnnotated extends OfCall {
  kind: 'call.annotated'
  /** A colour, see `MARKS`. */
  mark?: string
  pinned?: boolean
  comment?: string
}

export type BackendHealth = 'starting' | 'ready' | 'degraded' | 'needs-sign-in' | 'down'
export interface BackendEvent extends Base {
  kind:
    | 'backend.started'
    | 'backend.probed'
    | 'backend.catalog'
    | 'backend.stderr'
    | 'backend.noise'
    | 'backend.exited'
    | 'backend.restarted'
  backend: string
  /** `backend.probed` and `backend.started`: what is known of the backend now. */
  era?: Era
  health?: BackendHealth
  reason?: string
  url?: string
  serverInfo?: { name: string; version?: string }
  /** JSON text of the last result of `server/discover`, or of `initialize` in the legacy era, where it is not too long. */
  result?: string
  counts?: { tools: number; prompts: number; resources: number; resourceTemplates: number }
  text?: string
}
/** Events that could not be recorded, and why (a full disk, an event over the size bound). */
export interface CaptureLost extends Base {
  kind: 'capture.lost'
  events: number
  bytes: number
  reason: string
}

/** The last event of a file of which the capture goes on in another one. */
export interface CaptureContinued extends Base {
  kind: 'capture.continued'
  /** Name of the next file, in the same folder when it was written. */
  file: string
}

export type CallEvent =
  | CallReceived
  | CallRouted
  | UpstreamSent
  | UpstreamHead
  | UpstreamFrame
  | UpstreamEnded
  | ResponseCommitted
  | ResponseFrame
  | RequestAnswered
  | ResponsePing
  | ResponseWithheld
  | StateSealed
  | StateOpened
  | StateRefused
  | CallEnded
  | CallAnnotated
export type CaptureEvent = CallEvent | BackendEvent | CaptureLost | CaptureContinued

/** One kind of event without its stamp. On the relay's path events are built by assignment, which costs less than conditional spreads. */
export type Unstamped<T extends CaptureEvent> = Omit<T, 'seq' | 'at'>
type WithoutStamp<T> = T extends CaptureEvent ? Unstamped<T> : never
/** An event before the recorder stamps it with `seq` and `at`. */
export type NewCaptureEvent = WithoutStamp<CaptureEvent>

/** First line of a capture file. */
export interface CaptureHeader {
  format: 'sluice-capture'
  version: 1
  /** Wall clock of `at` = 0, ISO 8601 with milliseconds. */
  startedAt: string
  gateway: { name: string; version: string; endpoint?: string; platform?: string }
  backends: { name: string; type: string; url?: string }[]
  /** Lower-case names of what was replaced by marks, and JSON Pointers (`paths`, absent: none) with `*` for any one member. */
  redaction: { headers: string[]; keys: string[]; paths?: string[] }
  /** Set in a part of a capture, where gaps of `seq` are of what was left out on purpose. */
  excerpt?: true
  /** What it was made from, when it was not recorded, in words. */
  imported?: string
  /**
   * Set in a file that goes on with another one: the name of that file, and the `seq` of its last event. Events up to that
   * one are repeated here as far as they tell how calls began that were open.
   */
  continues?: { file: string; seq: number }
  /** What had been lost when the file was begun (0 for a new capture); later losses are `capture.lost` events. */
  lost: { events: number; bytes: number }
}
