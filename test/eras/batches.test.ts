import { expect, it } from 'vitest'
import { legacy } from '../backends/legacy-stub'
import { startBackend } from '../gateway/running-gateway'
import { post } from '../peers/raw-client'
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
