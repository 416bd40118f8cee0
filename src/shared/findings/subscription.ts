import { isObject } from '../protocol/json-rpc'
import { META } from '../protocol/meta'
import { modernExchanges, sentId, shown } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'
import type { RuleId } from './guide'

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'

/** A subscription is acknowledged first, and every notification names it, id type included (basic/patterns/subscriptions). */
export function subscription(call: JudgedCall): Finding[] {
  if (call.summary.method !== 'subscriptions/listen') return []
  const findings: Finding[] = []
  for (const exchange of modernExchanges(call)) {
    const id = sentId(exchange)
    let acknowledged = false
    for (const { message, seq } of exchange.frames) {
      if (message?.kind !== 'notification') continue
      const add = (rule: RuleId, text: string): void => {
        findings.push(
          found({
            rule,
            message: text,
            seq,
          }),
        )
      }
      if (!acknowledged && message.method !== ACKNOWLEDGED) {
        add(
          'subscription-not-acknowledged',
          `${shown(message.method)} came before the acknowledgement, which must be first.`,
        )
      }
      acknowledged = true
      const meta = message.params?._meta
      const named = isObject(meta) ? meta[META.subscriptionId] : undefined
      if (id !== undefined && named !== id) {
        add(
          'subscription-id-differs',
          `A notification names the subscription ${shown(named)}, and the request had the id ${shown(id)}.`,
        )
      }
    }
  }
  return findings
}
