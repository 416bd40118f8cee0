import { describe, expect, it, onTestFinished } from 'vitest'
import type { LegacySession, Stray, UpstreamPart } from '../../src/main/backends/backend'
import { startStub, type Stub, type StubHandler } from '../peers/stub-backend'
import { startV1Http, type V1Http } from '../peers/v1-http'
import { ANY_SIGNAL, eventually, legacyCall, messagesOf, partsOf, run, textResult, type Run } from './running-backend'

const OPENING = { clientInfo: { name: 'c', version: '1' }, capabilities: { elicitation: {} }, headers: [] }

async function v1(options: Parameters<typeof startV1Http>[0] = {}): Promise<{ server: V1Http } & Run> {
  const server = await startV1Http(options)
  onTestFinished(() => server.close())
  return { server, ...run({ url: server.url }) }
}

const open = (backend: Run['backend'], headers: [string, string][] = []): Promise<LegacySession> =>
  backend.open({ ...OPENING, protocolVersion: '2025-11-25', headers })

describe('a legacy server (SDK 1, Streamable HTTP with sessions)', () => {
  it('is found by initialize after it did not understand server/discover', async () => {
    const { server, backend } = await v1()
    expect(await backend.discover()).toMatchObject({
      health: 'ready',
      era: 'legacy',
      serverInfo: { name: 'v1' },
      initialized: { protocolVersion: '2025-11-25', capabilities: { logging: {} } },
    })
    expect(backend.sharesConnection).toBe(true)
    await eventually(() => server.seen.includes('GET'))
    expect(server.seen).toEqual(['POST server/discover', 'POST initialize', 'POST notifications/initialized', 'GET'])
    expect(server.headers[2]).toMatchObject({
      'mcp-protocol-version': '2025-11-25',
      'mcp-session-id': expect.any(String) as string,
    })
    expect(server.headers[1]).not.toHaveProperty('mcp-session-id')
  })

  it('is asked by a ping afterwards, and keeps its one session', async () => {
    const { server, backend } = await v1()
    await backend.discover()
    await backend.discover()
    expect(server.seen.filter((one) => one === 'POST initialize')).toHaveLength(1)
    expect(server.seen.at(-1)).toBe('POST ping')
    expect(server.sessions()).toBe(1)
  })

  it.each([{ json: false }, { json: true }])('answers calls with the bytes as they were (%j)', async ({ json }) => {
    const { server, backend } = await v1({ json })
    const session = await backend.shared([])
    const request = legacyCall('echo', { text: 'hello' })
    const parts = await partsOf(session.exchange(request, ANY_SIGNAL))
    expect(parts.map(({ kind }) => kind)).toEqual(['sent', 'head', 'frame', 'ended'])
    expect(parts[0]).toMatchObject({ method: 'POST', url: server.url })
    expect(parts[1]).toMatchObject({ status: 200 })
    expect(parts[2]).toMatchObject({ form: json ? 'body' : 'event' })
    expect(messagesOf(parts)).toMatchObject([{ id: request.id, ...textResult('hello') }])
  })

  it('carries requests of the server on the stream of the call, with a way to respond', async () => {
    const { backend } = await v1()
    const session = await open(backend)
    const messages: unknown[] = []
    for await (const part of session.exchange(legacyCall('elicit'), ANY_SIGNAL)) {
      if (part.kind !== 'frame' || part.data === undefined) continue
      const message = JSON.parse(part.data) as { id: number }
      messages.push(message)
      part.respond?.(
        JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { action: 'accept', content: { name: 'Ada' } } }),
      )
    }
    expect(messages).toMatchObject([{ method: 'elicitation/create' }, textResult('accept {"name":"Ada"}')])
  })

  it('messages of the GET stream are strays', async () => {
    const { server, backend } = await v1()
    const session = await open(backend)
    const strays: Stray[] = []
    session.onStray((stray) => strays.push(stray))
    await eventually(() => server.seen.includes('GET'))
    await partsOf(session.exchange(legacyCall('bump'), ANY_SIGNAL))
    await eventually(() => strays.length > 0)
    expect(JSON.parse(strays[0]?.data ?? '')).toMatchObject({ method: 'notifications/tools/list_changed' })
    expect(strays[0]?.raw).toContain('event: message')
  })

  it('an abort posts notifications/cancelled', async () => {
    const { server, backend } = await v1()
    const session = await backend.shared([])
    const abort = new AbortController()
    const parts = partsOf(session.exchange(legacyCall('wait'), abort.signal))
    await partsOf(session.exchange(legacyCall('echo', { text: '' }), ANY_SIGNAL))
    expect(session.inFlight).toBe(1)
    abort.abort()
    expect((await parts).at(-1)).toEqual({ kind: 'ended', reason: 'cancelled' })
    await eventually(() => server.cancelled.length > 0)
    expect(session.inFlight).toBe(0)
  })

  it('takes up a stream that the server closed early', async () => {
    const { server, backend } = await v1({ resumable: true })
    const session = await backend.shared([])
    const parts = await partsOf(session.exchange(legacyCall('poll'), ANY_SIGNAL))
    expect(messagesOf(parts)).toMatchObject([{ method: 'notifications/message' }, textResult('fetched later')])
    const sent = parts.filter((part) => part.kind === 'sent')
    expect(sent).toMatchObject([{ method: 'POST' }, { method: 'GET', again: 'resume' }])
    expect(sent[1]?.headers.find(([name]) => name === 'last-event-id')).toBeDefined()
    expect(server.seen.filter((one) => one === 'POST tools/call')).toHaveLength(1)
  })

  it('begins a lost session anew and sends the call once more, for all calls at once', async () => {
    const { server, backend } = await v1()
    const session = await open(backend)
    server.forget()
    const texts = ['a', 'b', 'c']
    const all = await Promise.all(
      texts.map((text) => partsOf(session.exchange(legacyCall('echo', { text }), ANY_SIGNAL))),
    )
    expect(all.map(messagesOf)).toMatchObject(texts.map((text) => [textResult(text)]))
    expect(server.seen.filter((one) => one === 'POST initialize')).toHaveLength(2)
    expect(
      all[0]?.map((part) => (part.kind === 'sent' ? part.again : part.kind === 'head' ? part.status : part.kind)),
    ).toEqual([undefined, 404, 'frame', 'repeat', 200, 'frame', 'ended'])
    expect(session.open).toBe(true)
  })

  it('a notification finds its way to a session begun anew', async () => {
    const { server, backend } = await v1()
    const session = await backend.shared([])
    server.forget()
    await session.notify('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}')
    expect(server.seen.filter((one) => one === 'POST notifications/roots/list_changed')).toHaveLength(2)
    expect(server.sessions()).toBe(1)
  })

  it('clients with different passed fields have different sessions, and each its own', async () => {
    const { server, backend } = await v1()
    const ada = await backend.shared([['Authorization', 'Bearer ada']])
    const bob = await backend.shared([['authorization', 'Bearer bob']])
    expect(
      await backend.shared([
        ['AUTHORIZATION', 'Bearer ada'],
        ['mcp-param-x', '1'],
      ]),
    ).toBe(ada)
    expect(bob).not.toBe(ada)
    await partsOf(ada.exchange(legacyCall('echo', { text: '' }), ANY_SIGNAL))
    expect(server.headers.at(-1)?.authorization).toBe('Bearer ada')
    const fresh = {
      ...legacyCall('echo', { text: '' }),
      headers: [['authorization', 'Bearer new']] as [string, string][],
    }
    await partsOf(ada.exchange(fresh, ANY_SIGNAL))
    expect(server.headers.at(-1)?.authorization).toBe('Bearer new')
    expect(server.sessions()).toBe(2)
  })

  it('is ended by DELETE', async () => {
    const { server, backend } = await v1()
    const session = await open(backend)
    expect(server.sessions()).toBe(1)
    await session.close()
    expect(server.sessions()).toBe(0)
    expect((await partsOf(session.exchange(legacyCall('echo'), ANY_SIGNAL))).at(-1)).toMatchObject({ reason: 'lost' })
    await open(backend)
    await backend.close()
    expect(server.sessions()).toBe(0)
  })

  it('is left when its calls have ended', async () => {
    const { server, backend } = await v1()
    const session = await open(backend)
    const abort = new AbortController()
    const parts = partsOf(session.exchange(legacyCall('wait'), abort.signal))
    const retired = backend.retire()
    expect(await Promise.race([retired, Promise.resolve('under way')])).toBe('under way')
    abort.abort()
    await parts
    await retired
    expect(server.sessions()).toBe(0)
  })
})

async function stub(handler: StubHandler): Promise<{ server: Stub } & Run> {
  const server = await startStub(handler)
  onTestFinished(async () => {
    await server.close()
    expect(server.failures).toEqual([])
  })
  return { server, ...run({ url: server.url, era: 'legacy' }) }
}

/** Answers what a session needs, and `tools/call` as the test wants. */
const legacy =
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

const callOn = async (backend: Run['backend']): Promise<UpstreamPart[]> => {
  const session = await backend.shared([])
  return partsOf(session.exchange(legacyCall('x', {}, 7), ANY_SIGNAL))
}
const done = { jsonrpc: '2.0', id: 7, result: { content: [] } }

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

  it('a session that is gone is begun anew when its stream finds out', async () => {
    let gone = true
    const { backend, server } = await stub(
      legacy((_, reply) => reply.json(200, done), {
        GET: (_, reply) => {
          if (!gone) return void reply.sse()
          gone = false
          reply.page(404, 'text/plain', '')
        },
      }),
    )
    await backend.shared([])
    await eventually(() => server.of('initialize').length === 2)
    await eventually(() => server.requests.filter(({ httpMethod }) => httpMethod === 'GET').length === 2)
  })
})
