import { exportRules } from '../../shared/capture/export-profile'
import { namesOf, rewrite, selectionOf, type CutFlags, type RedactFlags } from './capture-rewrite'
import { runCommand } from './terminal'

export const EXPORT_FORMATS = ['capture'] as const

export interface ExportFlags extends CutFlags, RedactFlags {
  format: (typeof EXPORT_FORMATS)[number]
  withSensitiveData: boolean
}

/** `sluice capture export FILE`: redacted, unless sensitive data is asked for. */
export function captureExportCommand(file: string, flags: ExportFlags): Promise<void> {
  return runCommand(async (signal) => {
    const names = namesOf(flags)
    const select = await selectionOf(file, flags, signal)
    const rulesOf = flags.withSensitiveData
      ? null
      : (header: Parameters<typeof exportRules>[0]) => exportRules(header, names)
    return rewrite(file, { ...flags, select, rulesOf, signal })
  })
}
