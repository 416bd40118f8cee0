import type { CallEvent, CaptureHeader } from '../../shared/capture/events'
import type { CaptureIndex } from './capture-index'

/** What can be looked at in a capture, whether this run records it or it was opened from a file. */
export interface CaptureView {
  readonly header: CaptureHeader
  /** The rows of calls. */
  readonly index: Pick<CaptureIndex, 'get' | 'list' | 'operation' | 'size'>
  /** All events of a call that are still somewhere, in order; of texts of megabytes perhaps the beginning only (`cut`). */
  events(call: number): Promise<CallEvent[]>
  /** The whole text of one event with references resolved, or in words why it is not there. */
  text(call: number, seq: number): Promise<{ text: string } | { problem: string }>
  /** Calls in whose bodies `text` occurs, in any case, in order. Gives what was found until `signal` aborts. */
  search(text: string, signal: AbortSignal): Promise<number[]>
}
