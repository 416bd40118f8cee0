import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { NewCaptureEvent } from '../../../shared/capture/events'
import type { JsonObject } from '../../../shared/protocol/json-rpc'
import type { Backend, BackendState, UpstreamRequest } from '../../backends/backend'
import { PartQueue } from '../../backends/part-queue'
import { Call } from '../call'
import { ResponseStream } from '../response-stream'
import { listenToAll, type FanInParts } from './listen'

const KEY = 'io.modelcontextprotocol/subscriptionId'
const TIMES = { acknowledgementMs: 40, pausesMs: [1, 5] }

/** A stream that a fake backend was asked for. */
class Stream {
  readonly parts: PartQueue
  closed = false

  constructor(readonly request: UpstreamRequest) {
    this.parts = new PartQueue({ pause: () => undefined, resume: () => undefined, abandon: () => this.cancel() })
    this.parts.push({ kind: 'sent', method: 'POST', url: 'http://x', headers: [] })
    this.parts.push({ kind: 'head', status: 200, headers: [] })
  }

  cancel(): void {
    this.closed = true
    this.parts.push({ kind: 'ended', reason: 'cancelled' })
  }
  get asked(): JsonObject {
    return (JSON.parse(this.request.body) as { params: { notifications: JsonObject } }).params.notifications
  }
  send(message: JsonObject): void {
    const data = JSON.stringify({ jsonrpc: '2.0', ...message })
    this.parts.push({ kind: 'frame', form: 'event', raw: data, data })
  }
  say(method: string, params: JsonObject = {}): void {
    this.send({ method: `notifications/${method}`, params: { ...params, _meta: { [KEY]: this.request.id } } })
  }
  acknowledge(notifications: JsonObject = this.asked): void {
    this.say('subscriptions/acknowledged', { notifications })
  }
  close(): void {
    this.send({ id: this.request.id, result: { resultType: 'complete' } })
    this.parts.push({ kind: 'ended', reason: 'complete' })
  }
  fail(code: number): void {
    this.send({ id: this.request.id, error: { code, message: 'no' } })
    this.parts.push({ kind: 'ended', reason: 'complete' })
  }
  break(): void {
    this.parts.push({ kind: 'ended', reason: 'lost' })
  }
}

class FakeBackend implements Backend {
  readonly type = 'http'
  readonly streams: Stream[] = []
  readonly opened = new EventEmitter()

  constructor(
    readonly name: string,
    readonly state: BackendState = { health: 'ready', era: 'modern', changedAt: 0 },
  ) {}

  readonly sharesConnection = false
  onState = () => () => undefined
  onActivity = () => () => undefined
  shared = () => Promise.reject(new Error('a modern backend has no sessions'))
  open = this.shared
  discover = () => Promise.resolve(this.state)
  retire = () => Promise.resolve()
  close = () => Promise.resolve()
  exchange(request: UpstreamRequest, signal: AbortSignal): PartQueue {
    const stream = new Stream(request)
    signal.addEventListener('abort', () => stream.cancel())
    this.streams.push(stream)
    this.opened.emit('stream')
    return stream.parts
  }
  /** The stream number `index`, when it is opened. */
  async stream(index = 0): Promise<Stream> {
    for (;;) {
      const stream = this.streams[index]
      if (stream !== undefined) return stream
      await new Promise((resolve) => this.opened.once('stream', resolve))
    }
  }
}

class Client extends EventEmitter {
  frames: JsonObject[] = []
  ended = false
  readonly writableNeedDrain = false
  writeHead(): void {}
  write(text: string): boolean {
    const data = /^data: (.*)$/m.exec(text)?.[1]
    if (data !== undefined) this.frames.push(JSON.parse(data) as JsonObject)
    this.emit('frame')
    return true
  }
  end(): void {
    this.ended = true
    this.emit('frame')
  }
  /** Frame number `index`, when it has come. */
  async frame(index: number): Promise<JsonObject> {
    for (;;) {
      const frame = this.frames[index]
      if (frame !== undefined) return frame
      await new Promise((resolve) => this.once('frame', resolve))
    }
  }
}

