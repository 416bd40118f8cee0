import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { legacy } from '../backends/legacy-stub'
import { startBackend } from '../gateway/running-gateway'
import { post, send } from '../peers/raw-client'
import { openSession, started } from './clients-by-hand'

it('messages of a batch are carried on as they stand there', async () => {
  const backend = await startBackend(
    legacy((request, reply) => reply.json(200, { jsonrpc: '2.0', id: request.id, result: { content: [] } })),
  )
  const { one } = await started({ peer: { url: backend.url, era: 'legacy' } })
  const { headers } = await openSession(one(), { version: '2025-03-26' })
  const params = '"params": {"name":"x","arguments":{"n":1.0,"big":12345678901234567890,"e":"\\u00e9"}}'
  const body = `[ {"jsonrpc":"2.0","id":1,"method":"tools/call",${params}} , {"jsonrpc":"2.0","id":2,"method":"ping"}]`
  const answers = (await (await post(one(), body, headers)).json()) as unknown as { id: number }[]
  expect(answers.map(({ id }) => id).sort()).toEqual([1, 2])
  expect(backend.of('tools/call')[0]?.body).toContain(params)
})

it('a batch without a message is refused', async () => {
  const backend = await startBackend(legacy((_, reply) => reply.page(500, 'text/plain', '')))
  const { one } = await started({ peer: { url: backend.url, era: 'legacy' } })
  const { headers } = await openSession(one(), { version: '2025-03-26' })
  const refused = await post(one(), '[]', headers)
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: { code: -32600 } })
})

it('a client that does not read holds back what its batch streams, and gets all of it when it reads', async () => {
  const frames = 600
  let written = 0
  const backend = await startBackend(
    legacy(async (request, reply) => {
      const { progressToken } = request.params._meta as JsonObject
      const stream = reply.sse()
      const message = 'x'.repeat(100_000)
      for (let progress = 1; progress <= frames && !request.isAbandoned(); progress++) {
        const params = { progressToken, progress, message }
        await stream.raw(`data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })}\n\n`)
        written = progress
      }
      stream.event({ jsonrpc: '2.0', id: request.id, result: { content: [] } })
      stream.end()
    }),
  )
  const { one } = await started({ peer: { url: backend.url, era: 'legacy' } })
  const { headers } = await openSession(one(), { version: '2025-03-26' })
  const params = { name: 'x', arguments: {}, _meta: { progressToken: 'p' } }
  const body = [
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    { jsonrpc: '2.0', id: 2, method: 'ping' },
  ]
  const exchange = send(one(), body, headers, { startPaused: true })
  await exchange.head
  let last = -1
  for (let still = 0; still < 5; still = last === written ? still + 1 : 0) {
    last = written
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  // 60 MB would be written if nothing held the backend back.
  expect(written).toBeLessThan(400)
  exchange.resume()
  const received = await exchange.messages()
  expect(received).toHaveLength(frames + 2)
  expect(received.flatMap((message) => (message.id === undefined ? [] : [message.id])).sort()).toEqual([1, 2])
}, 60_000)
