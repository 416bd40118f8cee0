import { Agent, request } from 'undici'
import type { HeaderList } from '../../shared/capture/events'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { SseSplitter } from '../backends/sse-splitter'

/** A larger answer is not taken in. */
const MAX_ANSWER_BYTES = 67_108_864

/** Sends messages to the gateway, without time-outs of its own: a silent tool may be silent as it was. */
export class GatewaySender {
  readonly #agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connections: 256 })

  /**
   * POSTs a message. Resolves with the response to it; `onRequest` gets the requests of a legacy server that come before.
   * Rejects when the gateway does not answer with a JSON-RPC response, or `signal` is aborted.
   */
  async post(
    url: string,
    message: JsonObject,
    headers: HeaderList,
    signal: AbortSignal,
    onRequest: (message: JsonObject) => void = () => undefined,
  ): Promise<{ response: JsonObject; headers: Record<string, string | string[] | undefined> }> {
    const answer = await request(url, {
      method: 'POST',
      dispatcher: this.#agent,
      headers: [
        ...['content-type', 'application/json'],
        ...['accept', 'application/json, text/event-stream'],
        ...headers.flat(),
      ],
      body: JSON.stringify(message),
      signal,
    })
    const response = await readResponse(answer.body, String(answer.headers['content-type'] ?? ''), onRequest)
    if (response === undefined)
      throw new Error(`the gateway answered HTTP ${answer.statusCode} without a JSON-RPC response`)
    return { response, headers: answer.headers }
  }

  /** POSTs a message that has no response, or ends a session (`method` DELETE, no message). */
  async tell(url: string, message: JsonObject | undefined, headers: HeaderList): Promise<void> {
    const answer = await request(url, {
      method: message === undefined ? 'DELETE' : 'POST',
      dispatcher: this.#agent,
      headers: [
        ...['content-type', 'application/json'],
        ...['accept', 'application/json, text/event-stream'],
        ...headers.flat(),
      ],
      ...(message !== undefined && { body: JSON.stringify(message) }),
    })
    await answer.body.dump()
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }
}

async function readResponse(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  onRequest: (message: JsonObject) => void,
): Promise<JsonObject | undefined> {
  if (!contentType.startsWith('text/event-stream')) {
    const pieces: Uint8Array[] = []
    let bytes = 0
    for await (const piece of body) {
      bytes += piece.length
      if (bytes > MAX_ANSWER_BYTES) throw new Error(`its answer is larger than ${MAX_ANSWER_BYTES} bytes`)
      pieces.push(piece)
    }
    return responseIn(Buffer.concat(pieces).toString(), onRequest)
  }
  const splitter = new SseSplitter(MAX_ANSWER_BYTES)
  let response: JsonObject | undefined
  for await (const piece of body)
    for (const event of splitter.push(piece))
      if (event.form === 'event' && event.data !== undefined) response = responseIn(event.data, onRequest) ?? response
  return response
}

function responseIn(text: string, onRequest: (message: JsonObject) => void): JsonObject | undefined {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  if (!isObject(message)) return undefined
  if (typeof message.method === 'string') {
    if (message.id !== undefined) onRequest(message)
    return undefined
  }
  return message.result !== undefined || message.error !== undefined ? message : undefined
}
