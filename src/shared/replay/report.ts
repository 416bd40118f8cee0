import type { ExchangeTiming } from './compare-answers'
import type { DifferenceGroup } from './group-differences'
import type { JsonDifference } from './json-difference'

/** How one round went. */
export interface RoundReport {
  /** In the capture. */
  call: number
  /** The call that was made of it in the capture of this run. */
  newCall: number
  differences: JsonDifference[]
  /** Differences that are not listed. */
  more: number
  /** Differences that rules say not to count. */
  ignored: number
  timing: { was: ExchangeTiming; now: ExchangeTiming }
}

/** `failed`: it could not be compared, since there was no server to answer. `not-sent`: see the plan, or it was stopped before. */
export type OperationOutcome = 'same' | 'different' | 'failed' | 'not-sent'

/** How one operation went. */
export interface OperationReport {
  /** Position in the plan. */
  index: number
  /** Call of the first round in the capture. */
  call: number
  method: string
  /** As the backend knows it; null where the method has none. */
  name: string | null
  backend: string | null
  outcome: OperationOutcome
  /** Why it failed, was not sent, or was not gone through to its end. */
  reason?: string
  rounds: RoundReport[]
}

/** The outcome of a replay. Serialisable. */
export interface ReplayReport {
  counts: { total: number } & Record<OperationOutcome, number>
  /** Differences, those of most calls first. */
  groups: DifferenceGroup[]
  /** At most `MAX_REPORTED`, those that are not the same before those that are; `more` counts the rest. */
  operations: OperationReport[]
  more: number
  stopped: boolean
  /** Milliseconds that it took, without pauses. */
  durationMs: number
}

export const MAX_REPORTED = 10_000