const allLists = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }

function start(
  backends: FakeBackend[],
  {
    notifications = allLists,
    owners = {},
    id = '"s"',
  }: { notifications?: JsonObject; owners?: Record<string, FakeBackend>; id?: string } = {},
) {
  const client = new Client()
  const events: NewCaptureEvent[] = []
  let exchanges = 100
  const tap = {
    record: (event: NewCaptureEvent) => events.push(event),
    nextCall: () => 1,
    nextExchange: () => ++exchanges,
  }
  const response = new ResponseStream(
    client as unknown as ServerResponse,
    { call: 1, mode: 'auto', deferralWindowMs: 60_000, pingIntervalMs: 60_000, headers: {} },
    tap,
  )
  const params = { notifications }
  const body = `{"jsonrpc":"2.0","id":${id},"method":"subscriptions/listen","params":${JSON.stringify(params)}}`
  const request = { body, message: {}, idRaw: id, id: 's', method: 'subscriptions/listen', params, meta: {} }
  const call = new Call(1, 1, '/mcp', request, {}, response, tap)
  const listeners = new Set<() => void>()
  const expired: string[] = []
  let members = backends
  const parts: FanInParts = {
    backends: () => members.map((backend) => ({ backend, passHeaders: new Set() })),
    onBackends: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    catalog: {
      expire: (backend, kind) => expired.push(kind === undefined ? backend : `${backend} ${kind}`),
      subscribersOf: (uri) => {
        const owner = owners[uri]
        return owner === undefined ? members : [owner]
      },
    },
    announced: (backend, method) => expired.push(`${backend.name} ${method}`),
  }
  const done = listenToAll(call, parts, TIMES)
  onTestFinished(() => {
    client.emit('close')
    return done
  })
  const configure = (next: FakeBackend[]): void => {
    members = next
    for (const listener of listeners) listener()
  }
  const withheld = (): string[] =>
    events.flatMap((event) => (event.kind === 'response.withheld' ? [`${event.reason} ${event.method ?? ''}`] : []))
  return { client, call, done, events, expired, configure, withheld, listeners }
}

const ack = (notifications: JsonObject, id: string | number = 's'): JsonObject => ({
  jsonrpc: '2.0',
  method: 'notifications/subscriptions/acknowledged',
  params: { notifications, _meta: { [KEY]: id } },
})
const tagged = (method: string, params: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  method: `notifications/${method}`,
  params: { ...params, _meta: { [KEY]: 's' } },
})
const closing = { jsonrpc: '2.0', id: 's', result: { resultType: 'complete', _meta: { [KEY]: 's' } } }

