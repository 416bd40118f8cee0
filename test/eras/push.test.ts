import { fileURLToPath } from 'node:url'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { startGateway } from '../gateway/running-gateway'
import { modernRequest, send } from '../peers/raw-client'
import { startV1Http, startV1Sse, type V1Http } from '../peers/v1-http'
import { startV2Http } from '../peers/v2-http'
import { callTool, closing, data, listen, openSession, started, textOf } from './clients-by-hand'

/** What backends of both eras push to clients of both eras, with the published SDKs on the backends' side. */
const KEY = 'io.modelcontextprotocol/subscriptionId'
const script = (name: string): string => fileURLToPath(new URL(`../peers/servers/${name}.ts`, import.meta.url))
const stdio = (name: string): Record<string, unknown> => ({
  type: 'stdio',
  command: process.execPath,
  args: ['--import', 'tsx', script(name)],
})

const BACKENDS: [name: string, start: () => Promise<Record<string, unknown>>][] = [
  ['modern http', async () => ({ url: (await closing(startV2Http())).url })],
  ['legacy http', async () => ({ url: (await closing(startV1Http())).url })],
  ['modern stdio', () => Promise.resolve(stdio('v2-stdio'))],
  ['legacy stdio', () => Promise.resolve(stdio('v1-stdio'))],
]

describe.each(BACKENDS)('a modern client subscribed at a %s backend', (_, start) => {
  it.each(['one', 'all'] as const)('hears of what it asked for, endpoint of %s', async (endpoint) => {
    const running = await started({ peer: await start() })
    const url = endpoint === 'one' ? running.one() : running.all
    const named = (name: string): string => (endpoint === 'one' ? name : `peer__${name}`)
    const asked = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['test://one'] }
    const streams = [listen(url, asked, 'text'), listen(url, { resourceSubscriptions: ['test://two'] }, 7)] as const
    const [first, second] = streams
    // Nobody has prompts that change.
    const honoured = { toolsListChanged: true, resourceSubscriptions: ['test://one'] }
    expect(await first.next()).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: honoured, _meta: { [KEY]: 'text' } },
    })
    expect(await second.next()).toMatchObject({ params: { _meta: { [KEY]: 7 } } })
    await callTool(url, named('touch'), { uri: 'test://two' })
    expect(await second.next()).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri: 'test://two', _meta: { [KEY]: 7 } },
    })
    await callTool(url, named('touch'), { uri: 'test://one' })
    expect(await first.next()).toMatchObject({ params: { uri: 'test://one', _meta: { [KEY]: 'text' } } })
    await callTool(url, named('bump'))
    expect(await first.next()).toMatchObject({
      method: 'notifications/tools/list_changed',
      params: { _meta: { [KEY]: 'text' } },
    })
  })
})

describe.each([
  ['modern', startV2Http],
  ['legacy', (port?: number) => startV1Http({ port: port ?? 0 })],
])('a modern client subscribed at a %s http backend', (_, start) => {
  it.each(['one', 'all'] as const)(
    'is told to look again when the backend is back, endpoint of %s',
    async (endpoint) => {
      const peer = await start()
      const running = await started({ peer: { url: peer.url } })
      const stream = listen(endpoint === 'one' ? running.one() : running.all, { toolsListChanged: true }, 1)
      await stream.next()
      await peer.close()
      const again = await closing(start(Number(new URL(peer.url).port)))
      // A legacy session is found to be lost by the first who uses it.
      await expect.poll(() => callTool(running.all, 'peer__bump').catch(String), { timeout: 10_000 }).toBe('bumped')
      expect(await stream.next()).toMatchObject({
        method: 'notifications/tools/list_changed',
        params: { _meta: { [KEY]: 1 } },
      })
      expect(again.url).toBe(peer.url)
    },
    20_000,
  )
})

it('the desk learns of a legacy backend whose tools changed, without any client that listens', async () => {
  const peer = await closing(startV1Http())
  const running = await started({ peer: { url: peer.url } })
  let changes = 0
  onTestFinished(running.gateway.onBackends(() => changes++))
  const before = running.tap.of('backend.catalog').length
  await callTool(running.one(), 'bump')
  await running.tap.until('backend.catalog', before + 1)
  expect(changes).toBeGreaterThan(0)
})

