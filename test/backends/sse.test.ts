import { describe, expect, it, onTestFinished } from 'vitest'
import type { Stray } from '../../src/main/backends/backend'
import { startStub, type StubHandler, type StubStream } from '../peers/stub-backend'
import { startV1Sse, type V1Http } from '../peers/v1-http'
import { ANY_SIGNAL, eventually, legacyCall, messagesOf, partsOf, run, textResult, type Run } from './running-backend'

async function v1(): Promise<{ server: V1Http } & Run> {
  const server = await startV1Sse()
  onTestFinished(() => server.close())
  return { server, ...run({ type: 'sse', url: server.url }) }
}
const OPENING = {
  clientInfo: { name: 'c', version: '1' },
  capabilities: { elicitation: {} },
  protocolVersion: '2025-06-18',
  headers: [],
}

describe('a server of HTTP+SSE (SDK 1)', () => {
  it('is initialized on its stream, and answers there', async () => {
    const { server, backend } = await v1()
    expect(await backend.discover()).toMatchObject({ health: 'ready', era: 'legacy', serverInfo: { name: 'v1' } })
    expect(server.seen).toEqual(['GET', 'POST initialize', 'POST notifications/initialized'])
    const session = await backend.shared([])
    const request = legacyCall('progress')
    const parts = await partsOf(session.exchange(request, ANY_SIGNAL))
    expect(parts[0]).toMatchObject({
      kind: 'sent',
      method: 'POST',
      url: expect.stringContaining('/messages?sessionId=') as string,
    })
    expect(messagesOf(parts)).toMatchObject([
      { params: { progressToken: request.id, progress: 1 } },
      { params: { progress: 2 } },
      { params: { progress: 3 } },
      textResult('done'),
    ])
    expect(parts.at(-1)).toEqual({ kind: 'ended', reason: 'complete' })
    expect(parts.find((part) => part.kind === 'frame')).toMatchObject({
      form: 'event',
      raw: expect.stringContaining('event: message\ndata: ') as string,
    })
    await backend.discover()
    expect(server.seen.filter((one) => one === 'GET')).toHaveLength(1)
  })

  it('calls run side by side, each with its own answer', async () => {
    const { backend } = await v1()
    const session = await backend.shared([])
    const texts = ['a', 'b', 'c', 'd']
    const all = await Promise.all(
      texts.map((text) => partsOf(session.exchange(legacyCall('echo', { text }), ANY_SIGNAL))),
    )
    expect(all.map(messagesOf)).toMatchObject(texts.map((text) => [textResult(text)]))
  })

  it('each session is a connection of its own, with its own strays', async () => {
    const { server, backend } = await v1()
    const [first, second] = [await backend.open(OPENING), await backend.open(OPENING)]
    expect(server.sessions()).toBe(2)
    const strays: Stray[][] = [[], []]
    first.onStray((stray) => strays[0]?.push(stray))
    second.onStray((stray) => strays[1]?.push(stray))
    await partsOf(first.exchange(legacyCall('bump'), ANY_SIGNAL))
    expect(strays.map((list) => list.length)).toEqual([1, 0])
    await first.close()
    await eventually(() => server.sessions() === 1)
    await backend.close()
    await eventually(() => server.sessions() === 0)
  })

  it('an abort posts notifications/cancelled', async () => {
    const { server, backend } = await v1()
    const session = await backend.shared([])
    const abort = new AbortController()
    const parts = partsOf(session.exchange(legacyCall('wait'), abort.signal))
    await partsOf(session.exchange(legacyCall('echo', { text: '' }), ANY_SIGNAL))
    abort.abort()
    expect((await parts).at(-1)).toMatchObject({ reason: 'cancelled' })
    await eventually(() => server.cancelled.length > 0)
  })

  it('calls end with "lost" when the stream ends; it is opened again, and the new one used', async () => {
    const { server, backend, health } = await v1()
    const session = await backend.shared([])
    const closed = new Promise((resolve) => session.onClosed(resolve))
    const parts = partsOf(session.exchange(legacyCall('wait'), ANY_SIGNAL))
    await eventually(() => server.seen.includes('POST tools/call'))
    server.forget()
    expect((await parts).at(-1)).toMatchObject({ reason: 'lost', detail: 'the backend closed its event stream' })
    expect(await closed).toBe('the backend closed its event stream')
    expect(session.open).toBe(false)
    await health('ready')
    const next = await backend.shared([])
    expect(next).not.toBe(session)
    expect(messagesOf(await partsOf(next.exchange(legacyCall('echo', { text: 'x' }), ANY_SIGNAL)))).toMatchObject([
      textResult('x'),
    ])
  })

  it('does not speak the modern era', async () => {
    const { backend } = await v1()
    expect((await partsOf(backend.exchange(legacyCall('echo'), ANY_SIGNAL))).at(-1)).toMatchObject({ wrongEra: true })
  })
})

