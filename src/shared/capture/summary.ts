import type { RequestId } from '../protocol/json-rpc'
import type { Era } from '../protocol/revisions'
import type { CommitCause, CommitForm, EndedBy, Outcome } from './events'

/** One mark of a row's `life` column: microseconds since the call was received, and what happened. */
export interface LifeMark {
  at: number
  mark: 'progress' | 'log' | 'ping' | 'withheld' | 'notification'
}

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
  findings: number
  /** At most `MAX_LIFE_MARKS`; `lifeDropped` counts what did not fit. */
  life: LifeMark[]
  lifeDropped: number
}

export const MAX_LIFE_MARKS = 40
