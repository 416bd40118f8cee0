import { mediaType, modernExchanges, shown } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'

/** A request is answered as `application/json` or `text/event-stream` (basic/transports/streamable-http). */
export function contentType(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const { head, frames } of modernExchanges(call)) {
    if (head === null || head.status < 200 || head.status > 299 || head.status === 202 || head.status === 204) continue
    const type = mediaType(head.headers)
    if (type === 'application/json') continue
    const unframed = frames.find(({ form }) => form === 'body')
    if (type === 'text/event-stream' && unframed === undefined) continue
    findings.push(
      found({
        rule: type === 'text/event-stream' ? 'body-not-framed' : 'content-type-wrong',
        message:
          type === 'text/event-stream'
            ? 'The answer says text/event-stream, but holds text that is no event.'
            : `The answer has the content type ${shown(type)}; it must be application/json or text/event-stream.`,
        seq: type === 'text/event-stream' && unframed !== undefined ? unframed.seq : head.seq,
      }),
    )
  }
  return findings
}