describe('the acknowledgement', () => {
  it('is one, first, the union, under the id of the client with its type', async () => {
    const [a, b] = [new FakeBackend('a'), new FakeBackend('b')]
    const { client, withheld } = start([a, b], { id: '7' })
    const [one, other] = [await a.stream(), await b.stream()]
    one.acknowledge({ toolsListChanged: true, unasked: true })
    one.say('tools/list_changed')
    other.acknowledge({ promptsListChanged: true })
    expect(await client.frame(0)).toEqual(ack({ toolsListChanged: true, promptsListChanged: true }, 7))
    expect(await client.frame(1)).toMatchObject({
      method: 'notifications/tools/list_changed',
      params: { _meta: { [KEY]: 7 } },
    })
    expect(withheld()).toEqual(Array(2).fill('merged notifications/subscriptions/acknowledged'))
    expect(one.request.id).not.toBe(other.request.id)
  })

  it('does not wait for ever, and expects of the silent what they declared', async () => {
    const state: BackendState = {
      health: 'ready',
      era: 'modern',
      changedAt: 0,
      discovered: { capabilities: { prompts: { listChanged: true } } },
    }
    const [a, b] = [new FakeBackend('a'), new FakeBackend('b', state)]
    const { client } = start([a, b])
    ;(await a.stream()).acknowledge({ toolsListChanged: true })
    expect(await client.frame(0)).toEqual(ack({ toolsListChanged: true, promptsListChanged: true }))
    const late = await b.stream()
    late.acknowledge({ promptsListChanged: true })
    late.say('prompts/list_changed')
    expect(await client.frame(1)).toEqual(tagged('prompts/list_changed'))
    expect(client.frames).toHaveLength(2)
  })

  it.each<[string, (stream: Stream) => void]>([
    ['acknowledges nothing', (stream) => stream.acknowledge({})],
    ['does not know the method', (stream) => stream.fail(-32601)],
    ['closes at once', (stream) => stream.close()],
  ])('is empty, and followed by the closing result, when the only backend %s', async (_, act) => {
    const a = new FakeBackend('a')
    const { client, done } = start([a])
    act(await a.stream())
    await done
    expect(client.frames).toEqual([ack({}), closing])
    expect(client.ended).toBe(true)
    expect(a.streams).toHaveLength(1)
  })

  it.each<[string, FakeBackend[], JsonObject]>([
    ['there is no backend', [], allLists],
    ['nothing is asked', [new FakeBackend('a')], { toolsListChanged: false }],
  ])('is empty, and followed by the closing result, when %s', async (_, backends, notifications) => {
    const { client, done } = start(backends, { notifications })
    await done
    expect(client.frames).toEqual([ack({}), closing])
    expect(backends.flatMap(({ streams }) => streams)).toEqual([])
  })
})

describe('what backends say', () => {
  it('is retagged by position, and passes only when it was subscribed to', async () => {
    const a = new FakeBackend('a')
    const { client, withheld, expired } = start([a], { notifications: { toolsListChanged: true } })
    const stream = await a.stream()
    stream.acknowledge()
    await client.frame(0)
    stream.say('prompts/list_changed')
    stream.say('resources/updated', { uri: 'a://x' })
    stream.say('progress', { progressToken: 1 })
    stream.send({ id: 5, method: 'roots/list' })
    stream.parts.push({ kind: 'frame', form: 'event', raw: 'oops', data: 'oops' })
    stream.parts.push({ kind: 'frame', form: 'comment', raw: ': ping' })
    stream.say('tools/list_changed', { n: 1 })
    expect(await client.frame(1)).toEqual(tagged('tools/list_changed', { n: 1 }))
    expect(withheld().slice(1)).toEqual([
      'not-subscribed notifications/prompts/list_changed',
      'not-subscribed notifications/resources/updated',
      'not-request-scoped notifications/progress',
      'server-request roots/list',
      'not-json-rpc ',
    ])
    expect(expired).toEqual([
      'a notifications/prompts/list_changed',
      'a notifications/resources/updated',
      'a notifications/tools/list_changed',
    ])
  })

  it('resources are asked of their owners, the others of all', async () => {
    const [a, b, c] = [new FakeBackend('a'), new FakeBackend('b'), new FakeBackend('c')]
    const uris = ['own://a', 'own://b', 'any://x']
    const { client } = start([a, b], {
      notifications: { resourceSubscriptions: uris },
      owners: { 'own://a': a, 'own://b': b },
    })
    const [one, other] = [await a.stream(), await b.stream()]
    expect(one.asked).toEqual({ resourceSubscriptions: ['own://a', 'any://x'] })
    expect(other.asked).toEqual({ resourceSubscriptions: ['own://b', 'any://x'] })
    one.acknowledge({ resourceSubscriptions: ['own://a'] })
    other.acknowledge({ resourceSubscriptions: ['own://b'] })
    expect(await client.frame(0)).toEqual(ack({ resourceSubscriptions: ['own://a', 'own://b'] }))
    const only = start([a, c], { notifications: { resourceSubscriptions: ['own://a'] }, owners: { 'own://a': a } })
    ;(await a.stream(1)).acknowledge()
    await only.client.frame(0)
    expect(c.streams).toEqual([])
  })
})

