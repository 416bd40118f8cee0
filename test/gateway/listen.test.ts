import { describe, expect, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { modernRequest, post, send, type Answer } from '../peers/raw-client'
import { KEY, listening } from './listening-backend'
import { startGateway } from './running-gateway'

const filter = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ['a://x'],
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

  it('an abrupt end of the backend is no end: the subscription is begun anew, and the client told to look', async () => {
    const { backend, opened } = await listening()
    const { one, tap, gateway } = await startGateway({ b: backend })
    let changes = 0
    onTestFinished(gateway.onBackends(() => changes++))
    const answer = await listen(one(), 3)
    await message(answer)
    const first = await opened()
    first.stream.destroy()
    const again = await opened()
    expect(again.request.params.notifications).toEqual(filter)
    expect(again.request.id).not.toBe(first.request.id)
    for (const [method, uri] of [['tools'], ['prompts'], ['resources'], ['', 'a://x']] as const) {
      const told = await message(answer)
      expect(told.method).toBe(
        uri === undefined ? `notifications/${method}/list_changed` : 'notifications/resources/updated',
      )
      expect(subscriptionOf(told)).toBe(3)
    }
    again.say('notifications/tools/list_changed')
    expect(await message(answer)).toMatchObject({ method: 'notifications/tools/list_changed' })
    again.finish()
    expect(await message(answer)).toMatchObject({ id: 3, result: {} })
    const routed = tap.of('call.routed')
    expect(routed.map(({ round }) => round)).toEqual([1, 1])
    expect(tap.of('upstream.ended').map(({ reason }) => reason)).toEqual(['lost', 'complete'])
    expect(changes).toBeGreaterThan(0)
  })

  it('an abrupt end before the acknowledgement ends in an error frame', async () => {
    const { backend, opened } = await listening({ acknowledge: false })
    const { one } = await startGateway({ b: backend }, { deferralWindowMs: 10 })
    const answer = await listen(one(), 3)
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
