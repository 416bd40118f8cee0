import { createServer, type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createGateway } from '../../src/main/gateway/gateway'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { call, modernRequest, rawExchange, send } from '../peers/raw-client'
import { serve, text } from '../peers/scripted-server'
import { startStub, type StubHandler } from '../peers/stub-backend'
import { configuration, gate, keys, RecordingTap, startBackend, startGateway } from './running-gateway'

const params = { name: 't', arguments: {} }

describe('silence', () => {
  it('of ten minutes ends neither leg: no time-out of a library cuts a silent tool', async () => {
    const backend = await startBackend(serve({ tools: { t: { call: () => undefined } } }))
    const { one, tap } = await startGateway({ b: backend }, { pingIntervalMs: 15_000, deferralWindowMs: 15_000 })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { body, headers } = modernRequest('tools/call', params, { id: 1 })
    const exchange = send(one(), body, headers)
    const request = await backend.next('tools/call')
    await vi.advanceTimersByTimeAsync(600_000)
    expect((await exchange.head).headers['content-type']).toBe('text/event-stream')
    expect(tap.of('response.ping').length).toBeGreaterThanOrEqual(39)
    expect(tap.of('call.ended')).toEqual([])
    expect(request.isAbandoned()).toBe(false)
    exchange.destroy()
    await request.abandoned
  })

  it('in the middle of a stream is no end either', async () => {
    const script: StubHandler = (_, reply) =>
      reply.sse().event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } })
    const backend = await startBackend(serve({ tools: { t: { call: script } } }))
    const { one, tap } = await startGateway({ b: backend }, { pingIntervalMs: 15_000 })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { body, headers } = modernRequest('tools/call', params, { id: 1, progressToken: 1 })
    const exchange = send(one(), body, headers)
    const request = await backend.next('tools/call')
    await exchange.nextFrame()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(tap.of('call.ended')).toEqual([])
    expect(request.isAbandoned()).toBe(false)
    exchange.destroy()
    await request.abandoned
  })
})

describe('connections to a backend', () => {
  it('that the backend closes after each answer cost no call', async () => {
    const script: StubHandler = (_, reply) => {
      reply.result(text('ok'))
      reply.response.once('finish', () => reply.socket.destroy())
    }
    const backend = await startBackend(serve({ tools: { t: { call: script } } }))
    const { one } = await startGateway({ b: backend })
    for (let round = 0; round < 50; round += 1) {
      expect(await (await call(one(), 'tools/call', params)).json()).toMatchObject({ result: text('ok') })
    }
  })

  it('a backend that restarts on its port is found again by the next call', async () => {
    const first = await startBackend(serve({ tools: { t: { call: (_, reply) => reply.result(text('first')) } } }))
    const { one } = await startGateway({ b: first })
    expect(await (await call(one(), 'tools/call', params)).json()).toMatchObject({ result: text('first') })
    await first.close()
    expect(await (await call(one(), 'tools/call', params)).json()).toMatchObject({ error: { code: -32603 } })
    const second = await startStub(
      serve({ tools: { t: { call: (_, reply) => reply.result(text('second')) } } }),
      first.port,
    )
    onTestFinished(() => second.close())
    expect(await (await call(one(), 'tools/call', params)).json()).toMatchObject({ result: text('second') })
  })
})

