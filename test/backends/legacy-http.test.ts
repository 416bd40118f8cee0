import { describe, expect, it, onTestFinished } from 'vitest'
import type { LegacySession, Stray } from '../../src/main/backends/backend'
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
