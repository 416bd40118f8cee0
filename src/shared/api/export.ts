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
   * replaced only with `replace`. The other rounds of chosen calls come along. `export`: a name by which the page asks how
   * far it is, and stops it.
   */
  'capture.export': {
    request: {
      capture?: string
      format: ExportFormat
      to: string
      calls?: number[]
      sensitive: boolean
      replace: boolean
      export?: string
    }
    response: ExportReport
  }
  /** How far an export is, in parts of `total`; null when there is none of this name any more. */
  'capture.exporting': { request: { export: string }; response: { progress: { done: number; total: number } | null } }
  /** Gives an export up; its command fails, and leaves no file. */
  'capture.stopExport': { request: { export: string }; response: Record<string, never> }
}
