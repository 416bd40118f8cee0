import { Agent } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { call, modernRequest, send } from '../peers/raw-client'
import { serve, text } from '../peers/scripted-server'
import type { StubHandler } from '../peers/stub-backend'
import { gate, startBackend, startGateway } from './running-gateway'

const params = { name: 't', arguments: {} }

describe('calls at the same time', () => {
  it('two clients with the same id and the same progress token at once get each their own', async () => {
    const both = gate()
    const script: StubHandler = async (request, reply) => {
      const who = (request.params.arguments as JsonObject).who
      await both.opened
      const stream = reply.sse()
      const { progressToken } = request.params._meta as JsonObject
      stream.event({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress: 1, message: who },
      })
      stream.event({ jsonrpc: '2.0', id: request.id, result: { resultType: 'complete', ...text(String(who)) } })
      stream.end()
    }
    const backend = await startBackend(serve({ tools: { t: { call: script } } }))
    const { one } = await startGateway({ b: backend })
    const asked = ['red', 'blue'].map((who) => {
      const { body, headers } = modernRequest(
        'tools/call',
        { name: 't', arguments: { who } },
        { id: 1, progressToken: 'same' },
      )
      return { who, exchange: send(one(), body, headers) }
    })
    const received = [await backend.next('tools/call'), await backend.next('tools/call')]
    expect(new Set(received.map((request) => request.id)).size).toBe(2)
    both.open()
    for (const { who, exchange } of asked) {
      expect(await exchange.messages()).toMatchObject([
        { params: { progressToken: 'same', message: who } },
        { id: 1, result: text(who) },
      ])
    }
  })

  it('200 streams of 20 frames each, none crossed, none lost, all in order', async () => {
    const streams = 200
    const frames = 20
    const script: StubHandler = async (request, reply) => {
      const { progressToken } = request.params._meta as JsonObject
      const stream = reply.sse()
      for (let progress = 1; progress <= frames; progress += 1) {
        stream.event({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken, progress, message: request.params.arguments },
        })
        await new Promise((resolve) => setImmediate(resolve))
      }
      stream.event({
        jsonrpc: '2.0',
        id: request.id,
        result: { resultType: 'complete', ...text(JSON.stringify(request.params.arguments)) },
      })
      stream.end()
    }
    const backend = await startBackend(serve({ tools: { t: { call: script } } }))
    const { all, tap } = await startGateway({ b: backend })
    const agent = new Agent({ keepAlive: true, maxSockets: streams })
    await Promise.all(
      Array.from({ length: streams }, async (_, number) => {
        const { body, headers } = modernRequest(
          'tools/call',
          { name: 'b__t', arguments: { number } },
          { id: number % 10, progressToken: number % 7 },
        )
        const received = await send(all, body, headers, { agent }).messages()
        expect(received).toHaveLength(frames + 1)
        for (let at = 0; at < frames; at += 1) {
          expect(received[at]).toMatchObject({
            params: { progressToken: number % 7, progress: at + 1, message: { number } },
          })
        }
        expect(received.at(-1)).toMatchObject({ id: number % 10, result: text(JSON.stringify({ number })) })
      }),
    )
    agent.destroy()
    expect(tap.of('call.ended').filter((event) => event.outcome === 'result')).toHaveLength(streams)
  })

  it('a slow client slows its own call only', async () => {
    const script: StubHandler = async (request, reply) => {
      if ((request.params.arguments as JsonObject).endless !== true) return reply.result(text('quick'))
      const { progressToken } = request.params._meta as JsonObject
      const stream = reply.sse()
      const message = 'x'.repeat(100_000)
      for (let progress = 1; progress <= 1_000 && !request.isAbandoned(); progress += 1) {
        const event = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress, message } }
        written = progress
        await stream.raw(`data: ${JSON.stringify(event)}\n\n`)
      }
      stream.event({ jsonrpc: '2.0', id: request.id, result: { resultType: 'complete', ...text('end') } })
      stream.end()
    }
    let written = 0
    const backend = await startBackend(serve({ tools: { t: { call: script } } }))
    const { one } = await startGateway({ b: backend })
    const before = process.memoryUsage().rss
    const { body, headers } = modernRequest(
      'tools/call',
      { name: 't', arguments: { endless: true } },
      { id: 'slow', progressToken: 1 },
    )
    const slow = send(one(), body, headers, { startPaused: true })
    await slow.head
    const settled = async (): Promise<number> => {
      for (let last = -1; ;) {
        await new Promise((resolve) => setTimeout(resolve, 200))
        if (written === last) return written
        last = written
      }
    }
    // 100 MB would be written if nothing held the backend back; sockets and bounds hold a few.
    const stoppedAt = await settled()
    expect(stoppedAt).toBeLessThan(400)
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 2 ** 20)
    const started = performance.now()
    expect(await (await call(one(), 'tools/call', params)).json()).toMatchObject({ result: text('quick') })
    expect(performance.now() - started).toBeLessThan(500)
    slow.resume()
    const received = await slow.messages()
    expect(received).toHaveLength(1_001)
    expect(received.at(-1)).toMatchObject({ id: 'slow', result: text('end') })
  })

  it('carries a result of 20 MB, as JSON and as an event', async () => {
    const big = `${'x'.repeat(20 * 2 ** 20)}é`
    for (const script of [
      (_, reply) => reply.result(text(big)),
      (request, reply) => {
        const stream = reply.sse()
        stream.event({ jsonrpc: '2.0', id: request.id, result: { resultType: 'complete', ...text(big) } })
        stream.end()
      },
    ] satisfies StubHandler[]) {
      const backend = await startBackend(serve({ tools: { t: { call: script } } }))
      const { one } = await startGateway({ b: backend })
      const answer = await call(one(), 'tools/call', params, { id: 1 })
      expect(((await answer.answer()).result as { content: { text: string }[] }).content[0]?.text).toBe(big)
    }
  }, 60_000)
})

