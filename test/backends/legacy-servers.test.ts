import { describe, expect, it } from 'vitest'
import { started } from '../eras/clients-by-hand'
import { startBackend } from '../gateway/running-gateway'
import { call } from '../peers/raw-client'
import type { StubHandler } from '../peers/stub-backend'
import { callOn, done, legacy, stub } from './legacy-stub'
import { eventually, messagesOf } from './running-backend'

describe('what legacy servers may do', () => {
  it('batches in a body and in an event are their messages, one by one', async () => {
    const note = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 7, progress: 1 } }
    const { backend, server } = await stub(legacy((_, reply) => reply.json(200, [note, done])))
    const parts = await callOn(backend)
    expect(parts.filter((part) => part.kind === 'frame')).toEqual([
      { kind: 'frame', form: 'body', raw: JSON.stringify([note, done]) },
      { kind: 'frame', form: 'body', raw: JSON.stringify(note), data: JSON.stringify(note) },
      { kind: 'frame', form: 'body', raw: JSON.stringify(done), data: JSON.stringify(done) },
    ])
    server.script(
      legacy((_, reply) => {
        const stream = reply.sse()
        stream.event([note, done])
        stream.end()
      }),
    )
    expect(messagesOf(await callOn(backend))).toEqual([note, done])
  })

  it('a ping in a stream is answered, and shown without being handed on', async () => {
    const { backend, server } = await stub(
      legacy((_, reply) => {
        const stream = reply.sse()
        stream.event({ jsonrpc: '2.0', id: 'p', method: 'ping' })
        stream.event(done)
        stream.end()
      }),
    )
    const parts = await callOn(backend)
    expect(messagesOf(parts)).toEqual([done])
    expect(parts).toContainEqual({
      kind: 'frame',
      form: 'event',
      raw: 'event: message\ndata: {"jsonrpc":"2.0","id":"p","method":"ping"}',
    })
    await eventually(() => server.requests.some(({ body }) => body === '{"jsonrpc":"2.0","id":"p","result":{}}'))
  })

  it('a stream that breaks after an id is resumed after the pause that the server wants', async () => {
    let resumed = 0
    const { backend, server } = await stub(
      legacy(
        async (_, reply) => {
          const stream = reply.sse()
          await stream.raw('id: one\nretry: 60\ndata:\n\n')
          stream.destroy()
        },
        {
          GET: (request, reply) => {
            if (request.headers['last-event-id'] === undefined) return reply.page(405, 'text/plain', '')
            resumed++
            if (resumed === 1) return reply.reset()
            const stream = reply.sse()
            stream.event(done)
            stream.end()
          },
        },
      ),
    )
    expect(messagesOf(await callOn(backend))).toEqual([done])
    const [call] = server.of('tools/call')
    const gets = server.requests.filter(({ headers }) => headers['last-event-id'] === 'one')
    expect(gets).toHaveLength(2)
    expect((gets[0]?.at ?? 0) - (call?.at ?? 0)).toBeGreaterThanOrEqual(55)
    expect(server.of('tools/call')).toHaveLength(1)
  })

  it.each([
    ['a stream that breaks without an id', (reply: Parameters<StubHandler>[1]) => reply.sse().destroy(), 'lost'],
    ['a stream that ends without an answer', (reply: Parameters<StubHandler>[1]) => reply.sse().end(), 'complete'],
    ['a reset', (reply: Parameters<StubHandler>[1]) => reply.reset(), 'lost'],
  ])('%s is the end, and the call is not sent again', async (_name, misbehave, reason) => {
    const { backend, server } = await stub(legacy((_, reply) => misbehave(reply)))
    expect((await callOn(backend)).at(-1)).toMatchObject({ kind: 'ended', reason })
    expect(server.of('tools/call')).toHaveLength(1)
  })

  it('a server that does not resume its own ids ends the call', async () => {
    const { backend } = await stub(
      legacy(async (_, reply) => {
        const stream = reply.sse()
        await stream.raw('id: one\ndata:\n\n')
        stream.end()
      }),
    )
    expect((await callOn(backend)).at(-1)).toMatchObject({
      reason: 'lost',
      detail: expect.stringContaining('HTTP 405') as string,
    })
  })

  it.each([
    ['404 without a body', (reply: Parameters<StubHandler>[1]) => reply.page(404, 'text/plain', ''), 2],
    [
      '404 that says so',
      (reply: Parameters<StubHandler>[1]) => reply.error(404, { code: -32001, message: 'Session not found' }),
      2,
    ],
    [
      '400 with words on the session',
      (reply: Parameters<StubHandler>[1]) =>
        reply.error(400, { code: -32000, message: 'No valid session ID provided' }),
      2,
    ],
    [
      '404 of a method',
      (reply: Parameters<StubHandler>[1]) => reply.error(404, { code: -32601, message: 'Method not found' }),
      1,
    ],
    ['400 of arguments', (reply: Parameters<StubHandler>[1]) => reply.error(400, { code: -32602, message: 'bad' }), 1],
    ['500', (reply: Parameters<StubHandler>[1]) => reply.page(500, 'text/plain', 'session lost'), 1],
  ])('%s: is the call sent again?', async (_name, answer, times) => {
    const { backend, server } = await stub(legacy((_, reply) => answer(reply)))
    const parts = await callOn(backend)
    expect(server.of('tools/call')).toHaveLength(times)
    expect(server.of('initialize')).toHaveLength(times)
    expect(parts.at(-1)).toMatchObject({ kind: 'ended', reason: 'complete' })
  })

  it('a session that cannot be begun anew ends the call, and the backend is asked anew', async () => {
    const { backend, server, health } = await stub(legacy((_, reply) => reply.page(404, 'text/plain', '')))
    await backend.shared([])
    server.script(
      legacy((_, reply) => reply.page(404, 'text/plain', ''), {
        initialize: (_, reply) => reply.error(200, { code: -32603, message: 'full' }),
        ping: (_, reply) => reply.page(404, 'text/plain', ''),
      }),
    )
    expect((await callOn(backend)).at(-1)).toMatchObject({
      reason: 'lost',
      wrongEra: true,
      detail: expect.stringContaining('refuses initialize with error -32603: full') as string,
    })
    expect(await health('degraded')).toMatchObject({ reason: expect.stringContaining('full') as string })
  })

  it('a byte order mark is no part of an answer', async () => {
    const { backend } = await stub(
      legacy((_, reply) => {
        reply.response.writeHead(200, { 'content-type': 'application/json' }).end(`\ufeff${JSON.stringify(done)}`)
      }),
    )
    expect(messagesOf(await callOn(backend))).toEqual([done])
  })

  it('where nothing is known of the era any more, a refused call is not tried in the other one', async () => {
    let over = false
    const server = await startBackend((request, reply) => {
      if (over && request.method !== '') return reply.page(404, 'text/plain', 'gone')
      return legacy((_, answer) => answer.json(200, done))(request, reply)
    })
    const { one } = await started({ odd: { url: server.url } })
    over = true
    const answer = await (await call(one(), 'tools/call', { name: 'x', arguments: {} })).answer()
    expect(answer).toMatchObject({ error: { code: -32603 } })
    expect(server.of('tools/call')).toHaveLength(1)
  })
})
