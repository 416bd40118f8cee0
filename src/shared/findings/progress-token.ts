import type { ExchangeRecord } from '../capture/record'
import type { JsonValue } from '../protocol/json-rpc'
import { parsed, isLegacyExchange, requestMeta, shown } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'

/**
 * Progress refers to the token of the request, type included, and there is none without a token (basic/patterns/progress,
 * and of legacy revisions basic/utilities/progress).
 */
export function progressToken(call: JudgedCall): Finding[] {
  if (call.progress.length === 0) return []
  const meta = requestMeta(call)
  if (meta === undefined) return []
  const findings: Finding[] = []
  for (const exchange of call.exchanges) {
    const expected = upstreamToken(exchange, meta.progressToken)
    for (const point of call.progress) {
      if (point.leg !== 'backend' || point.exchange !== exchange.exchange || point.token === expected) continue
      findings.push(
        found({
          rule: expected === undefined ? 'progress-without-token' : 'progress-token-differs',
          message:
            expected === undefined
              ? 'The backend sent progress, but the request carried no progress token.'
              : `Progress came for token ${shown(point.token)}, but the request carried ${shown(expected)}.`,
          legacy: isLegacyExchange(call, exchange),
          seq: point.seq,
        }),
      )
    }
  }
  return findings
}

/** The token that the backend was given: the client's, unless the gateway had to replace it. */
function upstreamToken(exchange: ExchangeRecord, token: JsonValue | undefined): JsonValue | undefined {
  const edit = exchange.route?.edits.find(({ what }) => what === 'progressToken')
  return (edit?.now === undefined ? undefined : parsed(edit.now)) ?? token
}
