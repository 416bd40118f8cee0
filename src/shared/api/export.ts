export const EXPORT_FORMATS = ['capture', 'har', 'html', 'json'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** What came of an export. */
export interface ExportReport {
  file: string
  calls: number
  bytes: number
  /** What is not in it, and what could not be read, a sentence each. */
  notes: string[]
  /** What still looks like a secret, a sentence each. */
  hints: string[]
}

/** The command that writes calls of a capture into a file on the machine on which Sluice runs. */
export interface ExportCommands {
  /**
   * Redacted by the rules of exports unless `sensitive`. `calls`: which ones, all when absent. A file that is there is
   * replaced only with `replace`.
   */
  'capture.export': {
    request: {
      capture?: string
      format: ExportFormat
      to: string
      calls?: number[]
      sensitive: boolean
      replace: boolean
    }
    response: ExportReport
  }
}
