import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { modernRequest, post, send, type Answer } from '../peers/raw-client'
import { serve, text } from '../peers/scripted-server'
import type { Stub, StubRequest, StubStream } from '../peers/stub-backend'
import { startBackend, startGateway } from './running-gateway'

const KEY = 'io.modelcontextprotocol/subscriptionId'
const filter = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ['a://x'],
}

/** A backend whose listen streams the test writes to. */
interface Listening {
  backend: Stub
  /** The next listen stream, acknowledged with what the request asked for (or `honoured`). */
  opened(): Promise<{
    request: StubRequest
    stream: StubStream
    say(method: string, params?: JsonObject): void
    finish(): void
  }>
}

async function listening(options: { acknowledge?: boolean; honoured?: JsonObject } = {}): Promise<Listening> {
  const streams: StubStream[] = []
  const backend = await startBackend(
    serve({
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
      },
      tools: { t: { call: (_, reply) => reply.result(text('t')) } },
      resources: { 'a://x': {} },
      methods: {
        'subscriptions/listen': (request, reply) => {
          const stream = reply.sse()
          streams.push(stream)
          if (options.acknowledge === false) return
          stream.event({
            jsonrpc: '2.0',
            method: 'notifications/subscriptions/acknowledged',
            params: { notifications: options.honoured ?? request.params.notifications, _meta: { [KEY]: request.id } },
          })
        },
      },
    }),
  )
  return {
    backend,
    opened: async () => {
      const request = await backend.next('subscriptions/listen')
      await new Promise((resolve) => setImmediate(resolve))
      const stream = streams.shift()
      if (!stream) throw new Error('no listen stream is open')
      return {
        request,
        stream,
        say: (method, params = {}) =>
          stream.event({ jsonrpc: '2.0', method, params: { ...params, _meta: { [KEY]: request.id } } }),
        finish: () => {
          stream.event({
            jsonrpc: '2.0',
            id: request.id,
            result: { resultType: 'complete', _meta: { [KEY]: request.id } },
          })
          stream.end()
        },
      }
    },
  }
}

function listen(url: string, id: string | number = 'sub', notifications: JsonObject = filter): Promise<Answer> {
  const { body, headers } = modernRequest('subscriptions/listen', { notifications }, { id })
  return post(url, body, headers)
}
const message = async (answer: Answer): Promise<JsonObject> => {
  for (;;) {
    const frame = await answer.nextFrame()
    if (!frame) throw new Error('the stream ended')
    if (frame.data !== undefined) return JSON.parse(frame.data) as JsonObject
  }
}
const subscriptionOf = (notification: JsonObject): unknown =>
  ((notification.params as JsonObject)._meta as JsonObject)[KEY]

describe("subscriptions/listen on a backend's endpoint", () => {
  for (const id of ['sub', 7, '7']) {
    it(`carries the client's id ${JSON.stringify(id)} everywhere, type preserved`, async () => {
      const { backend, opened } = await listening()
      const { one } = await startGateway({ b: backend })
      const answer = await listen(one(), id)
      const peer = await opened()
      expect(peer.request.params.notifications).toEqual(filter)
      const acknowledged = await message(answer)
      expect(acknowledged).toMatchObject({
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: filter },
      })
      expect(subscriptionOf(acknowledged)).toBe(id)
      peer.say('notifications/resources/updated', { uri: 'a://x', n: 1 })
      const updated = await message(answer)
      expect(updated).toMatchObject({ method: 'notifications/resources/updated', params: { uri: 'a://x', n: 1 } })
      expect(subscriptionOf(updated)).toBe(id)
      peer.finish()
      expect(await message(answer)).toEqual({
        jsonrpc: '2.0',
        id,
        result: { resultType: 'complete', _meta: { [KEY]: id } },
      })
      expect(await answer.nextFrame()).toBeUndefined()
    })
  }

  it('streams in every response mode, and refuses a client that takes no event stream', async () => {
    for (const responseMode of ['auto', 'json', 'sse']) {
      const { backend, opened } = await listening()
      const { one } = await startGateway({ b: backend }, { responseMode })
      const answer = await listen(one())
      expect(answer.headers['content-type']).toBe('text/event-stream')
      expect(await message(answer)).toMatchObject({ method: 'notifications/subscriptions/acknowledged' })
      const { finish } = await opened()
      finish()
      const { body, headers } = modernRequest('subscriptions/listen', { notifications: filter })
      expect((await post(one(), body, { ...headers, accept: 'application/json' })).status).toBe(406)
    }
  })

  it('an abrupt end of the backend ends in an error frame', async () => {
    const { backend, opened } = await listening()
    const { one } = await startGateway({ b: backend })
    const answer = await listen(one(), 3)
    await message(answer)
    const { stream } = await opened()
    stream.destroy()
    expect(await message(answer)).toMatchObject({ id: 3, error: { code: -32603, data: { backend: 'b' } } })
    expect(await answer.nextFrame()).toBeUndefined()
  })

  it('has no time-out: it outlives windows and pings', async () => {
    const { backend, opened } = await listening()
    const { one, tap } = await startGateway({ b: backend }, { deferralWindowMs: 10, pingIntervalMs: 20 })
    const answer = await listen(one())
    await message(answer)
    const { say, finish } = await opened()
    await tap.until('response.ping', 5)
    say('notifications/tools/list_changed')
    expect(await message(answer)).toMatchObject({ method: 'notifications/tools/list_changed' })
    finish()
    expect(await message(answer)).toMatchObject({ result: {} })
  })

  it('withholds what belongs on other streams', async () => {
    const { backend, opened } = await listening()
    const { one, tap } = await startGateway({ b: backend })
    const answer = await listen(one())
    await message(answer)
    const { stream, finish } = await opened()
    stream.event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } })
    stream.event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', data: 1 } })
    finish()
    expect(await message(answer)).toMatchObject({ id: 'sub', result: {} })
    expect(tap.of('response.withheld').map((event) => event.method)).toEqual([
      'notifications/progress',
      'notifications/message',
    ])
  })

  it('closing the stream closes it upstream', async () => {
    const { backend, opened } = await listening()
    const { one } = await startGateway({ b: backend })
    const answer = await listen(one())
    await message(answer)
    const { request } = await opened()
    answer.destroy()
    await request.abandoned
    expect(request.isAbandoned()).toBe(true)
  })
})

