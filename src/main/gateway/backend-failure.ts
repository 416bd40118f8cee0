import { ErrorCode } from '../../shared/protocol/errors'
import type { JsonValue } from '../../shared/protocol/json-rpc'

/** The error for a backend that gave no JSON-RPC answer: -32603 with `data: { backend, reason, status? }`. */
export function backendFailure(
  backend: string,
  problem: { reason: string; detail: string },
  status: number,
  challenge?: string,
): { code: number; message: string; data: JsonValue } {
  const http = status === 0 || status === 200 ? '' : ` (HTTP ${status})`
  const hint = hintFor(status, problem.reason)
  return {
    code: ErrorCode.InternalError,
    message: `Backend leg: "${backend}" gave no answer: ${problem.detail}${http}.${hint}`,
    data: {
      backend,
      reason: problem.reason,
      ...(status === 0 ? {} : { status }),
      ...(challenge === undefined ? {} : { wwwAuthenticate: challenge }),
    },
  }
}

function hintFor(status: number, reason: string): string {
  if (status === 401 || status === 403)
    return ' Give this backend its credentials in "headers", or let the client\'s pass with "passHeaders".'
  if (status >= 300 && status < 400)
    return ' It redirects, which is not followed: configure the "url" that it leads to.'
  return reason === 'refused' ? ' Start the server, or correct its configuration.' : ''
}

/** What it means that an exchange was complete, and yet nothing in it was an answer. */
export function silentEnd(status: number, detail: string | undefined): { reason: string; detail: string } {
  if (status >= 300) return { reason: 'http-status', detail: 'it answered without a JSON-RPC message' }
  return { reason: 'no-response', detail: detail ?? 'its answer ended without a response to this request' }
}
