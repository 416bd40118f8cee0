import { ErrorCode } from '../../shared/protocol/errors'
import type { JsonValue } from '../../shared/protocol/json-rpc'
import { SessionError } from '../backends/backend'

/** The error for a backend that gave no JSON-RPC answer: -32603 with `data: { backend, reason, status? }`. */
export function backendFailure(
  backend: string,
  problem: { reason: string; detail: string },
  status: number,
  challenge?: string,
): { code: number; message: string; data: JsonValue } {
  const { reason, detail } = problem
  // Words of a connector may say it already.
  const http = status === 0 || status === 200 || detail.includes(`HTTP ${status}`) ? '' : ` (HTTP ${status})`
  const hint = detail.includes('"passHeaders"') ? '' : hintFor(status, reason)
  return {
    code: ErrorCode.InternalError,
    message: `Backend leg: "${backend}" gave no answer: ${detail.replace(/\.$/, '')}${http}.${hint}`,
    data: {
      backend,
      reason,
      ...(status === 0 ? {} : { status }),
      ...(challenge === undefined ? {} : { wwwAuthenticate: challenge }),
    },
  }
}

/** The same for what kept a call from being sent: mostly a session that could not be had. */
export function notSent(backend: string, error: unknown): ReturnType<typeof backendFailure> {
  const detail = error instanceof Error ? error.message : String(error)
  const { status = 0, challenge } = error instanceof SessionError ? error : {}
  return backendFailure(backend, { reason: status >= 300 ? 'http-status' : 'refused', detail }, status, challenge)
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
