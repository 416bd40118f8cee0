import { requestMeta } from './facts'
import type { Finding, JudgedCall } from './finding'

/** "The client MUST include an Accept header, listing both" types (basic/transports/streamable-http, "Sending messages"). */
export function acceptIncomplete(call: JudgedCall): Finding[] {
  const request = call.request
  if (request === null || requestMeta(call) === undefined || call.summary.era !== 'modern') return []
  const accepted = request.http.headers
    .filter(([name]) => name.toLowerCase() === 'accept')
    .map(([, value]) => value.toLowerCase())
    .join(',')
  const missing = ['application/json', 'text/event-stream'].filter((type) => !accepted.includes(type))
  if (missing.length === 0) return []
  return [
    {
      rule: 'accept-incomplete',
      severity: 'warning',
      leg: 'client',
      message: `The header field Accept does not list ${missing.join(' and ')}.`,
      spec: 'basic/transports/streamable-http',
      seq: request.seq,
    },
  ]
}
