import { GUIDE, GUIDE_SUBJECTS } from '.'
import { specAddress } from '../sarif'
import type { GuideEntry } from './entry'

const INTRODUCTION = `# Findings

Sluice judges each call by the rules of the protocol and says what breaks it (error: against a MUST, or against the schema) or bends it (warning:
against a SHOULD). A finding names the leg: what the client did, or what the backend did. What Sluice itself sends is not judged, and nothing is said
about what was not recorded whole. Revisions up to 2025-11-25 are judged by those rules that hold for them, marked "also".

The desk shows the findings of a call in its Findings tab and all of these rules on the page Findings. \`sluice findings FILE\` prints those of a
capture, as text, JSON or SARIF.
`

/** docs/findings.md. */
export function guidePage(): string {
  const parts = [INTRODUCTION]
  for (const { title, about, rules } of GUIDE_SUBJECTS) {
    parts.push(`## ${title}\n\n${about}\n`)
    for (const rule of rules) parts.push(section(rule, GUIDE[rule]))
  }
  return parts.join('\n')
}

function section(rule: string, { title, severity, leg, spec, legacySpec, why, look }: GuideEntry): string {
  const also = legacySpec === undefined ? '' : `, also [${legacySpec}](${specAddress(legacySpec)})`
  return `### ${rule}

**${plain(title)}** (${severity}, ${leg} leg, [${spec}](${specAddress(spec)})${also}).

${plain(why)}

${plain(look)}
`
}

/** Without what Markdown would read as marks. */
function plain(text: string): string {
  return text.replace(/[\\`*_[\]<>#|]/g, '\\$&')
}