describe('cancellation', () => {
  const bound = 50
  /** The best of some attempts counts: what a busy machine adds to one of them is not the gateway's. */
  const attempts = 5

  it('reaches the backend within 50 ms: before the commit, after the window, and on an open stream', async () => {
    const scripts: [name: string, script: StubHandler, settings: Record<string, unknown>][] = [
      ['before the commit', () => undefined, {}],
      ['after the window', () => undefined, { deferralWindowMs: 10 }],
      ['after a head', (_, reply) => void reply.sse(), {}],
      [
        'after a frame',
        (_, reply) =>
          reply
            .sse()
            .event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }),
        {},
      ],
      [
        'in the middle of a body',
        (_, reply) => {
          reply.response.writeHead(200, { 'content-type': 'application/json' })
          reply.response.write('{"jsonrpc":')
        },
        {},
      ],
    ]
    for (const [name, script, settings] of scripts) {
      const backend = await startBackend(serve({ tools: { t: { call: script } } }))
      const { one, tap } = await startGateway({ b: backend }, settings)
      const delays: number[] = []
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        const { body, headers } = modernRequest('tools/call', params, { progressToken: 1 })
        const exchange = send(one(), body, headers)
        const request = await backend.next('tools/call')
        if (name === 'after a frame') await exchange.nextFrame()
        if (name === 'after the window') await exchange.head
        if (name === 'after a head' || name.startsWith('in the')) await tap.until('upstream.head', attempt)
        const at = performance.now()
        exchange.destroy()
        delays.push((await request.abandoned) - at)
        expect((await tap.until('call.ended', attempt)).at(-1), name).toMatchObject({
          outcome: 'cancelled',
          by: 'client',
        })
        expect((await tap.until('upstream.ended', attempt)).at(-1), name).toMatchObject({ reason: 'cancelled' })
      }
      expect(Math.min(...delays), name).toBeLessThan(bound)
    }
  })

  it('reaches every backend that a merged list waits for', async () => {
    const silent = serve({ methods: { 'tools/list': () => undefined } })
    const backends = [await startBackend(silent), await startBackend(silent)] as const
    const { all, tap } = await startGateway({ red: backends[0], blue: backends[1] })
    // At its start the gateway asks for itself.
    await Promise.all(backends.map((backend) => backend.next('tools/list')))
    const { body, headers } = modernRequest('tools/list')
    const exchange = send(all, body, headers)
    const asked = await Promise.all(backends.map((backend) => backend.next('tools/list')))
    exchange.destroy()
    await Promise.all(asked.map((request) => request.abandoned))
    expect(await tap.until('call.ended')).toMatchObject([{ outcome: 'cancelled', by: 'client' }])
    expect((await tap.until('upstream.ended', 2)).map((event) => event.reason)).toEqual(['cancelled', 'cancelled'])
  })

  it('a cancelled call does not disturb one on the same kept-alive connections', async () => {
    const backend = await startBackend(
      serve({
        tools: {
          t: {
            call: (request, reply) =>
              (request.params.arguments as JsonObject).wait === true ? undefined : reply.result(text('quick')),
          },
        },
      }),
    )
    const { one } = await startGateway({ b: backend })
    for (let round = 0; round < 20; round += 1) {
      const { body, headers } = modernRequest('tools/call', { name: 't', arguments: { wait: true } })
      const waiting = send(one(), body, headers)
      const request = await backend.next('tools/call')
      waiting.destroy()
      await request.abandoned
      expect(await (await call(one(), 'tools/call', params)).json()).toMatchObject({ result: text('quick') })
      await backend.next('tools/call')
    }
  })

  it('leaves nothing behind: listeners, sockets and calls', async () => {
    const backend = await startBackend(serve({ tools: { t: { call: () => undefined } } }))
    const { one, tap } = await startGateway({ b: backend })
    const calls = 50
    for (let number = 0; number < calls; number += 1) {
      const { body, headers } = modernRequest('tools/call', params)
      const exchange = send(one(), body, headers)
      await backend.next('tools/call')
      exchange.destroy()
    }
    await tap.until('call.ended', calls)
    await Promise.all(backend.of('tools/call').map((request) => request.abandoned))
    await vi.waitFor(() => expect(backend.connections()).toBeLessThan(10))
  })
})
