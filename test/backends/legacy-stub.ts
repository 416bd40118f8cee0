import { expect, onTestFinished } from 'vitest'
import type { UpstreamPart } from '../../src/main/backends/backend'
import { startStub, type Stub, type StubHandler } from '../peers/stub-backend'
import { ANY_SIGNAL, legacyCall, partsOf, run, type Run } from './running-backend'

/** A backend on a scripted server that is taken for a legacy one. */
export async function stub(handler: StubHandler): Promise<{ server: Stub } & Run> {
  const server = await startStub(handler)
  onTestFinished(async () => {
    await server.close()
    expect(server.failures).toEqual([])
  })
  return { server, ...run({ url: server.url, era: 'legacy' }) }
}

/** Answers what a session needs, and `tools/call` as the test wants. */
export const legacy =
  (call: StubHandler, others: Record<string, StubHandler> = {}): StubHandler =>
  (request, reply) => {
    const other = others[request.method === '' ? request.httpMethod : request.method]
    if (other !== undefined) return other(request, reply)
    if (request.method === 'tools/call') return call(request, reply)
    if (request.httpMethod !== 'POST') return reply.page(405, 'text/plain', '')
    if (request.id === undefined || request.method === '') return void reply.response.writeHead(202).end()
    if (request.method !== 'initialize') return reply.error(200, { code: -32601, message: 'no' })
    const result = { protocolVersion: '2025-03-26', capabilities: {}, serverInfo: { name: 's', version: '0' } }
    reply.json(200, { jsonrpc: '2.0', id: request.id, result }, { 'mcp-session-id': 'session-1' })
  }

/** The parts of a call with id 7 on the shared session. */
export const callOn = async (backend: Run['backend']): Promise<UpstreamPart[]> => {
  const session = await backend.shared([])
  return partsOf(session.exchange(legacyCall('x', {}, 7), ANY_SIGNAL))
}
export const done = { jsonrpc: '2.0', id: 7, result: { content: [] } }
