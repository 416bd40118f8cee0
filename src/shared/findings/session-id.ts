import { header, modernExchanges } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'

/** There are no sessions: a server neither makes nor repeats `Mcp-Session-Id` (basic/transports/streamable-http). */
export function sessionId(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const { head } of modernExchanges(call)) {
    if (head === null || header(head.headers, 'mcp-session-id') === undefined) continue
    findings.push(
      found({
        rule: 'session-id',
        message: 'The answer carries Mcp-Session-Id; this revision has no sessions.',
        seq: head.seq,
      }),
    )
  }
  return findings
}
