import { requestMeta } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'

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
    found({
      rule: 'accept-incomplete',
      message: `The header field Accept does not list ${missing.join(' and ')}.`,
      seq: request.seq,
    }),
  ]
}
