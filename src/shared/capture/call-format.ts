import type { CaptureHeader } from './events'
import type { CallRecord } from './record'

/** A format in which a capture is written call by call. To be used for one file. */
export interface CallFormat {
  /** What stands before the calls. */
  begin(header: CaptureHeader, about: ExportAbout): string
  call(record: CallRecord, header: CaptureHeader): string
  /** So many calls have room in it; all of them when absent. */
  most?: number
  /** What stands behind them. `left`: calls that had no room. */
  end(left: number): string
}

export interface ExportAbout {
  /** When it is written, ISO 8601. */
  writtenAt: string
  /** Of this Sluice. */
  version: string
  /** True when secrets were taken out for the export. */
  redacted: boolean
  /** What is not in the capture, in sentences. */
  notes: readonly string[]
  /** Calls that are written, of how many. */
  calls: number
  of: number
}
