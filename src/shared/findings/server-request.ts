import { modernExchanges, shown } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'

/** "The server MUST NOT send JSON-RPC requests" (basic/transports/streamable-http); it asks by `input_required`. */
export function serverRequest(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of modernExchanges(call)) {
    for (const { message, seq } of exchange.frames) {
      if (message?.kind !== 'request') continue
      findings.push(
        found({
          rule: 'server-request',
          message: `The backend sent the request ${shown(message.method)}; it may only answer input_required.`,
          seq,
        }),
      )
    }
  }
  return findings
}
