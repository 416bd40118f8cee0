import { describe, expect, it } from 'vitest'
import type { Stray } from '../../src/main/backends/backend'
import { callOn, done, legacy, stub } from './legacy-stub'
import { eventually, messagesOf, QUICK } from './running-backend'

describe('the stream of a legacy session', () => {
  it('a stream of a session is taken up again, with the last id, and not asked for where there is none', async () => {
    let opened = 0
    const { backend, server } = await stub(
      legacy((_, reply) => reply.json(200, done), {
        GET: async (_, reply) => {
          const stream = reply.sse()
          await stream.raw(`id: ${++opened}\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n`)
          if (opened < 3) stream.end()
        },
      }),
    )
    const session = await backend.shared([])
    const strays: Stray[] = []
    session.onStray((stray) => strays.push(stray))
    await eventually(() => opened === 3)
    const gets = server.requests.filter(({ httpMethod }) => httpMethod === 'GET')
    expect(gets.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1', '2'])
    await eventually(() => strays.length >= 2)

    const without = await stub(legacy((_, reply) => reply.json(200, done)))
    await callOn(without.backend)
    await callOn(without.backend)
    expect(without.server.requests.filter(({ httpMethod }) => httpMethod === 'GET')).toHaveLength(1)
  })

  it('a body that is not valid UTF-8 keeps its bytes', async () => {
    const bytes = Buffer.from(JSON.stringify({ ...done, result: { content: [], city: 'Zürich' } }), 'latin1')
    const { backend } = await stub(legacy((_, reply) => reply.page(200, 'application/json', bytes)))
    const frames = (await callOn(backend)).filter((part) => part.kind === 'frame')
    expect(frames).toMatchObject([{ form: 'body', raw: bytes.toString('utf8'), bytes: bytes.toString('base64') }])
  })

  it('a stream that ends at once and wants no pause is not asked for without one', async () => {
    const at: number[] = []
    const { backend } = await stub(
      legacy((_, reply) => reply.json(200, done), {
        GET: async (_, reply) => {
          at.push(Date.now())
          const stream = reply.sse()
          await stream.raw('retry: 0\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n')
          stream.end()
        },
      }),
    )
    await backend.shared([])
    await eventually(() => at.length === 4)
    expect((at[3] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(3 * (QUICK.resumeMs ?? 0) - 3)
  })

  it('a server that answers 404 to every GET has no stream, and keeps its session', async () => {
    const { backend, server } = await stub(
      legacy((_, reply) => reply.json(200, done), { GET: (_, reply) => reply.page(404, 'text/html', 'Cannot GET /') }),
    )
    await backend.shared([])
    await eventually(() => server.of('ping').length === 1)
    expect(messagesOf(await callOn(backend))).toEqual([done])
    expect(server.of('initialize')).toHaveLength(1)
    expect(server.requests.filter(({ httpMethod }) => httpMethod === 'GET')).toHaveLength(1)
  })

  it('a server that loses every session is not initialized without a pause', async () => {
    const { backend, server } = await stub(
      legacy((_, reply) => reply.json(200, done), {
        GET: (_, reply) => reply.page(404, 'text/plain', ''),
        ping: (_, reply) => reply.page(404, 'text/plain', ''),
      }),
    )
    await backend.shared([])
    await eventually(() => server.of('initialize').length === 4)
    const at = server.of('initialize').map((request) => request.at)
    // The first is renewed at once, later ones after 2, 4, … times the pause.
    expect((at[3] ?? 0) - (at[1] ?? 0)).toBeGreaterThanOrEqual(6 * (QUICK.resumeMs ?? 0) - 3)
  })

  it('a session that is gone is begun anew when its stream finds out', async () => {
    let gone = true
    const { backend, server } = await stub(
      legacy((_, reply) => reply.json(200, done), {
        GET: (_, reply) => {
          if (!gone) return void reply.sse()
          gone = false
          reply.page(404, 'text/plain', '')
        },
        ping: (_, reply) => reply.page(404, 'text/plain', ''),
      }),
    )
    await backend.shared([])
    await eventually(() => server.of('initialize').length === 2)
    await eventually(() => server.requests.filter(({ httpMethod }) => httpMethod === 'GET').length === 2)
  })
})
