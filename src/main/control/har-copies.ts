import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { RedactionRules } from '../../shared/capture/redaction-rules'
import { describeHint } from '../../shared/capture/secret-scan'
import { importHar } from '../capture/export/import-har'

/** A capture that was made of a HAR; it lives as long as it is open. */
export interface HarCopy {
  file: string
  /** What is not in it, and what looks like a secret, a sentence each. */
  notes: string[]
  /** The first few entries that cannot be read, with their numbers and why. */
  passedOver: string[]
  forget(): Promise<void>
}

export interface CopyOptions {
  version: string
  rules: RedactionRules
  signal: AbortSignal
  onProgress: (done: number, total: number) => void
}

/** Makes a capture of a HAR, in a folder for this user only. Rejects as `importHar`, and leaves nothing behind then. */
export async function copyOfHar(har: string, options: CopyOptions): Promise<HarCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-har-'))
  const forget = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const file = join(folder, `${basename(har).replace(/\.har$/i, '')}.ndjson`)
    const report = await importHar(har, { to: file, replace: false, ...options })
    const { calls, skipped, bad, examples, hints } = report
    const passed = [
      ...(skipped > 0 ? [`${skipped} entries are no MCP calls, or their other leg`] : []),
      ...(bad > 0 ? [`${bad} cannot be read`] : []),
    ]
    const notes = [
      `Made of a HAR: ${calls} calls${passed.length === 0 ? '' : `; ${passed.join('; ')}`}. Export it as a capture to keep it.`,
      ...hints.map((hint) => `May be a secret: ${describeHint(hint)}.`),
    ]
    return { file, notes, passedOver: examples, forget }
  } catch (error) {
    await forget()
    throw error
  }
}
