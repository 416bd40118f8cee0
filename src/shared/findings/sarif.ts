import type { Finding } from './finding'
import { GUIDE } from './guide'

/** A finding, with where it stands for tools that show files. */
export interface PlacedFinding extends Finding {
  call: number
  method: string | null
  target: string | null
  /** Line of the capture file, when the finding is about an event. */
  line: number | undefined
}

const REVISION = /^(\d{4}-\d{2}-\d{2}) (.*)$/
const NEWEST_REVISION = '2026-07-28'

/** Where the specification can be read on a section as findings name it. */
export function specAddress(spec: string): string {
  if (spec.startsWith('extensions/')) return `https://modelcontextprotocol.io/${spec}`
  const named = REVISION.exec(spec)
  const [revision, section] = named === null ? [NEWEST_REVISION, spec] : [named[1] ?? '', named[2] ?? '']
  return `https://modelcontextprotocol.io/specification/${revision}/${section.split('/').map(encodeURIComponent).join('/')}`
}

/** Findings of one capture file as a SARIF 2.1.0 log (OASIS), for code scanning of CI systems. `file` is a relative URI. */
export function sarifLog(findings: readonly PlacedFinding[], file: string, version: string): object {
  const rules = new Map<string, object>()
  for (const { rule, spec } of findings) {
    if (rules.has(rule)) continue
    const { title, severity, why, look } = GUIDE[rule]
    rules.set(rule, {
      id: rule,
      shortDescription: { text: `${title}.` },
      fullDescription: { text: why },
      help: { text: `${why}\n\n${look}`, markdown: `${why}\n\n**Where to look:** ${look}` },
      helpUri: specAddress(spec),
      defaultConfiguration: { level: severity },
    })
  }
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Sluice', version, rules: [...rules.values()] } },
        results: findings.map(({ rule, severity, leg, message, call, method, target, line }) => ({
          ruleId: rule,
          level: severity,
          message: { text: `call ${call}, ${leg} leg: ${message}` },
          locations: [
            {
              physicalLocation: { artifactLocation: { uri: file }, region: { startLine: line ?? 1 } },
              logicalLocations: [{ fullyQualifiedName: [`call ${call}`, method, target].filter(Boolean).join(' ') }],
            },
          ],
        })),
      },
    ],
  }
}
