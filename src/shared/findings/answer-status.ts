import { ErrorCode } from '../protocol/errors'
import { isLegacyExchange, mediaType, terminalFrame } from './facts'
import type { Finding, JudgedCall } from './finding'
import { Report } from './report'

/** Handlers may give -32601 at 200: the specification speaks of methods that are not implemented. */
const STATUSES: ReadonlyMap<number, readonly number[]> = new Map([
  [ErrorCode.MethodNotFound, [404, 200]],
  [ErrorCode.HeaderMismatch, [400]],
  [ErrorCode.MissingRequiredClientCapability, [400]],
  [ErrorCode.UnsupportedProtocolVersion, [400]],
])

/**
 * The HTTP status of a JSON answer fits what it says (basic/transports/streamable-http). Once a stream is open the status
 * is 200 whatever comes.
 */
export function answerStatus(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of call.exchanges) {
    const { head, frames, ended } = exchange
    if (head === null) continue
    const legacy = isLegacyExchange(call, exchange)
    const report = new Report(findings, head.seq, legacy)
    const frame = terminalFrame(exchange)
    const asked = call.request?.message.kind === 'request' && exchange.sent?.http.method === 'POST'
    if (frame === undefined) {
      const silent = (head.status === 202 || head.status === 204) && frames.length === 0 && ended?.reason === 'complete'
      if (asked && silent && !legacy)
        report.add('answer-empty', `The request was answered ${head.status}, without a response.`)
      continue
    }
    if (legacy || mediaType(head.headers) !== 'application/json') continue
    const code = frame.message.error?.code
    if (code === undefined) {
      if (head.status !== 200)
        report.add('result-status-wrong', `The result came with HTTP ${head.status}; it must be 200.`)
      continue
    }
    const fitting = STATUSES.get(code)
    if (fitting !== undefined && !fitting.includes(head.status)) {
      report.add(
        'error-status-wrong',
        `The error ${code} came with HTTP ${head.status}; it must be ${fitting[0] ?? 200}.`,
      )
    }
  }
  return findings
}
