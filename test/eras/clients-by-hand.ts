import { onTestFinished } from 'vitest'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { startGateway, type Running } from '../gateway/running-gateway'
import { modernRequest, send, type Exchange } from '../peers/raw-client'

/** A peer that is closed when the test ends. */
export async function closing<Peer extends { close(): Promise<void> }>(starting: Promise<Peer>): Promise<Peer> {
  const peer = await starting
  onTestFinished(() => peer.close())
  return peer
}

/** A gateway that has learned what its backends offer. */
export async function started(
  backends: Record<string, Record<string, unknown>>,
  settings: Record<string, unknown> = {},
): Promise<Running> {
  const running = await startGateway(backends, settings)
  // What the gateway asks by itself at the start is over then, and does not mix with what tests look at.
  await running.tap.until('backend.catalog', Object.keys(backends).length)
  return running
}

/** A `subscriptions/listen` of a client that reads raw frames. */
export function listen(
  url: string,
  notifications: JsonObject,
  id: string | number,
): Exchange & { next(): Promise<JsonObject> } {
  const request = modernRequest('subscriptions/listen', { notifications }, { id })
  const exchange = send(url, request.body, request.headers)
  onTestFinished(() => exchange.destroy())
  const next = async (): Promise<JsonObject> => {
    for (;;) {
      const frame = await exchange.nextFrame()
      if (frame === undefined) throw new Error('the stream has ended')
      if (frame.data !== undefined) return JSON.parse(frame.data) as JsonObject
    }
  }
  return { ...exchange, next }
}

/** Calls a tool as a modern client, and gives the text of its result. */
export async function callTool(url: string, name: string, given: JsonObject = {}): Promise<string> {
  const request = modernRequest('tools/call', { name, arguments: given })
  return textOf(await send(url, request.body, request.headers).answer())
}

/** The first text of a tool's result. */
export function textOf({ result, error }: JsonObject): string {
  if (error !== undefined) throw new Error(JSON.stringify(error))
  return (result as unknown as { content: { text: string }[] }).content[0]?.text ?? ''
}

/** A legacy session that a test speaks by hand. */
export async function openSession(
  url: string,
  { version = '2025-11-25', capabilities = {} }: { version?: string; capabilities?: JsonObject } = {},
) {
  const fields = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const params = { protocolVersion: version, capabilities, clientInfo: { name: 'by hand', version: '1' } }
  const opening = send(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, fields)
  const initialized = await opening.json()
  const headers: Record<string, string> = {
    ...fields,
    'mcp-session-id': String((await opening.head).headers['mcp-session-id']),
    'mcp-protocol-version': version,
  }
  await send(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers).text()
  const get = (lastEventId?: string): Exchange => {
    const more: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
    const stream = send(url, '', { ...headers, accept: 'text/event-stream', ...more }, { method: 'GET' })
    onTestFinished(() => stream.destroy())
    return stream
  }
  return {
    initialized,
    headers,
    get,
    post: (message: object) => send(url, message, headers),
    request: (id: string | number, method: string, params_: JsonObject = {}) =>
      send(url, { jsonrpc: '2.0', id, method, params: params_ }, headers),
    delete: () => send(url, '', headers, { method: 'DELETE' }),
  }
}

/** The next message on a stream, with the id of its event. */
export async function data(exchange: Exchange): Promise<{ id: string | undefined; message: JsonObject }> {
  for (;;) {
    const frame = await exchange.nextFrame()
    if (frame === undefined) throw new Error('the stream has ended')
    if (frame.data !== undefined && frame.data !== '')
      return { id: frame.id, message: JSON.parse(frame.data) as JsonObject }
  }
}
