import { expect, it } from 'vitest'
import { call } from '../peers/raw-client'
import { serve, text, type Offer } from '../peers/scripted-server'
import type { Stub } from '../peers/stub-backend'
import { startBackend, startGateway } from '../gateway/running-gateway'
import { openSession } from './clients-by-hand'

/** A server whose tool `where` wants its argument in a field too, and that does not agree when it is not there. */
function offer(field: string, more: Partial<Offer> = {}): ReturnType<typeof serve> {
  return serve({
    tools: {
      where: {
        descriptor: {
          inputSchema: { type: 'object', properties: { place: { type: 'string', 'x-mcp-header': field } } },
        },
        call: ({ headers, params }, reply) => {
          const { place } = params.arguments as { place: string }
          if (headers[`mcp-param-${field.toLowerCase()}`] === place) return reply.result(text(place))
          reply.error(400, { code: -32020, message: `Header mismatch: Mcp-Param-${field}` })
        },
      },
    },
    ...more,
  })
}

const fieldsOf = (backend: Stub): unknown[] =>
  backend
    .of('tools/call')
    .map(({ headers }) => Object.entries(headers).filter(([name]) => name.startsWith('mcp-param-')))

it.each(['one', 'all'] as const)('a legacy client needs to know of none, endpoint of %s', async (endpoint) => {
  const backend = await startBackend(offer('City'))
  const running = await startGateway({ b: backend })
  await running.tap.until('backend.catalog')
  const session = await openSession(endpoint === 'one' ? running.one() : running.all)
  const name = endpoint === 'one' ? 'where' : 'b__where'
  const given = { name, arguments: { place: 'Oslo' } }
  expect((await session.request(1, 'tools/call', given).answer()).result).toMatchObject(text('Oslo'))
  // The server is another one now, which did not say that its tools changed.
  backend.script(offer('Town'))
  const lists = backend.of('tools/list').length
  const before = running.tap.of('call.routed').length
  expect((await session.request(2, 'tools/call', given).answer()).result).toMatchObject(text('Oslo'))
  expect(fieldsOf(backend)).toEqual([
    [['mcp-param-city', 'Oslo']],
    [['mcp-param-city', 'Oslo']],
    [['mcp-param-town', 'Oslo']],
  ])
  expect(backend.of('tools/list')).toHaveLength(lists + 1)
  const rounds = running.tap.of('call.routed').slice(before)
  expect(rounds.map(({ round }) => round)).toEqual([1, 1])
  expect(running.tap.of('response.withheld').at(-1)).toMatchObject({ reason: 'merged' })
})

it('a call that the fresh list does not help is not repeated, and gets the error', async () => {
  const backend = await startBackend(offer('City'))
  const running = await startGateway({ b: backend })
  await running.tap.until('backend.catalog')
  const session = await openSession(running.one())
  backend.script(
    serve({
      tools: {
        where: {
          descriptor: {
            inputSchema: { type: 'object', properties: { place: { 'x-mcp-header': 'City', type: 'string' } } },
          },
          call: (_, reply) => reply.error(400, { code: -32020, message: 'Header mismatch' }),
        },
      },
    }),
  )
  const answer = await session.request(1, 'tools/call', { name: 'where', arguments: { place: 'Oslo' } }).answer()
  expect(answer.error).toMatchObject({ code: -32020 })
  expect(backend.of('tools/call')).toHaveLength(1)
})

it('a modern client gets the error, and then a list that is read anew', async () => {
  const backend = await startBackend(offer('City', { ttlMs: 60_000, cacheScope: 'public' }))
  const { all, tap } = await startGateway({ b: backend })
  await tap.until('backend.catalog')
  const lists = async (): Promise<number> => {
    await (await call(all, 'tools/list')).answer()
    return backend.of('tools/list').length
  }
  const before = await lists()
  expect(await lists()).toBe(before)
  const refused = await call(all, 'tools/call', { name: 'b__where', arguments: { place: 'Oslo' } })
  expect(refused.status).toBe(400)
  expect(await refused.answer()).toMatchObject({ error: { code: -32020 } })
  expect(backend.of('tools/call')).toHaveLength(1)
  expect(await lists()).toBe(before + 1)
})
