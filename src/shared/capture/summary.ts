import type { Annotation } from './annotation'
import type { RequestId } from '../protocol/json-rpc'
import type { Era } from '../protocol/revisions'
import type { CommitCause, CommitForm, EndedBy, Outcome } from './events'

/** One mark of a row's `life` column: microseconds since the call was received, and what happened. */
export interface LifeMark {
  at: number
  mark: 'progress' | 'log' | 'ping' | 'withheld' | 'notification' | 'question' | 'answer'
}

/** A stream on which a client waits for what it did not ask for one by one. */
export interface StreamSummary {
  /** `session`: the GET stream of a legacy session; `listen`: a `subscriptions/listen`. */
  kind: 'session' | 'listen'
  /** Members of the filter that the client asked for; empty for `session`, which asks for nothing. */
  asked: string[]
  /** Members that the acknowledgement named; null before it, and always for `session`. */
  honoured: string[] | null
  /** URIs of resources among them, at most `MAX_STREAM_URIS`, of `uriCount`. */
  uris: string[]
  uriCount: number
  /** Notifications and requests that flowed, by method; further methods than `MAX_STREAM_METHODS` count as `…`. */
  flowed: Record<string, number>
  /** Microseconds since the capture began. */
  lastAt: number | null
  /** The client takes up again a stream that broke. */
  resumed: boolean
}
export const MAX_STREAM_URIS = 20
export const MAX_STREAM_METHODS = 12

/** What a row of the calls table shows. Kept small: one per call stays in memory, bodies do not. */
export interface CallSummary {
  call: number
  /** Microseconds since the capture began. */
  receivedAt: number
  endpoint: string
  era: Era
  /** Era of the backend; null when several or none answered. */
  backendEra: Era | null
  id: RequestId | null
  method: string | null
  /** Tool, prompt or URI as the client named it. */
  target: string | null
  /** The same as the backend knows it, when it differs. */
  upstreamTarget: string | null
  backend: string | null
  backends: string[]
  client: string | null
  deferralWindowMs: number
  answer: { form: CommitForm; status: number; cause: CommitCause } | null
  committedAt: number | null
  outcome: Outcome | null
  endedBy: EndedBy | null
  endedAt: number | null
  error: { code: number; message: string } | null
  /** Frames sent to the client: notifications and the terminal response, pings not counted. */
  frames: number
  pings: number
  progress: number
  logs: number
  withheld: number
  bytesIn: number
  bytesOut: number
  lastProgress: { progress: number; total?: number; message?: string } | null
  operation: string | null
  round: number
  /** True once a state was sealed or opened in this call, or it answered `input_required`. */
  input: boolean
  /** Requests that went to the client in the middle of the call. */
  asked: number
  /** Rounds that the gateway drove within this call for a client that knows no `input_required`; 0 when it did not. */
  drivenRounds: number
  /** HTTP method of the client's request; null when that was not recorded. */
  httpMethod: string | null
  /** Set for streams of subscriptions. */
  stream: StreamSummary | null
  findings: number
  /** What a reader has put on it; null for nothing. */
  annotation: Annotation | null
  /** At most `MAX_LIFE_MARKS`; `lifeDropped` counts what did not fit. */
  life: LifeMark[]
  lifeDropped: number
}

export const MAX_LIFE_MARKS = 40
