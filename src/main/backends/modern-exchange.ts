import { encodeHeaderValue } from '../../shared/protocol/header-value'
import { MODERN_VERSION } from '../../shared/protocol/revisions'
import type { UpstreamRequest } from './backend'
import { contradictsModern } from './era'
import type { HttpConnection } from './http-connection'
import { postParts } from './http-post'
import type { PartQueue } from './part-queue'
import type { CancelSignal } from './cancel-signal'

/** One exchange of the modern era. `onWrongEra` is told when the answer shows that the backend does not speak it. */
export function modernExchange(
  http: HttpConnection,
  request: UpstreamRequest,
  signal: CancelSignal,
  onWrongEra: () => void,
): PartQueue {
  const { method, mirroredName, body } = request
  const headers = http.headers(
    [
      ['content-type', 'application/json'],
      ['accept', 'application/json, text/event-stream'],
      ['mcp-protocol-version', MODERN_VERSION],
      ['mcp-method', method],
    ],
    mirroredName === undefined ? request.headers : [['mcp-name', encodeHeaderValue(mirroredName)], ...request.headers],
  )
  return postParts(http, {
    headers,
    body,
    signal,
    wrongEra: (status, text) => {
      const contradicts = contradictsModern(status, text)
      if (contradicts) onWrongEra()
      return contradicts
    },
  })
}
