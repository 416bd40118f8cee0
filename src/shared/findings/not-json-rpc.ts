import { modernExchanges } from './facts'
import type { Finding, JudgedCall } from './finding'

/** Every body and every event is one JSON-RPC message, and requests have an id that is not null (basic/index). */
export function notJsonRpc(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  const request = call.request
  // A GET and a DELETE of legacy clients have no body.
  if (request?.message.kind === 'invalid' && request.http.method === 'POST') {
    findings.push({
      rule: 'request-not-json-rpc',
      severity: 'error',
      leg: 'client',
      message: `The request is no JSON-RPC message: ${request.message.problem ?? ''}.`,
      spec: 'basic/index',
      seq: request.seq,
    })
  } else if (request?.message.kind === 'request' && request.message.id === null) {
    findings.push({
      rule: 'request-id-null',
      severity: 'error',
      leg: 'client',
      message: 'The request has the id null; it must be a string or an integer.',
      spec: 'basic/index',
      seq: request.seq,
    })
  }
  for (const { head, frames } of modernExchanges(call)) {
    for (const { message, seq } of frames) {
      if (message?.kind !== 'invalid') continue
      const failed = head !== null && head.status >= 400
      findings.push({
        rule: 'not-json-rpc',
        severity: failed ? 'warning' : 'error',
        leg: 'backend',
        message: failed
          ? `The backend answered ${head.status} with a body that is no JSON-RPC error: ${message.problem ?? ''}.`
          : `The backend sent what is no JSON-RPC message: ${message.problem ?? ''}.`,
        spec: 'basic/index',
        seq,
      })
    }
  }
  return findings
}