describe('a changed configuration', () => {
  it('does not drop streams in flight, and serves new calls by the new one', async () => {
    const finish = gate()
    const script: StubHandler = async (request, reply) => {
      const stream = reply.sse()
      stream.event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } })
      await finish.opened
      stream.event({ jsonrpc: '2.0', id: request.id, result: { resultType: 'complete', ...text('done') } })
      stream.end()
    }
    const backend = await startBackend(serve({ tools: { t: { call: script } } }))
    const other = await startBackend(serve({ tools: { t: { call: (_, reply) => reply.result(text('other')) } } }))
    const { one, gateway, port } = await startGateway({ b: backend })
    const answer = await call(one(), 'tools/call', params, { id: 1, progressToken: 1 })
    await answer.nextFrame()
    gateway.apply(configuration({ b: backend, other }, { port, pingIntervalMs: 50, maxBodyBytes: 2_048 }))
    expect(await (await call(one('other'), 'tools/call', params)).json()).toMatchObject({ result: text('other') })
    expect((await call(one('other'), 'tools/call', { ...params, pad: 'x'.repeat(3_000) })).status).toBe(413)
    finish.open()
    expect(await answer.answer()).toMatchObject({ id: 1, result: text('done') })
  })

  it('a backend that is taken out answers no new call', async () => {
    const backend = await startBackend(serve({ tools: { t: { call: (_, reply) => reply.result(text('x')) } } }))
    const { one, all, gateway, port } = await startGateway({ b: backend, c: backend })
    gateway.apply(configuration({ c: backend }, { port }))
    expect((await call(one('b'), 'tools/call', params)).status).toBe(404)
    expect(await (await call(all, 'tools/call', { name: 'b__t', arguments: {} })).json()).toMatchObject({
      error: { code: -32602 },
    })
    expect((await call(one('c'), 'tools/call', params)).status).toBe(200)
    expect(gateway.backends().map(({ name }) => name)).toEqual(['c'])
  })

  it('a backend that is turned off ends its calls as one that is taken out, and tells new ones why', async () => {
    const finish = gate()
    const script: StubHandler = async (_, reply) => {
      await finish.opened
      reply.result(text('done'))
    }
    const backend = await startBackend(serve({ tools: { t: { call: script } } }))
    const { one, all, gateway, port } = await startGateway({ b: backend })
    const begun = call(one(), 'tools/call', params)
    await backend.next('tools/call')
    gateway.apply({ ...configuration({}, { port }), off: [{ name: 'b', type: 'http', place: 0 }] })
    const refused = await call(one('b'), 'tools/call', params)
    expect(refused.status).toBe(404)
    expect(await refused.json()).toMatchObject({
      error: { message: expect.stringContaining('the backend "b" is turned off') as string },
    })
    expect(await (await call(one('x'), 'tools/list')).json()).toMatchObject({
      error: { message: expect.stringContaining('no backend is named "x"') as string },
    })
    expect(await (await call(all, 'tools/list')).json()).toMatchObject({ result: { tools: [] } })
    finish.open()
    expect(await (await begun).json()).toMatchObject({ result: text('done') })
  })
})

