import type { IncomingMessage } from 'node:http'

/** A client that goes on sending has this long to read that it is refused. */
const LINGER_MS = 2_000

/**
 * Calls `close` when the rest of the request was read, which is dropped, or after a moment. A connection that closes with
 * unread bytes is reset by the system, and the answer may be lost with it (RFC 9112 9.6).
 */
export function afterRequest(request: IncomingMessage, close: () => void): void {
  const over = (): void => {
    clearTimeout(timer)
    request.off('end', over)
    request.off('close', over)
    close()
  }
  const timer = setTimeout(over, LINGER_MS)
  request.on('end', over)
  request.on('close', over)
  request.resume()
}
