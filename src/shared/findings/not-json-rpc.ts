import { modernExchanges } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'

/** Every body and every event is one JSON-RPC message, and requests have an id that is not null (basic/index). */
export function notJsonRpc(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  const request = call.request
  // A GET and a DELETE of legacy clients have no body.
  if (request?.message.kind === 'invalid' && request.http.method === 'POST') {
    findings.push(
      found({
        rule: 'request-not-json-rpc',
        message: `The request is no JSON-RPC message: ${request.message.problem ?? ''}.`,
        seq: request.seq,
      }),
    )
  } else if (request?.message.kind === 'request' && request.message.id === null) {
    findings.push(
      found({
        rule: 'request-id-null',
        message: 'The request has the id null; it must be a string or an integer.',
        seq: request.seq,
      }),
    )
  }
  for (const { head, frames } of modernExchanges(call)) {
    for (const { message, seq } of frames) {
      if (message?.kind !== 'invalid') continue
      const failed = head !== null && head.status >= 400
      findings.push(
        found({
          rule: 'not-json-rpc',
          ...(failed && { severity: 'warning' }),
          message: failed
            ? `The backend answered ${head.status} with a body that is no JSON-RPC error: ${message.problem ?? ''}.`
            : `The backend sent what is no JSON-RPC message: ${message.problem ?? ''}.`,
          seq,
        }),
      )
    }
  }
  return findings
}