describe('servers of HTTP+SSE that go wrong', () => {
  async function stub(handler: StubHandler, discoverMs = 5_000): Promise<Run> {
    const server = await startStub(handler)
    onTestFinished(() => server.close())
    return run({ type: 'sse', url: server.url }, { timing: { discoverMs, probePausesMs: [3_600_000] } })
  }
  const endpoint =
    (data: string): StubHandler =>
    async (_, reply) => {
      await reply.sse().raw(`event: endpoint\ndata: ${data}\n\n`)
    }
  const cases: [name: string, handler: StubHandler, expected: object][] = [
    [
      '404',
      (_, reply) => reply.page(404, 'text/plain', ''),
      { health: 'degraded', reason: expect.stringContaining('HTTP 404, text/plain') as string },
    ],
    [
      'a page',
      (_, reply) => reply.page(200, 'text/html', 'x'),
      { health: 'degraded', reason: expect.stringContaining('text/html') as string },
    ],
    ['503', (_, reply) => reply.page(503, 'text/plain', ''), { health: 'down' }],
    [
      '401',
      (_, reply) => void reply.response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(),
      { health: 'needs-sign-in', challenge: 'Bearer' },
    ],
    [
      'an endpoint of another origin',
      endpoint('https://elsewhere.example/messages'),
      { health: 'degraded', reason: expect.stringContaining('names no URL of its own origin') as string },
    ],
    [
      'an endpoint that is no URL',
      endpoint('http://:::'),
      { health: 'degraded', reason: expect.stringContaining('names no URL') as string },
    ],
    ['a reset', (_, reply) => reply.reset(), { health: 'down' }],
  ]
  it.each(cases)('%s', async (_name, handler, expected) => {
    const { backend } = await stub(handler)
    expect(await backend.discover()).toMatchObject({ era: 'legacy', ...expected })
    await expect(backend.shared([])).rejects.toThrow()
  })

  it('a stream that says nothing', async () => {
    const { backend } = await stub((_, reply) => void reply.sse(), 50)
    expect(await backend.discover()).toMatchObject({ health: 'down', reason: 'no "endpoint" event within 0.05 s' })
  })

  it('answers in the body of the POST are taken at once, and said to be wrong once', async () => {
    const result = { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 's', version: '0' } }
    const { backend, activities } = await stub(async (request, reply) => {
      if (request.httpMethod === 'GET') await reply.sse().raw('event: endpoint\ndata: /messages?x=1\n\n')
      else if (request.id === undefined) reply.page(202, 'text/plain', 'Accepted')
      else if (request.method === 'initialize') reply.result(result)
      else reply.result({ content: [{ type: 'text', text: 'there' }] })
    })
    expect(await backend.discover()).toMatchObject({ health: 'ready' })
    const session = await backend.shared([])
    expect(messagesOf(await partsOf(session.exchange(legacyCall('x'), ANY_SIGNAL)))).toMatchObject([
      textResult('there'),
    ])
    expect(activities.filter(({ kind }) => kind === 'noise').map(({ text }) => text)).toEqual([
      expect.stringContaining('it answers in the body of a POST') as string,
    ])
  })

  it('a POST that is refused ends its call, and no other', async () => {
    let stream: StubStream | undefined
    const { backend } = await stub(async (request, reply) => {
      if (request.httpMethod === 'GET') {
        stream = reply.sse()
        await stream.raw('event: endpoint\ndata: /messages?x=1\n\n')
        return
      }
      if (request.method === 'tools/call') return reply.page(500, 'text/plain', 'x')
      reply.response.writeHead(202).end()
      if (request.method !== 'initialize') return
      const result = { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 's', version: '0' } }
      stream?.event({ jsonrpc: '2.0', id: request.id, result })
    })
    const session = await backend.shared([])
    expect(session.initialized.protocolVersion).toBe('2024-11-05')
    expect((await partsOf(session.exchange(legacyCall('x'), ANY_SIGNAL))).at(-1)).toMatchObject({
      reason: 'lost',
      detail: 'the backend answers the POST of a message with HTTP 500',
    })
    expect(session.open).toBe(true)
  })
})