describe('start and stop', () => {
  it('listens on both loopback addresses where the machine has both, and on no other', async () => {
    const { port } = await startGateway({})
    const { body, headers } = modernRequest('tools/list')
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
    for (const { address, family } of addresses) {
      const host = family === 'IPv6' ? `[${address}]` : address
      const exchange = send(`http://${host}:${port}/mcp`, body, headers)
      if (address === '127.0.0.1' || address === '::1') expect((await exchange.head).status, address).toBe(200)
      else await expect(exchange.head, address).rejects.toThrow()
    }
  })

  it('takes the next free port when the preferred one is taken, and says so', async () => {
    const holder = createServer()
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise((resolve) => void holder.close(() => resolve())))
    const { port } = holder.address() as AddressInfo
    const gateway = createGateway({
      configuration: configuration({}, { port }),
      tap: new RecordingTap(),
      stateKeys: keys(),
      version: '0',
    })
    const listening = await gateway.listen()
    onTestFinished(() => gateway.close(0))
    expect(listening.port).not.toBe(port)
    expect(listening.movedFrom?.port).toBe(port)
    expect((await call(`${gateway.base}/mcp`, 'tools/list')).status).toBe(200)
  })

  it('close ends every open answer with an error and stops accepting, within its grace', async () => {
    const script: StubHandler = (request, reply) => {
      if ((request.params.arguments as JsonObject).stream !== true) return
      reply.sse().event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } })
    }
    const backend = await startBackend(serve({ tools: { t: { call: script } } }))
    const { one, gateway, port, tap } = await startGateway({ b: backend })
    const open = [true, false].map((stream) => {
      const { body, headers } = modernRequest(
        'tools/call',
        { name: 't', arguments: { stream } },
        { id: stream ? 's' : 'j', progressToken: 1 },
      )
      return send(one(), body, headers)
    })
    await backend.next('tools/call')
    await backend.next('tools/call')
    await open[0]?.nextFrame()
    const before = performance.now()
    await gateway.close(1_000)
    expect(performance.now() - before).toBeLessThan(1_500)
    expect(await open[0]?.answer()).toMatchObject({ id: 's', error: { code: -32603 } })
    expect(await open[1]?.answer()).toMatchObject({ id: 'j', error: { code: -32603 } })
    await Promise.all(backend.of('tools/call').map((request) => request.abandoned))
    expect(tap.of('call.ended').map((event) => event.outcome)).toEqual(['error', 'error'])
    await expect(rawExchange(port, 'GET / HTTP/1.1\r\n\r\n')).rejects.toThrow()
  })

  it('close does not wait longer than its grace for a client that does not read', async () => {
    const backend = await startBackend(
      serve({ tools: { t: { call: (_, reply) => reply.result(text('x'.repeat(2 ** 24))) } } }),
    )
    const { one, gateway, tap } = await startGateway({ b: backend })
    const { body, headers } = modernRequest('tools/call', params)
    const exchange = send(one(), body, headers, { startPaused: true })
    await exchange.head
    await tap.until('call.ended')
    const before = performance.now()
    await gateway.close(100)
    expect(performance.now() - before).toBeLessThan(1_000)
    exchange.destroy()
  })
})

describe('what the relay makes of an outcome', () => {
  const outcomes: [name: string, script: StubHandler, outcome: string][] = [
    ['a result', (_, reply) => reply.result(text('x')), 'result'],
    ['a tool error', (_, reply) => reply.result({ ...text('x'), isError: true }), 'tool-error'],
    ['an error', (_, reply) => reply.error(200, { code: 1, message: 'x' }), 'error'],
    [
      'input required',
      (_, reply) => reply.result({ resultType: 'input_required', requestState: 's' }),
      'input-required',
    ],
    [
      'a task',
      (_, reply) => reply.result({ resultType: 'task', taskId: 't1', status: 'working', ttlMs: null }),
      'task',
    ],
  ]
  for (const [name, script, outcome] of outcomes) {
    it(`${name} is recorded as ${outcome}, by the backend`, async () => {
      const backend = await startBackend(serve({ tools: { t: { call: script } } }))
      const { one, tap } = await startGateway({ b: backend })
      await (await call(one(), 'tools/call', params)).text()
      expect(await tap.until('call.ended')).toMatchObject([{ outcome, by: 'backend' }])
    })
  }

  it('methods of extensions are relayed on the endpoint of a backend, with Mcp-Name', async () => {
    const get: StubHandler = (request, reply) => reply.result({ taskId: request.params.taskId, status: 'working' })
    const backend = await startBackend(
      serve({ methods: { 'tasks/get': get, 'vendor/thing': (_, reply) => reply.result({ ok: true }) } }),
    )
    const { one, all } = await startGateway({ b: backend })
    expect(await (await call(one(), 'tasks/get', { taskId: 't1' })).json()).toMatchObject({ result: { taskId: 't1' } })
    expect(backend.of('tasks/get')[0]?.headers['mcp-name']).toBe('t1')
    expect(await (await call(one(), 'vendor/thing', { a: 1 })).json()).toMatchObject({ result: { ok: true } })
    expect((await call(all, 'vendor/thing', {})).status).toBe(404)
  })
})
