import type { CallRecord } from '../capture/record'
import type { CallSummary } from '../capture/summary'
import type { RuleId } from './guide'

/** Something in a call that breaks (`error`) or bends (`warning`) the protocol. */
export interface Finding {
  /** Stable rule name, for instance `progress-not-increasing`; `GUIDE` says what it teaches. */
  rule: RuleId
  severity: 'error' | 'warning'
  leg: 'client' | 'backend'
  /** One plain sentence: what is wrong in this call. */
  message: string
  /** Section of the specification, for instance `basic/patterns/progress`. */
  spec: string
  /** The event that it is about, when there is one. */
  seq?: number
}

/**
 * What rules look at: what clients and backends did. What the gateway itself sends is not judged, so it need not be read
 * for findings.
 */
export type JudgedCall = Pick<CallRecord, 'request' | 'route' | 'exchanges' | 'states' | 'progress' | 'logs'> & {
  summary: Pick<CallSummary, 'era' | 'method' | 'backendEra' | 'round'>
}
