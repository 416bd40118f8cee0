import type { CallEvent, CaptureHeader } from '../../shared/capture/events'
import type { CallSummary } from '../../shared/capture/summary'

/** The rows of a capture. */
export interface CallRows {
  /** Calls that have a row. */
  readonly size: number
  get(call: number): CallSummary | undefined
  /** At most `limit` rows of calls after `after`, in order of their numbers. */
  list(after: number, limit: number): { calls: CallSummary[]; more: boolean }
  /** Calls of one operation, in order of rounds. */
  operation(operation: string): number[]
}

/** What can be looked at in a capture, whether this run records it or it was opened from a file. */
export interface CaptureView {
  readonly header: CaptureHeader
  readonly index: CallRows
  /** All events of a call that are still somewhere, in order; of texts of megabytes perhaps the beginning only (`cut`). */
  events(call: number): Promise<CallEvent[]>
  /** The whole text of one event with references resolved, or in words why it is not there. */
  text(call: number, seq: number): Promise<{ text: string } | { problem: string }>
  /** Calls in whose bodies `text` occurs, in any case, in order. Gives what was found until `signal` aborts. */
  search(text: string, signal: AbortSignal): Promise<number[]>
}
