import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ErrorCode } from '../../shared/protocol/errors'
import { GatewayError } from './gateway-error'

/**
 * The request's body as text. Rejects with 413 beyond `limit` bytes, with -32700 when it is not UTF-8, and resolves
 * undefined when the client went away before it was complete.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<string | undefined> {
  const declared = Number(request.headers['content-length'])
  if (declared > limit) return Promise.reject(tooLarge(limit))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > limit) {
        request.removeAllListeners('data')
        request.resume()
        reject(tooLarge(limit))
        return
      }
      chunks.push(chunk)
      if (length === declared) complete()
    })
    const complete = (): void => {
      const bytes = chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks)
      if (isUtf8(bytes)) resolve(bytes.toString('utf8'))
      else reject(new GatewayError(ErrorCode.ParseError, "Parse error: the client's request body is not valid UTF-8."))
    }
    // Where the length is declared, it is known to be whole before the stream's own end comes round.
    if (!(declared > 0)) request.on('end', complete)
    request.on('close', () => resolve(undefined))
    request.on('error', () => resolve(undefined))
  })
}

function tooLarge(limit: number): GatewayError {
  return new GatewayError(
    ErrorCode.Transport,
    `Client leg: the request body is larger than ${limit} bytes. Raise gateway.maxBodyBytes if that is meant.`,
    undefined,
    { status: 413, headers: { connection: 'close' } },
  )
}
