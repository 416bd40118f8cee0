import { isTerminal, mediaType, modernExchanges } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'

/** A stream ends with the response (basic/transports/streamable-http, "Receiving messages"); clients of the SDK wait 60 s otherwise. */
export function streamWithoutResult(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const { head, frames, ended } of modernExchanges(call)) {
    if (head === null || ended === null || mediaType(head.headers) !== 'text/event-stream') continue
    if (ended.reason !== 'complete' && ended.reason !== 'lost') continue
    // A frame that is not here whole may have been the response.
    if (frames.some(({ message }) => isTerminal(message) || message?.kind === 'unread')) continue
    findings.push(
      found({
        rule: 'stream-without-result',
        message:
          ended.reason === 'lost'
            ? 'The connection to the backend was lost before the response came.'
            : 'The backend ended the stream without a response.',
        seq: ended.seq,
      }),
    )
  }
  return findings
}
