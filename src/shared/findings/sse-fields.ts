import { modernExchanges } from './facts'
import type { Finding, JudgedCall } from './finding'

const FIELD = /^(id|retry)(?=:|$)/m

/** Streams cannot be resumed, so events have no `id:` and no `retry:` (changelog, major change 9). */
export function sseFields(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of modernExchanges(call)) {
    for (const { form, raw, seq } of exchange.frames) {
      if (form !== 'event') continue
      const field = FIELD.exec(raw.text)?.[1]
      if (field === undefined) continue
      findings.push({
        rule: `sse-${field}`,
        severity: 'error',
        leg: 'backend',
        message: `An event has the field ${field}:, but streams cannot be resumed; clients of the SDK try to, and hang.`,
        spec: 'basic/transports/streamable-http',
        seq,
      })
    }
  }
  return findings
}