describe('the end', () => {
  it('comes with the closing result when every backend has closed its part', async () => {
    const [a, b] = [new FakeBackend('a'), new FakeBackend('b')]
    const { client, done, events } = start([a, b])
    const [one, other] = [await a.stream(), await b.stream()]
    one.acknowledge()
    other.acknowledge()
    one.close()
    other.say('tools/list_changed')
    expect(await client.frame(1)).toEqual(tagged('tools/list_changed'))
    other.send({ method: 'notifications/cancelled', params: { requestId: other.request.id } })
    other.parts.push({ kind: 'ended', reason: 'complete' })
    await done
    expect(client.frames.at(-1)).toEqual(closing)
    expect(events.at(-1)).toMatchObject({ kind: 'call.ended', outcome: 'result', by: 'gateway' })
    expect([a.streams.length, b.streams.length]).toEqual([1, 1])
  })

  it('of the gateway is the closing result', async () => {
    const a = new FakeBackend('a')
    const { client, call, done } = start([a])
    const stream = await a.stream()
    stream.acknowledge()
    await client.frame(0)
    call.abandon({ code: -32603, message: 'stopping' })
    await done
    expect(client.frames.at(-1)).toEqual(closing)
    expect(stream.closed).toBe(true)
  })

  it('of the client closes all streams, and nobody listens any more', async () => {
    const [a, b] = [new FakeBackend('a'), new FakeBackend('b')]
    const { client, done, events, listeners } = start([a, b])
    const [one, other] = [await a.stream(), await b.stream()]
    one.acknowledge()
    client.emit('close')
    await done
    expect([one.closed, other.closed]).toEqual([true, true])
    expect(events.filter(({ kind }) => kind === 'call.ended')).toMatchObject([{ outcome: 'cancelled', by: 'client' }])
    expect(events.filter(({ kind }) => kind === 'upstream.ended')).toHaveLength(2)
    expect(listeners.size).toBe(0)
  })
})

describe('a backend that is lost', () => {
  it('is asked again and again, the client stays and learns that it should look again', async () => {
    const a = new FakeBackend('a')
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['a://x'] }
    const { client, expired } = start([a], { notifications })
    const first = await a.stream()
    first.acknowledge()
    await client.frame(0)
    first.break()
    ;(await a.stream(1)).fail(-32603)
    ;(await a.stream(2)).parts.push({ kind: 'ended', reason: 'refused' })
    const fourth = await a.stream(3)
    fourth.acknowledge()
    expect(await client.frame(1)).toEqual(tagged('tools/list_changed'))
    expect(await client.frame(2)).toEqual(tagged('resources/updated', { uri: 'a://x' }))
    fourth.say('tools/list_changed', { again: true })
    expect(await client.frame(3)).toEqual(tagged('tools/list_changed', { again: true }))
    expect(expired).toEqual(['a', 'a notifications/tools/list_changed'])
    expect(client.ended).toBe(false)
    expect(new Set(a.streams.map(({ request }) => request.id)).size).toBe(4)
  })
})

describe('a changed configuration', () => {
  it('lets a backend go, takes a new one in, and says that the lists are others', async () => {
    const [a, b, c] = [new FakeBackend('a'), new FakeBackend('b'), new FakeBackend('c')]
    const { client, configure } = start([a, b], { notifications: { toolsListChanged: true } })
    const [one, other] = [await a.stream(), await b.stream()]
    one.acknowledge()
    other.acknowledge()
    await client.frame(0)
    configure([a, b])
    expect(client.frames).toHaveLength(1)
    configure([b, c])
    expect(await client.frame(1)).toEqual(tagged('tools/list_changed'))
    expect(one.closed).toBe(true)
    const third = await c.stream()
    third.acknowledge()
    third.say('tools/list_changed', { from: 'c' })
    expect(await client.frame(2)).toEqual(tagged('tools/list_changed', { from: 'c' }))
    configure([])
    await expect.poll(() => client.frames.at(-1)).toEqual(closing)
  })
})
