import { isTerminal, modernExchanges } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'

/** The response is the last message of its stream (basic/transports/streamable-http, "Receiving messages"). */
export function messageAfterResponse(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of modernExchanges(call)) {
    let ended = false
    for (const { seq, message } of exchange.frames) {
      if (message === null) continue
      if (ended) {
        const what = message.method ?? (isTerminal(message) ? 'a second response' : 'a message')
        findings.push(
          found({
            rule: 'message-after-response',
            message: `The backend sent ${what} after the response; nothing may follow it.`,
            seq,
          }),
        )
      } else ended = isTerminal(message)
    }
  }
  return findings
}