describe.each(BACKENDS)('a legacy client and a %s backend', (_, start) => {
  it('hears of changed lists and of the resources that it subscribed to, and no other client does', async () => {
    const running = await started({ peer: await start() })
    const heard: Record<string, string[]> = { a: [], b: [] }
    const connect = async (name: 'a' | 'b'): Promise<LegacyClient> => {
      const client = new LegacyClient({ name, version: '1' })
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard[name]?.push('tools'))
      client.setNotificationHandler(
        ResourceUpdatedNotificationSchema,
        ({ params }) => void heard[name]?.push(params.uri),
      )
      await client.connect(new StreamableHTTPClientTransport(new URL(running.all)))
      onTestFinished(() => client.close())
      return client
    }
    const [a, b] = [await connect('a'), await connect('b')]
    const follows = (): number => running.tap.of('response.committed').filter(({ cause }) => cause === 'mode').length
    await expect.poll(follows).toBe(2)
    await a.subscribeResource({ uri: 'test://one' })
    await b.subscribeResource({ uri: 'test://two' })
    const touch = (client: LegacyClient, uri: string) => client.callTool({ name: 'peer__touch', arguments: { uri } })
    await touch(a, 'test://one')
    await touch(b, 'test://two')
    await expect.poll(() => heard).toMatchObject({ a: ['test://one'], b: ['test://two'] })
    await b.unsubscribeResource({ uri: 'test://two' })
    await touch(b, 'test://two')
    await a.callTool({ name: 'peer__bump', arguments: {} })
    await expect.poll(() => heard.a).toEqual(['test://one', 'tools'])
    expect(heard.b?.filter((what) => what !== 'tools')).toEqual(['test://two'])
  })
})

it('on a process that clients share, a resource is given up when the last who wants it leaves', async () => {
  const running = await started({ peer: stdio('v1-stdio') })
  const url = running.one()
  const [a, b] = [await openSession(url), await openSession(url)]
  for (const session of [a, b]) await session.request(1, 'resources/subscribe', { uri: 'test://one' }).answer()
  await a.request(2, 'resources/subscribe', { uri: 'test://two' }).answer()
  const watched = async (): Promise<string> =>
    textOf(await b.request(3, 'tools/call', { name: 'watched', arguments: {} }).answer())
  expect(await watched()).toBe('test://one test://two')
  await a.request(4, 'resources/unsubscribe', { uri: 'test://one' }).answer()
  expect(await watched()).toBe('test://one test://two')
  await a.delete().text()
  await expect.poll(watched).toBe('test://one')
})

describe('the GET stream of a legacy client', () => {
  it('is resumed where it broke', async () => {
    const peer = await closing(startV2Http())
    const running = await started({ peer: { url: peer.url } })
    const session = await openSession(running.one())
    const stream = session.get()
    await stream.head
    await running.tap.until('upstream.head', running.tap.of('upstream.head').length + 1)
    await callTool(running.one(), 'bump')
    const first = await data(stream)
    expect(first.message).toMatchObject({ method: 'notifications/tools/list_changed' })
    expect(JSON.stringify(first.message)).not.toContain(KEY)
    stream.destroy()
    await callTool(running.one(), 'bump')
    await callTool(running.one(), 'bump')
    const resumed = session.get(first.id)
    const missed = [await data(resumed), await data(resumed)]
    expect(missed.map(({ message }) => message.method)).toEqual(Array(2).fill('notifications/tools/list_changed'))
    await callTool(running.one(), 'bump')
    expect((await data(resumed)).message.method).toBe('notifications/tools/list_changed')
    expect((await session.get('get.999').head).status).toBe(400)
  })

  it('gives way to the one that is opened after it, so that nothing is sent twice', async () => {
    const peer = await closing(startV2Http())
    const running = await started({ peer: { url: peer.url } })
    const session = await openSession(running.one())
    const old = session.get()
    await old.head
    const now = session.get()
    await now.head
    expect(await old.nextFrame()).toBeUndefined()
  })
})

describe('the stream of a legacy call', () => {
  it('is resumed where it broke; the call was not cancelled', async () => {
    const peer = await closing(startV2Http())
    const running = await started({ peer: { url: peer.url } })
    const session = await openSession(running.one(), { capabilities: { elicitation: {} } })
    const call = session.request('c', 'tools/call', { name: 'elicit', arguments: {} })
    const question = await data(call)
    expect(question.message.method).toBe('elicitation/create')
    call.destroy()
    const result = { action: 'accept', content: { name: 'Ada' } }
    await session.post({ jsonrpc: '2.0', id: question.message.id, result }).text()
    const resumed = session.get(question.id)
    const answer = (await data(resumed)).message
    expect(answer.id).toBe('c')
    expect(textOf(answer)).toBe('accept {"name":"Ada"}')
    expect(await resumed.nextFrame()).toBeUndefined()
    expect(peer.cancelled).toEqual([])
  })

  it.each([
    ['modern', startV2Http],
    ['legacy', startV1Http],
  ])('of a %s backend ends without an answer when the client cancels', async (_, start) => {
    const peer = await closing<Pick<V1Http, 'url' | 'waiting' | 'cancelled' | 'close'>>(start())
    const running = await started({ peer: { url: peer.url } })
    const session = await openSession(running.one())
    const before = running.tap.of('upstream.sent').length
    const call = session.request(9, 'tools/call', { name: 'wait', arguments: {} })
    await running.tap.until('upstream.sent', before + 1)
    await expect.poll(() => peer.waiting).toEqual(['wait'])
    await session.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } }).text()
    expect(await call.frames()).toEqual([])
    await expect.poll(() => peer.cancelled).toEqual(['wait'])
  })
})

