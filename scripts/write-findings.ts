/** Writes docs/findings.md. Run: npx tsx scripts/write-findings.ts. A test compares them. */
import { writeFile } from 'node:fs/promises'
import { guidePage } from '../src/shared/findings/guide/page'

await writeFile('docs/findings.md', guidePage())
