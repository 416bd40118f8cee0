import type { HeaderList } from '../../shared/capture/events'
import { encodeHeaderValue } from '../../shared/protocol/header-value'
import { MODERN_VERSION } from '../../shared/protocol/revisions'
import type { UpstreamRequest } from './backend'
import { contradictsModern } from './era'
import type { HttpConnection } from './http-connection'
import { postParts } from './http-post'
import type { PartQueue } from './part-queue'
import type { CancelSignal } from './cancel-signal'

/** A client that passes nothing sends the same fields with every call of a tool. */
function headersOf(http: HttpConnection, { method, mirroredName, headers }: UpstreamRequest): HeaderList {
  const make = (): HeaderList =>
    http.headers(
      [
        ['content-type', 'application/json'],
        ['accept', 'application/json, text/event-stream'],
        ['mcp-protocol-version', MODERN_VERSION],
        ['mcp-method', method],
      ],
      mirroredName === undefined ? headers : [['mcp-name', encodeHeaderValue(mirroredName)], ...headers],
    )
  if (mirroredName === undefined || headers.length > 0) return make()
  // With the length, so that no method and name can be taken for another pair.
  return http.usualHeaders(`${method.length}:${method}${mirroredName}`, make)
}

/** One exchange of the modern era. `onWrongEra` is told when the answer shows that the backend does not speak it. */
export function modernExchange(
  http: HttpConnection,
  request: UpstreamRequest,
  signal: CancelSignal,
  onWrongEra: () => void,
): PartQueue {
  return postParts(http, {
    headers: headersOf(http, request),
    body: request.body,
    signal,
    wrongEra: (status, text) => {
      const contradicts = contradictsModern(status, text)
      if (contradicts) onWrongEra()
      return contradicts
    },
  })
}
