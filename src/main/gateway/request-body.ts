import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ErrorCode } from '../../shared/protocol/errors'
import { GatewayError } from './gateway-error'

/**
 * Reads the request's body. `whole` is called once: with its text, with the error to answer (413 beyond `limit` bytes,
 * -32700 when it is not UTF-8), or with undefined when the client went away before it was complete. A callback, since a
 * promise would wait for what else the connection does with the same bytes. Most bodies come in one piece with their head,
 * and are taken whole without making a stream flow.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  whole: (body: string | GatewayError | undefined) => void,
): void {
  const declared = Number(request.headers['content-length'])
  if (declared > limit) {
    whole(tooLarge(limit))
    return
  }
  const chunks: Buffer[] = []
  let length = 0
  let over = false
  const settle = (body: string | GatewayError | undefined): void => {
    if (over) return
    over = true
    whole(body)
  }
  const complete = (): void => {
    const bytes = chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks)
    settle(isUtf8(bytes) ? bytes.toString('utf8') : notUtf8())
  }
  const take = (chunk: Buffer): void => {
    length += chunk.length
    if (length > limit) {
      request.removeAllListeners('data')
      request.resume()
      settle(tooLarge(limit))
      return
    }
    chunks.push(chunk)
    // Where the length is declared, it is known to be whole before the stream's own end comes round.
    if (length === declared) complete()
  }
  const rest = (): void => {
    request.on('data', take)
    if (!(declared > 0)) request.on('end', complete)
    request.on('close', () => settle(undefined))
    request.on('error', () => settle(undefined))
  }
  // When the bytes that brought the head have been gone through.
  process.nextTick(() => {
    const chunk = declared > 0 ? (request.read() as Buffer | null) : null
    if (chunk !== null) take(chunk)
    if (!over) rest()
  })
}

function notUtf8(): GatewayError {
  return new GatewayError(ErrorCode.ParseError, "Parse error: the client's request body is not valid UTF-8.")
}

function tooLarge(limit: number): GatewayError {
  return new GatewayError(
    ErrorCode.Transport,
    `Client leg: the request body is larger than ${limit} bytes. Raise gateway.maxBodyBytes if that is meant.`,
    undefined,
    { status: 413, headers: { connection: 'close' } },
  )
}
