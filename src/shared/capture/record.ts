import type { JsonObject, JsonValue } from '../protocol/json-rpc'
import type {
  CallEnded,
  CommitCause,
  CommitForm,
  Edit,
  HeaderList,
  SealedState,
  StateRefusedReason,
  UpstreamEnded,
  WithheldReason,
} from './events'
import type { Era } from '../protocol/revisions'
import type { Message } from './message'
import type { CallSummary } from './summary'

/** Who an entry concerns: the leg it crossed, or the gateway itself. */
export type Leg = 'client' | 'backend' | 'gateway'

/** A body or frame as text. */
export interface BodyText {
  /** The event that holds it: what `call.text` is asked for to have the whole. */
  seq: number
  text: string
  /** Length of the whole in UTF-16 code units; more than `text.length` when clipped. */
  length: number
  clipped: boolean
  /** Set when the text is that of another event with edits, and that event is not there: its `seq`. `text` is empty then. */
  missing?: number
}

/** The client's request. */
export interface RequestRecord {
  seq: number
  http: { method: string; path: string; headers: HeaderList }
  body: BodyText
  message: Message
}

/** Where the call was sent, and what was edited on the way. */
export interface RouteRecord {
  seq: number
  /** Microseconds since the call was received. */
  offset: number
  backend: string | null
  backends: string[]
  name: string | null
  operation: string
  round: number
  edits: Edit[]
  /** Era of the backend; null when several or none answer. */
  era: Era | null
}

export interface SentRecord {
  seq: number
  offset: number
  /** Why it was sent once more within its exchange; null for the first. */
  again: 'repeat' | 'resume' | null
  http: { method: string; url: string; headers: HeaderList }
  /** Null when the request had no body. */
  body: BodyText | null
}

export interface HeadRecord {
  seq: number
  offset: number
  status: number
  headers: HeaderList
}

/** One frame of a backend. `message` is null for comments and for events without data. */
export interface UpstreamFrameRecord {
  seq: number
  offset: number
  exchange: number
  form: 'event' | 'comment' | 'body' | 'line'
  raw: BodyText
  /** Of a body that is not valid UTF-8: see `UpstreamFrame`. */
  bytes?: string
  message: Message | null
}

export interface ExchangeRecord {
  exchange: number
  backend: string | null
  /** Era that the backend was spoken to in; null when it is not known. */
  era: Era | null
  /** The route that it was sent on: a call may be routed again, for a round that the gateway drives or in another era. */
  route: RouteRecord | null
  sent: SentRecord | null
  /** What was sent after that within the exchange, see `again`. */
  sentAgain: SentRecord[]
  /** The last head. */
  head: HeadRecord | null
  /** Heads before it, of what was sent again. */
  headsBefore: HeadRecord[]
  frames: UpstreamFrameRecord[]
  ended: { seq: number; offset: number; reason: UpstreamEnded['reason']; detail: string | null } | null
}

export interface CommitRecord {
  seq: number
  offset: number
  form: CommitForm
  status: number
  cause: CommitCause
  headers: HeaderList
}

/** One frame to the client. */
export interface ResponseFrameRecord {
  seq: number
  offset: number
  form: 'event' | 'body'
  body: BodyText
  message: Message
  /** The client's connection was gone: kept for when it resumes. */
  kept: boolean
  /** The upstream frame that it carries on. */
  from: number | null
  edits: Edit[]
}

export interface ResponseRecord {
  commit: CommitRecord | null
  frames: ResponseFrameRecord[]
  pings: { seq: number; offset: number }[]
  /** After so long without a frame a stream gets a ping, in milliseconds; null when the capture does not say. */
  pingIntervalMs: number | null
}

export interface WithheldRecord {
  seq: number
  offset: number
  from: number
  method: string | null
  reason: WithheldReason
  detail: string
}

export interface StateRecord {
  seq: number
  offset: number
  action: 'sealed' | 'opened' | 'refused'
  outer: string
  kid: string | null
  sealed: SealedState | null
  /** Only for `refused`. */
  reason: StateRefusedReason | null
  differs: { field: string; sealed: JsonValue; now: JsonValue } | null
}

/** A request in the direction of the client: of a legacy backend, or of the gateway in place of `input_required`. */
export interface QuestionRecord {
  seq: number
  offset: number
  by: 'backend' | 'gateway'
  /** Exchange in which the backend asked; null when the gateway asks. */
  exchange: number | null
  method: string
  params: JsonObject | null
  /** When it went to the client; null when it did not. */
  asked: { seq: number; offset: number } | null
  /** Why it did not go to the client, in words. */
  refused: string | null
  answer: { seq: number; offset: number; by: 'client' | 'gateway'; message: Message; body: BodyText } | null
}

/** One progress notification, on the leg where it was seen; one that passed appears on both legs. */
export interface ProgressPoint {
  seq: number
  offset: number
  leg: 'client' | 'backend'
  /** Null on the client leg. */
  exchange: number | null
  token: JsonValue
  progress: number
  total: number | null
  message: string | null
}

/** One log message, on the leg where it was seen; one that passed appears on both legs. */
export interface LogPoint {
  seq: number
  offset: number
  leg: 'client' | 'backend'
  /** Null on the client leg. */
  exchange: number | null
  /** As sent; may be no level that the protocol knows. Empty when there was none. */
  level: string
  logger: string | null
  data: JsonValue
}

/** The time in which the answer can still be plain JSON. Offsets in microseconds since the call was received. */
export interface DeferralRecord {
  windowMs: number
  start: number
  /** When it closed (commit, or end without commit); null while open. */
  end: number | null
  /** When it will close by itself: `start` + window. */
  latest: number
  open: boolean
}

export type TimelineKind =
  | 'request'
  | 'routed'
  | 'sent'
  | 'head'
  | 'commit'
  | 'progress'
  | 'log'
  | 'notification'
  | 'server-request'
  | 'answer'
  | 'ping'
  | 'comment'
  | 'withheld'
  | 'state'
  | 'result'
  | 'error'
  | 'unreadable'
  | 'exchange-ended'
  | 'end'

/** One line of the merged view of a call, in order of time. */
export interface TimelineEntry {
  /** The event that it shows. */
  seq: number
  /** Microseconds since the call was received. */
  offset: number
  leg: Leg
  kind: TimelineKind
  /** One line, plain text. Holds text of servers: hostile. */
  summary: string
  /** JSON-RPC method, for messages that have one. */
  method?: string
  /** Log level, for `log`. */
  level?: string
  exchange?: number
  /** The upstream frame that this entry carries on or withholds. */
  from?: number
}

/** All that was seen of one call. What was not recorded is null or empty. */
export interface CallRecord {
  call: number
  summary: CallSummary
  /** False when `call.received` is not among the events (lost, or recording began later); offsets then count from the first event. */
  begun: boolean
  /** Microseconds since the capture began: the zero of all offsets. */
  receivedAt: number
  request: RequestRecord | null
  /** The last route; `exchanges` have each its own. */
  route: RouteRecord | null
  exchanges: ExchangeRecord[]
  response: ResponseRecord
  questions: QuestionRecord[]
  withheld: WithheldRecord[]
  states: StateRecord[]
  progress: ProgressPoint[]
  logs: LogPoint[]
  deferral: DeferralRecord
  ended: (Omit<CallEnded, 'at' | 'call' | 'kind'> & { offset: number }) | null
  timeline: TimelineEntry[]
}
