import type { CallEvent } from '../../../shared/capture/events'
import type { KnownServer } from '../../../shared/capture/known-servers'
import type { CallSummary } from '../../../shared/capture/summary'

/** A capture that is read; backends know no files. */
export interface RecordedCapture {
  /** Wall clock of its beginning: tells one capture from another. */
  readonly startedAt: string
  /** Rows in order. */
  calls(): Iterable<Pick<CallSummary, 'call' | 'backends' | 'method' | 'endpoint'>>
  /** What the gateway that recorded it knew of the server of a backend. */
  server(backend: string): KnownServer | undefined
  /** The events of one call, in order. */
  events(call: number): Promise<readonly CallEvent[]>
  close(): Promise<void>
}

/** Where captures come from. Rejections have a message that says what is wrong with the file, and what to do. */
export interface CaptureSource {
  open(file: string, signal: AbortSignal): Promise<RecordedCapture>
  /** Differs when the file is another one, or has changed. */
  fingerprint(file: string): Promise<string>
}
