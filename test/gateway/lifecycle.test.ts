import { expect, it } from 'vitest'
import { modernRequest, post, send } from '../peers/raw-client'
import { configuration, gate, startBackend, startGateway } from './running-gateway'

const call = (url: string, name: string, more: object = {}) => {
  const { body, headers } = modernRequest('tools/call', { name }, more)
  return send(url, body, headers)
}

it('a changed configuration applies to new calls and leaves streams in flight alone', async () => {
  const { opened, open } = gate()
  const old = await startBackend(async (request, reply) => {
    if (request.method !== 'tools/call') return reply.result({})
    const stream = reply.sse()
    stream.event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 't', progress: 1 } })
    await opened
    stream.event({ jsonrpc: '2.0', id: request.id, result: { resultType: 'complete', from: 'old' } })
    stream.end()
  })
  const added = await startBackend((_request, reply) => reply.result({ from: 'added' }))
  const { gateway, one } = await startGateway({ old })
  const inFlight = call(one('old'), 'slow', { progressToken: 't' })
  expect((await inFlight.nextFrame())?.data).toContain('"progress":1')
  gateway.apply(configuration({ old, added }, { responseMode: 'sse' }))
  const later = call(one('added'), 'x')
  expect((await later.head).headers['content-type']).toBe('text/event-stream')
  expect(await later.answer()).toMatchObject({ result: { from: 'added' } })
  open()
  expect(await inFlight.answer()).toMatchObject({ result: { from: 'old' } })
})

it('a backend that is taken out finishes what it has begun, and gets nothing more', async () => {
  const { opened, open } = gate()
  const backend = await startBackend(async (request, reply) => {
    if (request.method === 'tools/call') await opened
    reply.result({ done: true })
  })
  const { gateway, one, all } = await startGateway({ kept: backend, gone: backend })
  const inFlight = [call(one('gone'), 'x'), call(all, 'gone__x'), call(one('kept'), 'x')]
  for (let waiting = inFlight.length; waiting > 0; waiting--) await backend.next('tools/call')
  gateway.apply(configuration({ kept: backend }))
  expect((await post(one('gone'), ...requestFor('tools/list'))).status).toBe(404)
  open()
  for (const ended of inFlight) expect(await ended.answer()).toMatchObject({ result: { done: true } })
})

it('closing ends open streams with an error frame, cancels the backends, and accepts nothing more', async () => {
  const backend = await startBackend(async (request, reply) => {
    if (request.method !== 'tools/call') return reply.result({})
    if (request.name === 'stream')
      reply
        .sse()
        .event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 't', progress: 1 } })
    await request.abandoned
  })
  const { gateway, one, tap } = await startGateway({ backend })
  const streaming = call(one(), 'stream', { progressToken: 't' })
  const silent = call(one(), 'silent')
  await streaming.nextFrame()
  const seen = [await backend.next('tools/call'), await backend.next('tools/call')]
  await gateway.close(1_000)
  expect((await streaming.frames()).at(-1)?.data).toContain('"error"')
  expect(await silent.answer()).toMatchObject({
    error: { code: -32603, message: expect.stringContaining('stopping') as string },
  })
  await Promise.all(seen.map((request) => request.abandoned))
  expect(tap.of('call.ended').map(({ outcome, by }) => [outcome, by])).toEqual([
    ['error', 'gateway'],
    ['error', 'gateway'],
  ])
  await expect(post(one(), ...requestFor('tools/list'))).rejects.toThrow('ECONNREFUSED')
})

function requestFor(method: string): [string, Record<string, string>] {
  const { body, headers } = modernRequest(method)
  return [body, headers]
}
