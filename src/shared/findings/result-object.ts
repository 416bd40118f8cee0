import { isLegacyExchange, resultOf, shown, terminalFrame } from './facts'
import type { Finding, JudgedCall } from './finding'
import { Report } from './report'
import { isRedacted } from './shapes'

/** A result is an object (basic/index, "Results"). */
export function resultObject(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of call.exchanges) {
    const frame = terminalFrame(exchange)
    if (frame?.message.kind !== 'result' || resultOf(exchange) !== undefined || isRedacted(frame.message.result))
      continue
    const report = new Report(findings, frame.seq, isLegacyExchange(call, exchange))
    report.add('result-no-object', `The result is ${shown(frame.message.result)}; it must be an object.`)
  }
  return findings
}
