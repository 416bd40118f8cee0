import { redactionRules } from '../../shared/capture/redaction-rules'
import { importHar } from '../capture/export/import-har'
import { readVersion } from '../places'
import { namesOf, tellHints, type RedactFlags } from './capture-rewrite'
import { plainText } from '../plain-text'
import { runCommand, showProgress, sizeText } from './terminal'

/** `sluice capture import FILE`: a capture of the MCP calls in a HAR, redacted as a recording is. */
export function captureImportCommand(file: string, flags: RedactFlags): Promise<void> {
  return runCommand(async (signal) => {
    const { out, force } = flags
    const rules = redactionRules(namesOf(flags))
    const progress = showProgress('Importing')
    const onProgress = progress.update
    const version = readVersion()
    const report = await importHar(file, { to: out, replace: force, rules, version, signal, onProgress }).finally(() =>
      progress.end(),
    )
    const { calls, events, bytes, skipped, bad, examples, hints } = report
    const counts = `${calls.toLocaleString('en')} calls, ${events.toLocaleString('en')} events`
    console.log(`${plainText(out)}: ${counts}, ${sizeText(bytes)}`)
    if (skipped > 0)
      console.error(
        `sluice: ${skipped.toLocaleString('en')} entries are no MCP calls, or their other leg; they were passed over`,
      )
    if (bad > 0) console.error(`sluice: ${bad.toLocaleString('en')} entries cannot be read; they were passed over`)
    for (const example of examples) console.error(`  ${plainText(example)}`)
    tellHints(hints)
    return 0
  })
}
