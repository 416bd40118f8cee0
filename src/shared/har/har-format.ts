import type { CaptureHeader } from '../capture/events'
import type { CallRecord } from '../capture/record'
import type { CallFormat, ExportAbout } from '../capture/call-format'
import type { HarLog } from './har'
import { harEntries, harPages } from './har-export'

/** A HAR as text, entry by entry, so that a large capture need not be in memory. */
export function harFormat(): CallFormat {
  let empty = true
  return {
    begin(header: CaptureHeader, about: ExportAbout): string {
      const log: Omit<HarLog, 'entries'> = {
        version: '1.2',
        creator: { name: 'Sluice', version: about.version },
        pages: harPages(header),
        comment: [
          about.redacted ? 'Secrets, request states and contents of files were taken out.' : 'Nothing was taken out.',
          ...about.notes,
        ].join(' '),
      }
      return `{"log":${JSON.stringify(log).slice(0, -1)},"entries":[`
    },

    call(record: CallRecord, header: CaptureHeader): string {
      const entries = harEntries(record, header).map((entry) => JSON.stringify(entry))
      if (entries.length === 0) return ''
      const separator = empty ? '\n' : ',\n'
      empty = false
      return `${separator}${entries.join(',\n')}`
    },

    end(): string {
      return '\n]}}\n'
    },
  }
}
