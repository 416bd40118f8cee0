import { isLogLevel, META, passesLogLevel } from '../protocol/meta'
import { requestMeta, shown } from './facts'
import type { Finding, JudgedCall } from './finding'

/** Log messages only for requests that carry a level, and only at or above it (server/utilities/logging). */
export function logLevel(call: JudgedCall): Finding[] {
  if (call.logs.length === 0 || call.summary.backendEra === 'legacy') return []
  const meta = requestMeta(call)
  if (meta === undefined) return []
  const threshold = meta[META.logLevel]
  const findings: Finding[] = []
  for (const { leg, level, seq } of call.logs) {
    if (leg !== 'backend') continue
    const add = (rule: string, message: string): void => {
      findings.push({ rule, severity: 'error', leg: 'backend', message, spec: 'server/utilities/logging', seq })
    }
    if (!isLogLevel(level)) add('log-level-unknown', `A log message has the level ${shown(level)}, which is none.`)
    if (threshold === undefined) {
      add('log-without-level', 'The backend sent a log message, but the request asked for none (no logLevel in _meta).')
    } else if (isLogLevel(level) && isLogLevel(threshold) && !passesLogLevel(level, threshold)) {
      add('log-below-level', `A log message has level ${level}, but the request asked for ${threshold} and above.`)
    }
  }
  return findings
}
