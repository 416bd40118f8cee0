import type { Finding, JudgedCall } from './finding'

/** "The progress value MUST increase with each notification" (basic/patterns/progress). */
export function progressNotIncreasing(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  let last: number | undefined
  for (const point of call.progress) {
    if (point.leg !== 'backend') continue
    if (last !== undefined && point.progress <= last) {
      findings.push({
        rule: 'progress-not-increasing',
        severity: 'error',
        leg: 'backend',
        message: `Progress went from ${last} to ${point.progress}; it must increase with every notification.`,
        spec: 'basic/patterns/progress',
        seq: point.seq,
      })
    }
    last = point.progress
  }
  return findings
}
