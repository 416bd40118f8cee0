import { isObject, type JsonObject, type RequestId } from '../../shared/protocol/json-rpc'

/** What a backend's message is. */
export type UpstreamMessage =
  | { kind: 'notification'; message: JsonObject }
  | { kind: 'request'; message: JsonObject }
  | { kind: 'response'; message: JsonObject; result?: JsonObject; error?: { code: number; message: string } }
  | { kind: 'invalid'; detail: string }

/**
 * Reads a message of a backend. `upstreamId` is the id of the request that it may answer; its string form counts too, and
 * so does an error without an id, which servers send when they could not read the request.
 */
export function readUpstreamMessage(text: string, upstreamId: RequestId): UpstreamMessage {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch (error) {
    return { kind: 'invalid', detail: `it is not JSON (${error instanceof Error ? error.message : String(error)})` }
  }
  if (Array.isArray(message)) return { kind: 'invalid', detail: 'it is a batch, which this revision does not have' }
  if (!isObject(message)) return { kind: 'invalid', detail: 'it is no JSON-RPC object' }
  if (typeof message.method === 'string') {
    return { kind: Object.hasOwn(message, 'id') ? 'request' : 'notification', message }
  }
  const { id, result, error } = message
  if (isObject(error)) {
    if (id !== undefined && id !== null && !answers(id, upstreamId)) return wrongId(id, upstreamId)
    const code = typeof error.code === 'number' ? error.code : 0
    return { kind: 'response', message, error: { code, message: String(error.message ?? '') } }
  }
  if (result === undefined) return { kind: 'invalid', detail: 'it has neither method, result nor error' }
  if (!answers(id, upstreamId)) return wrongId(id, upstreamId)
  return isObject(result)
    ? { kind: 'response', message, result }
    : { kind: 'invalid', detail: 'its result is no object' }
}

function answers(id: unknown, upstreamId: RequestId): boolean {
  return id === upstreamId || id === String(upstreamId)
}

function wrongId(id: unknown, upstreamId: RequestId): UpstreamMessage {
  return {
    kind: 'invalid',
    detail: `it answers id ${JSON.stringify(id)?.slice(0, 100) ?? '(none)'}, the request had ${JSON.stringify(upstreamId)}`,
  }
}
