import { header, modernExchanges } from './facts'
import type { Finding, JudgedCall } from './finding'

/** There are no sessions: a server neither makes nor repeats `Mcp-Session-Id` (basic/transports/streamable-http). */
export function sessionId(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const { head } of modernExchanges(call)) {
    if (head === null || header(head.headers, 'mcp-session-id') === undefined) continue
    findings.push({
      rule: 'session-id',
      severity: 'warning',
      leg: 'backend',
      message: 'The answer carries Mcp-Session-Id; this revision has no sessions.',
      spec: 'basic/transports/streamable-http',
      seq: head.seq,
    })
  }
  return findings
}
