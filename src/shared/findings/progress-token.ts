import type { JsonValue } from '../protocol/json-rpc'
import { parsed, requestMeta, shown } from './facts'
import type { Finding, JudgedCall } from './finding'

/** Progress refers to the token of the request, type included, and there is none without a token (basic/patterns/progress). */
export function progressToken(call: JudgedCall): Finding[] {
  if (call.progress.length === 0) return []
  const meta = requestMeta(call)
  if (meta === undefined) return []
  const expected = upstreamToken(call, meta.progressToken)
  const findings: Finding[] = []
  for (const point of call.progress) {
    if (point.leg !== 'backend' || point.token === expected) continue
    findings.push({
      rule: expected === undefined ? 'progress-without-token' : 'progress-token-differs',
      severity: 'error',
      leg: 'backend',
      message:
        expected === undefined
          ? 'The backend sent progress, but the request carried no progress token.'
          : `Progress came for token ${shown(point.token)}, but the request carried ${shown(expected)}.`,
      spec: 'basic/patterns/progress',
      seq: point.seq,
    })
  }
  return findings
}

/** The token that the backend was given: the client's, unless the gateway had to replace it. */
function upstreamToken(call: JudgedCall, token: JsonValue | undefined): JsonValue | undefined {
  const edit = call.route?.edits.find(({ what }) => what === 'progressToken')
  return (edit?.now === undefined ? undefined : parsed(edit.now)) ?? token
}
