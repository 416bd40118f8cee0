import type { RecordingStatus } from '../../shared/api/contract'
import type { Annotation } from '../../shared/capture/annotation'
import type { CallEvent, CaptureHeader } from '../../shared/capture/events'
import type { RedactionNames, RedactionRules } from '../../shared/capture/redaction-rules'
import type { CallSummary } from '../../shared/capture/summary'
import type { OpenAppendFile } from './append-file'
import type { BackendActivityLog } from './backend-activity'
import type { CaptureIndex } from './capture-index'
import type { CaptureView } from './capture-view'
import type { RotationOptions } from './rotation'
import type { Tap } from './tap'

export interface RecorderOptions {
  /** The capture file; null keeps the newest events in memory only. A capture that is there already is continued. */
  file: string | null
  header: Pick<CaptureHeader, 'gateway' | 'backends'>
  /** Names beside the defaults of `redactionRules`. */
  redaction: RedactionNames
  /** A longer body or raw text (UTF-16 code units) is recorded with its beginning only. 32 Mi by default; fewer where escaping makes the line too long. */
  maxEventLength?: number
  /** Calls in the index. 100 000 by default. */
  maxCalls?: number
  /** Lines that wait for a disk that fails, in bytes. 64 MiB by default. */
  maxBacklogBytes?: number
  /** Events in memory while no file has them, in bytes. 32 MiB by default. */
  windowBytes?: number
  /** First wait before a failing disk is tried again. 1 s by default. */
  retryMs?: number
  open?: OpenAppendFile
  /** When and where the capture goes on in another file; absent: it stays in one. */
  rotation?: RotationOptions
  /** Milliseconds on a monotonic clock. */
  now?: () => number
  /** Unix milliseconds. */
  wallClock?: () => number
}

/** Keeps what the gateway and the backends see: in a file, in an index, and for those who watch. */
export interface Recorder extends Tap, CaptureView {
  readonly index: CaptureIndex
  /** What backends print and do outside of calls, redacted. */
  readonly activities: Pick<BackendActivityLog, 'of' | 'onLine'>
  status(): RecordingStatus
  /** Switches writing to the file on or off. The index and the newest events in memory go on. */
  setRecording(on: boolean): RecordingStatus
  /** Puts a note of a reader on a call, also while recording is off. False when the call is not in memory any more. */
  annotate(call: number, annotation: Annotation | null): boolean
  /** The earlier file of this run in which a call begins; null when that is the one that is written now. */
  earlierFileOf(call: number): string | null
  /** The files of this run before the one that is written now, in order. */
  earlierFiles(): string[]
  /** What is redacted from now on. */
  readonly redaction: RedactionRules
  /** Names of a changed configuration count for events from now on; the header keeps those of the beginning. */
  setRedaction(configured: RecorderOptions['redaction']): void
  /** New and changed rows, soon after each change; the rows are live objects, to be read and not kept. */
  onChange(listener: (calls: readonly CallSummary[]) => void): () => void
  /** The events of one call as they come. */
  onEvents(call: number, listener: (events: readonly CallEvent[]) => void): () => void
  /** Recording began to fail, works again, or was switched. */
  onStatus(listener: () => void): () => void
  /** Microseconds since the capture began. */
  elapsed(): number
  /**
   * Somebody looks at the rows until the returned function is called: findings are counted as calls end. Without anybody they
   * are counted when no calls come.
   */
  attend(): () => void
  /** Resolves when everything recorded so far is in the file, or the file cannot be written. */
  flush(): Promise<void>
  /** As `flush`, and the findings of ended calls are counted. */
  settled(): Promise<void>
  /** Writes what is left and closes the file; later events are dropped. */
  close(): Promise<void>
}
