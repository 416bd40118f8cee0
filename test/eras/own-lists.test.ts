import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { startBackend } from '../gateway/running-gateway'
import { modernRequest, send } from '../peers/raw-client'
import type { StubHandler } from '../peers/stub-backend'
import { openSession, started, textOf } from './clients-by-hand'

/** A legacy server that offers `ask` only to those who can be asked, and asks for roots before it lists for those who have some. */
function choosy(): StubHandler {
  let answered: (() => void) | undefined
  return async (request, reply) => {
    if (request.httpMethod !== 'POST') return reply.page(405, 'text/plain', '')
    if (request.method === '' || request.id === undefined) {
      if (request.id === 'roots') answered?.()
      return void reply.response.writeHead(202).end()
    }
    const session = String(request.headers['mcp-session-id'])
    if (request.method === 'initialize') {
      const { elicitation, roots } = request.params.capabilities as JsonObject
      const id = roots === undefined ? (elicitation === undefined ? 'plain' : 'asked') : 'rooted'
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '0' },
      }
      return reply.json(200, { jsonrpc: '2.0', id: request.id, result }, { 'mcp-session-id': id })
    }
    if (request.method === 'tools/call')
      return reply.result({ content: [{ type: 'text', text: `${request.name} for ${session}` }] })
    if (request.method !== 'tools/list') return reply.error(200, { code: -32601, message: 'no' })
    const names = session === 'plain' ? ['look'] : ['look', 'ask']
    const result = { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) }
    if (session !== 'rooted') return reply.result(result)
    const stream = reply.sse()
    const roots = new Promise<void>((resolve) => (answered = resolve))
    stream.event({ jsonrpc: '2.0', id: 'roots', method: 'roots/list' })
    await roots
    stream.event({ jsonrpc: '2.0', id: request.id, result })
    stream.end()
  }
}

const namesIn = ({ result }: JsonObject): string[] =>
  (result as unknown as { tools: { name: string }[] }).tools.map(({ name }) => name)

it.each(['prefix', 'on-conflict'])(
  'legacy clients see on the merged endpoint what a legacy backend offers to each of them (%s)',
  async (policy) => {
    const backend = await startBackend(choosy())
    const { all, tap } = await started({ b: { url: backend.url, era: 'legacy' } }, { names: { policy } })
    const named = (name: string): string => (policy === 'prefix' ? `b__${name}` : name)
    const plain = await openSession(all)
    const asked = await openSession(all, { capabilities: { elicitation: {} } })
    const list = async (session: typeof plain): Promise<string[]> =>
      namesIn(await session.request('l', 'tools/list').answer())
    expect(await list(asked)).toEqual([named('look'), named('ask')])
    expect(await list(plain)).toEqual([named('look')])
    const modern = modernRequest('tools/list', {})
    expect(namesIn(await send(all, modern.body, modern.headers).answer())).toEqual([named('look')])
    // What was listed last, to somebody else, does not decide where the call goes.
    const call = asked.request('c', 'tools/call', { name: named('ask'), arguments: {} })
    expect(textOf(await call.answer())).toBe('ask for asked')
    const rooted = await openSession(all, { capabilities: { roots: {} } })
    expect(await list(rooted)).toEqual([named('look'), named('ask')])
    expect(tap.of('request.answered')).toMatchObject([{ by: 'gateway' }])
    expect(tap.of('response.withheld').map(({ reason }) => reason)).toContain('server-request')
  },
)
