import { modernExchanges, sentId, shown, terminalFrame } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'

/** A response has the id of its request, type included (basic/index, "Responses"). */
export function responseId(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of modernExchanges(call)) {
    const frame = terminalFrame(exchange)
    if (frame === undefined) continue
    const expected = sentId(exchange)
    const id = frame.message.id
    if (expected === undefined || id === expected) continue
    const absent = id === undefined || id === null
    // An error of HTTP itself (refused host, too large) may come without the id.
    if (absent && frame.message.kind === 'error' && (exchange.head?.status ?? 200) !== 200) continue
    findings.push(
      found({
        rule: absent ? 'response-id-missing' : 'response-id-differs',
        message: `The response has the id ${shown(id)}, and the request had ${shown(expected)}.`,
        seq: frame.seq,
      }),
    )
  }
  return findings
}