describe('legacy sessions', () => {
  it('belong to one client: answers, cancellations and sessions of others are not found', async () => {
    const peer = await closing(startV2Http())
    const running = await started({ peer: { url: peer.url } })
    const capabilities = { elicitation: {} }
    const [a, b] = [
      await openSession(running.one(), { capabilities }),
      await openSession(running.one(), { capabilities }),
    ]
    const call = a.request(1, 'tools/call', { name: 'elicit', arguments: {} })
    const { id } = (await data(call)).message
    const answer = (name: string): object => ({
      jsonrpc: '2.0',
      id,
      result: { action: 'accept', content: { name } },
    })
    // The same id in the other session means another question, or none.
    await b.post(answer('Eve')).text()
    await b.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }).text()
    await a.post(answer('Ada')).text()
    expect(textOf((await data(call)).message)).toBe('accept {"name":"Ada"}')
    // Neither another endpoint nor another caller finds it.
    expect((await send(running.all, { jsonrpc: '2.0', id: 1, method: 'ping' }, a.headers).head).status).toBe(404)
    const stranger = { ...a.headers, authorization: 'Bearer other' }
    expect((await send(running.one(), { jsonrpc: '2.0', id: 1, method: 'ping' }, stranger).head).status).toBe(404)
  })

  it('end by DELETE, with their sessions upstream; what comes after is 404', async () => {
    const peer = await closing(startV1Http())
    const running = await started({ peer: { url: peer.url } })
    const before = peer.sessions()
    const session = await openSession(running.one())
    await session.request(1, 'tools/call', { name: 'echo', arguments: { text: 'x' } }).answer()
    expect(peer.sessions()).toBe(before + 1)
    const stream = session.get()
    await stream.head
    expect((await session.delete().head).status).toBe(202)
    expect(await stream.nextFrame()).toBeUndefined()
    await expect.poll(() => peer.sessions()).toBe(before)
    for (const gone of [session.request(2, 'ping'), session.get(), session.delete()])
      expect((await gone.head).status).toBe(404)
    const without = send(
      running.one(),
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { ...session.headers, 'mcp-session-id': [] },
    )
    expect((await without.head).status).toBe(400)
  })

  it('begin with what a legacy backend offers, also when they are faster than its own initialize', async () => {
    const peers = { http: await closing(startV1Http()), sse: await closing(startV1Sse()) }
    for (const config of [
      { url: peers.http.url, era: 'legacy' },
      { url: peers.sse.url, type: 'sse' },
    ]) {
      const running = await startGateway({ peer: config })
      const { initialized } = await openSession(running.one())
      expect(initialized.result).toMatchObject({ capabilities: { tools: { listChanged: true } } })
    }
  })

  it('fail at initialize, at once, when the only backend cannot be reached', async () => {
    const running = await startGateway({ peer: { url: 'http://127.0.0.1:9/mcp' } })
    const { initialized } = await openSession(running.one())
    expect(initialized.error).toMatchObject({ code: -32603, data: { backend: 'peer' } })
  })
})

