import { modernExchanges } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'

const FIELD = /^(?:(id)|retry)(?=:|$)/m

/** Streams cannot be resumed, so events have no `id:` and no `retry:` (changelog, major change 9). */
export function sseFields(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of modernExchanges(call)) {
    for (const { form, raw, seq } of exchange.frames) {
      if (form !== 'event') continue
      const match = FIELD.exec(raw.text)
      if (match === null) continue
      const field = match[1] ?? 'retry'
      findings.push(
        found({
          rule: match[1] === undefined ? 'sse-retry' : 'sse-id',
          message: `An event has the field ${field}:, but streams cannot be resumed; clients of the SDK try to, and hang.`,
          seq,
        }),
      )
    }
  }
  return findings
}
