import { isUtf8 } from 'node:buffer'
import { ErrorCode } from '../../shared/protocol/errors'
import { BodyBytes } from '../backends/body-bytes'
import { GatewayError } from './gateway-error'
import type { IncomingRequest } from './incoming-request'

/**
 * Reads the request's body. `whole` is called once: with its text, with the error to answer (413 beyond `limit` bytes,
 * -32700 when it is not UTF-8), or with undefined when the client went away before it was complete. A callback, since a
 * promise would wait for what else the connection does with the same bytes.
 */
export function readBody(
  request: IncomingRequest,
  limit: number,
  whole: (body: string | GatewayError | undefined) => void,
): void {
  const declared = Number(request.headers['content-length'])
  if (declared > limit) {
    whole(tooLarge(limit))
    return
  }
  let bytes = new BodyBytes()
  let over = false
  const settle = (body: string | GatewayError | undefined): void => {
    if (over) return
    over = true
    bytes = new BodyBytes()
    whole(body)
  }
  const complete = (): void => {
    const body = bytes.join()
    settle(isUtf8(body) ? body.toString('utf8') : notUtf8())
  }
  request.takeBody((chunk) => {
    if (over) return
    if (chunk === null) {
      complete()
      return
    }
    // The parser has copied it.
    bytes.add(chunk)
    if (bytes.length > limit) settle(tooLarge(limit))
    // Where the length is declared, it is known to be whole before its end comes round.
    else if (bytes.length === declared) complete()
  })
  // Most bodies come in one piece with their head, and are whole by then.
  process.nextTick(() => {
    if (over) return
    request.on('close', () => settle(undefined))
    request.on('error', () => settle(undefined))
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