describe('batches of 2025-03-26', () => {
  const answered = (messages: JsonObject[]): unknown[] => messages.map(({ id }) => id)

  it('are answered by the array of the responses', async () => {
    const peer = await closing(startV2Http())
    const running = await started({ peer: { url: peer.url } })
    const session = await openSession(running.one(), { version: '2025-03-26' })
    const batch = [
      { jsonrpc: '2.0', id: 'p', method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
      { jsonrpc: '2.0', id: 'e', method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } },
      { jsonrpc: '2.0', id: 'n', method: 'nope' },
    ]
    const responses = (await session.post(batch).json()) as unknown as JsonObject[]
    expect(answered(responses).sort()).toEqual(['e', 'n', 'p'])
    const only = session.post([{ jsonrpc: '2.0', method: 'notifications/roots/list_changed' }])
    expect((await only.head).status).toBe(202)
    const later = await openSession(running.one())
    expect((await later.post(batch).json()).error).toMatchObject({ code: -32600 })
  })

  it('become a stream when the backend asks something in the middle', async () => {
    const peer = await closing(startV2Http())
    const running = await started({ peer: { url: peer.url } })
    const session = await openSession(running.one(), { version: '2025-03-26', capabilities: { elicitation: {} } })
    const answer = session.post([
      { jsonrpc: '2.0', id: 'p', method: 'ping' },
      { jsonrpc: '2.0', id: 'e', method: 'tools/call', params: { name: 'elicit', arguments: {} } },
    ])
    const first = [await data(answer), await data(answer)]
    const question = first.find(({ message }) => message.method === 'elicitation/create')
    const result = { action: 'accept', content: { name: 'Ada' } }
    await session.post({ jsonrpc: '2.0', id: question?.message.id, result }).text()
    expect(textOf((await data(answer)).message)).toBe('accept {"name":"Ada"}')
    expect(await answer.nextFrame()).toBeUndefined()
  })
})

describe('log levels', () => {
  it('of a legacy client are asked of modern backends with each call, and set at legacy ones', async () => {
    const peers = { modern: await closing(startV2Http()), legacy: await closing(startV1Http()) }
    const running = await started({
      modern: { url: peers.modern.url },
      legacy: { url: peers.legacy.url },
      shared: stdio('v1-stdio'),
    })
    const session = await openSession(running.all)
    await session.request(1, 'logging/setLevel', { level: 'error' }).answer()
    const logged = async (name: string): Promise<unknown[]> =>
      (await session.request(name, 'tools/call', { name, arguments: {} }).messages()).map(({ method }) => method)
    // Its one message is of level info.
    expect(await logged('modern__log')).toEqual([undefined])
    // A server that does not heed the level is shown as it is, but for what others may have asked of a shared process.
    expect(await logged('legacy__log')).toEqual(['notifications/message', undefined])
    expect(await logged('shared__log')).toEqual([undefined])
    expect(peers.legacy.seen).toContain('POST logging/setLevel')
    await session.request(2, 'logging/setLevel', { level: 'debug' }).answer()
    expect(await logged('modern__log')).toEqual(['notifications/message', undefined])
    expect(await logged('shared__log')).toEqual(['notifications/message', undefined])
    expect((await session.request(3, 'logging/setLevel', { level: 'loud' }).answer()).error).toMatchObject({
      code: -32602,
    })
  })
})

describe('rounds that the gateway drives', () => {
  const opened = async (capabilities: JsonObject) => {
    const peer = await closing(startV2Http())
    const running = await started({ peer: { url: peer.url } })
    return openSession(running.one(), { capabilities })
  }

  it('end at once when the client cannot be asked, or refuses', async () => {
    const mute = await opened({})
    const error = (await mute.request(1, 'tools/call', { name: 'elicit', arguments: {} }).answer()).error
    // The backend itself does not ask what the client did not declare.
    expect(error).toMatchObject({ code: -32021 })
    const refusing = await opened({ elicitation: {} })
    const call = refusing.request(1, 'tools/call', { name: 'elicit', arguments: {} })
    const { id } = (await data(call)).message
    await refusing.post({ jsonrpc: '2.0', id, error: { code: -1, message: 'not now' } }).text()
    expect((await data(call)).message.error).toMatchObject({ message: expect.stringContaining('not now') as string })
  })

  it.each([
    [10, /after 10 rounds/],
    [11, /more than 10 times/],
  ])('%d of them', async (rounds, end) => {
    const session = await opened({ elicitation: {} })
    const call = session.request(1, 'tools/call', { name: 'ask-on', arguments: { rounds } })
    for (let round = 1; round <= 10; round++) {
      const { id, params } = (await data(call)).message
      expect(params).toMatchObject({ message: `Round ${round}` })
      await session.post({ jsonrpc: '2.0', id, result: { action: 'accept', content: { name: 'x' } } }).text()
    }
    expect(JSON.stringify((await data(call)).message)).toMatch(end)
  })
})

it('a modern client that leaves cancels, in both eras of the backend', async () => {
  const peers = [await closing(startV2Http()), await closing(startV1Http())]
  for (const peer of peers) {
    const running = await started({ peer: { url: peer.url } })
    const before = running.tap.of('upstream.sent').length
    const request = modernRequest('tools/call', { name: 'wait', arguments: {} })
    const call = send(running.one(), request.body, request.headers)
    await running.tap.until('upstream.sent', before + 1)
    await expect.poll(() => peer.waiting).toEqual(['wait'])
    call.destroy()
    await expect.poll(() => peer.cancelled).toEqual(['wait'])
  }
})
