import { modernExchanges, shown } from './facts'
import type { Finding, JudgedCall } from './finding'

/** "The server MUST NOT send JSON-RPC requests" (basic/transports/streamable-http); it asks by `input_required`. */
export function serverRequest(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of modernExchanges(call)) {
    for (const { message, seq } of exchange.frames) {
      if (message?.kind !== 'request') continue
      findings.push({
        rule: 'server-request',
        severity: 'error',
        leg: 'backend',
        message: `The backend sent the request ${shown(message.method)}; it may only answer input_required.`,
        spec: 'basic/patterns/mrtr',
        seq,
      })
    }
  }
  return findings
}
