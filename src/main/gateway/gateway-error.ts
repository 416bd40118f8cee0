import { statusForErrorCode } from '../../shared/protocol/errors'
import type { JsonValue } from '../../shared/protocol/json-rpc'

/**
 * An error that the gateway raises itself. `message` says what happened, on which leg, and what to do; `status` is the
 * HTTP status when the response is not committed yet (the table-mapped one unless given).
 */
export class GatewayError extends Error {
  readonly status: number
  /** Response header fields that belong to the status, for instance `Allow` with 405. */
  readonly headers: Record<string, string>
  /** Raw JSON of the request's id, when the error is raised after it was read. */
  idRaw?: string

  constructor(
    readonly code: number,
    message: string,
    readonly data?: JsonValue,
    options: { status?: number; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'GatewayError'
    this.status = options.status ?? statusForErrorCode(code)
    this.headers = options.headers ?? {}
  }
}

/**
 * The JSON text of an error response. `idRaw` is the raw JSON of the request's id; without a readable id the member is
 * left out (schema/2026-07-28 `JSONRPCErrorResponse`).
 */
export function errorResponseText(
  idRaw: string | undefined,
  error: { code: number; message: string; data?: JsonValue },
): string {
  const id = idRaw === undefined ? '' : `"id":${idRaw},`
  const body = JSON.stringify({ code: error.code, message: error.message, data: error.data })
  return `{"jsonrpc":"2.0",${id}"error":${body}}`
}
