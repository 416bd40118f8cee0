import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { exportCalls } from '../../src/main/capture/export/export-calls'
import { importHar, type ImportReport } from '../../src/main/capture/export/import-har'
import { openCapture, type OpenedCapture } from '../../src/main/capture/opened/open-capture'
import type { CallEvent } from '../../src/shared/capture/events'
import { redactionRules } from '../../src/shared/capture/redaction-rules'
import type { Har } from '../../src/shared/har/har'
import { harFormat } from '../../src/shared/har/har-format'
import { captureText } from './capture-text'

export interface HarFiles {
  /** What an export of these events has. */
  exported(events: readonly CallEvent[]): Promise<Har>
  /** Imports a HAR: its text or bytes, or what is to be its JSON. */
  imported(content: unknown): Promise<ImportReport>
  /** Looks into what was imported last. */
  opened<T>(look: (capture: OpenedCapture) => Promise<T>): Promise<T>
  /** The text of what was imported last. */
  written(): Promise<string>
}

/** Files of each test's own. Call it at the top of a test file. */
export function harFiles(): HarFiles {
  let folder = ''
  const fileOf = (name: string): string => join(folder, name)
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-har-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  async function look<T>(path: string, look: (capture: OpenedCapture) => Promise<T>): Promise<T> {
    const one = await openCapture(path)
    try {
      return await look(one)
    } finally {
      await one.close()
    }
  }
  return {
    async exported(events) {
      const [file, har] = [fileOf('c.ndjson'), fileOf('x.har')]
      await writeFile(file, captureText(events))
      await look(file, (one) =>
        exportCalls(one, {
          format: harFormat(),
          to: har,
          replace: true,
          inputs: [file],
          rules: null,
          select: () => true,
          version: '0.1.0',
          notes: ['2 events were not recorded.'],
        }),
      )
      return JSON.parse(await readFile(har, 'utf8')) as Har
    },
    async imported(content) {
      const asItIs = typeof content === 'string' || Buffer.isBuffer(content)
      const har = fileOf('x.har')
      await writeFile(har, asItIs ? content : JSON.stringify(content))
      return importHar(har, { to: fileOf('imported.ndjson'), replace: true, rules: redactionRules(), version: '0.1.0' })
    },
    opened: (looked) => look(fileOf('imported.ndjson'), looked),
    written: () => readFile(fileOf('imported.ndjson'), 'utf8'),
  }
}