describe('subscriptions/listen on the aggregated endpoint', () => {
  it('acknowledges once, first, with the union, and fans in under the id of the client', async () => {
    const red = await listening({ honoured: { toolsListChanged: true } })
    const blue = await listening({ honoured: { resourceSubscriptions: ['a://x'], toolsListChanged: true } })
    const { all } = await startGateway({ red: red.backend, blue: blue.backend })
    const answer = await listen(all, 11)
    const first = await message(answer)
    expect(first).toMatchObject({ method: 'notifications/subscriptions/acknowledged' })
    expect((first.params as JsonObject).notifications).toEqual({
      toolsListChanged: true,
      resourceSubscriptions: ['a://x'],
    })
    expect(subscriptionOf(first)).toBe(11)
    const one = await red.opened()
    const other = await blue.opened()
    one.say('notifications/tools/list_changed')
    expect(subscriptionOf(await message(answer))).toBe(11)
    other.say('notifications/resources/updated', { uri: 'a://x' })
    const updated = await message(answer)
    expect(updated).toMatchObject({ method: 'notifications/resources/updated', params: { uri: 'a://x' } })
    expect(subscriptionOf(updated)).toBe(11)
    one.finish()
    other.say('notifications/tools/list_changed')
    expect(await message(answer)).toMatchObject({ method: 'notifications/tools/list_changed' })
    answer.destroy()
    await other.request.abandoned
    expect(other.request.isAbandoned()).toBe(true)
  })

  it('a backend that is down, or slow, does not hold the acknowledgement back', async () => {
    const red = await listening()
    const silent = await listening({ acknowledge: false })
    const { all } = await startGateway({
      red: red.backend,
      silent: silent.backend,
      down: { url: 'http://127.0.0.1:1/mcp' },
    })
    const answer = await listen(all)
    expect(await message(answer)).toMatchObject({ method: 'notifications/subscriptions/acknowledged' })
    const { say } = await red.opened()
    say('notifications/tools/list_changed')
    expect(await message(answer)).toMatchObject({ method: 'notifications/tools/list_changed' })
    answer.destroy()
  })

  it('one backend that dies does not end the subscription to the others', async () => {
    const red = await listening()
    const blue = await listening()
    const { all } = await startGateway({ red: red.backend, blue: blue.backend })
    const answer = await listen(all)
    await message(answer)
    const dying = await red.opened()
    const other = await blue.opened()
    dying.stream.destroy()
    await dying.request.abandoned
    other.say('notifications/prompts/list_changed')
    for (;;) {
      const received = await message(answer)
      expect(received.error).toBeUndefined()
      if (received.method === 'notifications/prompts/list_changed') break
    }
    answer.destroy()
  })

  it('refuses a subscription without a filter', async () => {
    const red = await listening()
    const { all } = await startGateway({ red: red.backend })
    const { body, headers } = modernRequest('subscriptions/listen', {}, { id: 1 })
    const answer = await post(all, body, headers)
    expect(await answer.answer()).toMatchObject({ id: 1, error: { code: -32602 } })
  })

  it('a gateway that stops ends the stream with a terminal frame', async () => {
    const red = await listening()
    const { all, gateway } = await startGateway({ red: red.backend })
    const { body, headers } = modernRequest('subscriptions/listen', { notifications: filter }, { id: 'end' })
    const exchange = send(all, body, headers)
    await exchange.head
    await exchange.nextFrame()
    await gateway.close(500)
    const rest = await exchange.frames()
    expect(JSON.parse(rest.filter((frame) => frame.data !== undefined).at(-1)?.data ?? '{}')).toMatchObject({
      id: 'end',
    })
  })
})
