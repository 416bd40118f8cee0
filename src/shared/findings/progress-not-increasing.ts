import { isLegacyExchange } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'

/**
 * "The progress value MUST increase with each notification" (basic/patterns/progress, and of legacy revisions
 * basic/utilities/progress). Each exchange counts for itself: a further round begins anew.
 */
export function progressNotIncreasing(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  const last = new Map<number | null, number>()
  for (const point of call.progress) {
    if (point.leg !== 'backend') continue
    const before = last.get(point.exchange)
    if (before !== undefined && point.progress <= before) {
      findings.push(
        found({
          rule: 'progress-not-increasing',
          message: `Progress went from ${before} to ${point.progress}; it must increase with every notification.`,
          legacy: isLegacyExchange(
            call,
            call.exchanges.find(({ exchange }) => exchange === point.exchange),
          ),
          seq: point.seq,
        }),
      )
    }
    last.set(point.exchange, point.progress)
  }
  return findings
}
