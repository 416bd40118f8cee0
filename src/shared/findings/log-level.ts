import { isLogLevel, META, passesLogLevel } from '../protocol/meta'
import { isLegacyExchange, metaForBackend, shown } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'
import type { RuleId } from './guide'
import { isRedacted } from './shapes'

/**
 * Log messages only for requests that carry a level, and only at or above it (server/utilities/logging). Legacy backends
 * log what they like until a level is set for their whole connection.
 */
export function logLevel(call: JudgedCall): Finding[] {
  if (call.logs.length === 0) return []
  const findings: Finding[] = []
  for (const exchange of call.exchanges) {
    const legacy = isLegacyExchange(call, exchange)
    const meta = legacy ? undefined : metaForBackend(call, exchange)
    const threshold = meta?.[META.logLevel]
    for (const { leg, level, seq, exchange: of } of call.logs) {
      if (leg !== 'backend' || of !== exchange.exchange) continue
      const add = (rule: RuleId, message: string): void => {
        findings.push(found({ rule, message, seq, legacy }))
      }
      if (!isLogLevel(level) && !isRedacted(level))
        add('log-level-unknown', `A log message has the level ${shown(level)}, which is none.`)
      if (meta === undefined) continue
      if (threshold === undefined) {
        add(
          'log-without-level',
          'The backend sent a log message, but the request asked for none (no logLevel in _meta).',
        )
      } else if (isLogLevel(level) && isLogLevel(threshold) && !passesLogLevel(level, threshold)) {
        add('log-below-level', `A log message has level ${level}, but the request asked for ${threshold} and above.`)
      }
    }
  }
  return findings
}
