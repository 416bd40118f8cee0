import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { call, modernRequest, send, type Frame } from '../peers/raw-client'
import { serve, text } from '../peers/scripted-server'
import type { StubHandler, StubRequest } from '../peers/stub-backend'
import { gate, startBackend, startGateway, type Running } from './running-gateway'

const running = async (script: StubHandler, settings: Record<string, unknown> = {}): Promise<Running> =>
  startGateway({ b: await startBackend(serve({ tools: { t: { call: script } } })) }, settings)

const progress = (request: StubRequest, value: number): object => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: (request.params._meta as { progressToken?: unknown }).progressToken, progress: value },
})
const log = (level: string, data = 'x'): object => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level, data },
})
const done = (request: StubRequest): object => ({
  jsonrpc: '2.0',
  id: request.id,
  result: { resultType: 'complete', ...text('done') },
})
const failed = (request: StubRequest): object => ({
  jsonrpc: '2.0',
  id: request.id,
  error: { code: -32050, message: 'no', data: { why: 1 } },
})
const params = { name: 't', arguments: {} }
const pings = (frames: Frame[]): number => frames.filter((frame) => frame.comments[0] === 'ping').length
const messages = (frames: Frame[]): unknown[] =>
  frames.flatMap((frame) => (frame.data === undefined ? [] : [JSON.parse(frame.data)]))

describe('JSON or event stream, decided late', () => {
  it('a result before anything else is JSON, also from an event stream with comments before it', async () => {
    for (const script of [
      (request, reply) => reply.json(200, done(request)),
      (request, reply) => {
        const stream = reply.sse()
        stream.comment('keepalive')
        stream.event(done(request))
        stream.end()
      },
    ] satisfies StubHandler[]) {
      const { one, tap } = await running(script)
      const answer = await call(one(), 'tools/call', params, { id: 1, progressToken: 1 })
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toBe('application/json')
      expect(await answer.json()).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: { resultType: 'complete', ...text('done') },
      })
      expect(tap.of('response.committed').at(-1)).toMatchObject({ form: 'json', cause: 'result', status: 200 })
    }
  })

  it('an error before anything else is JSON, also from an event stream', async () => {
    const { one, tap } = await running((request, reply) => {
      const stream = reply.sse()
      stream.event(failed(request))
      stream.end()
    })
    const answer = await call(one(), 'tools/call', params, { id: 1 })
    expect(answer.headers['content-type']).toBe('application/json')
    expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32050, data: { why: 1 } } })
    expect(tap.of('response.committed').at(-1)).toMatchObject({ form: 'json', cause: 'error' })
  })

  it('a notification commits to SSE at once, and no frame is held back', async () => {
    const second = gate()
    const third = gate()
    const { one, tap } = await running(async (request, reply) => {
      const stream = reply.sse()
      stream.event(progress(request, 1))
      await second.opened
      stream.event(progress(request, 2))
      await third.opened
      stream.event(done(request))
      stream.end()
    })
    const answer = await call(one(), 'tools/call', params, { id: 'x', progressToken: 'tok' })
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.headers['mcp-session-id']).toBeUndefined()
    expect(JSON.parse((await answer.nextFrame())?.data ?? '')).toMatchObject({
      params: { progress: 1, progressToken: 'tok' },
    })
    second.open()
    expect(JSON.parse((await answer.nextFrame())?.data ?? '')).toMatchObject({ params: { progress: 2 } })
    third.open()
    expect(JSON.parse((await answer.nextFrame())?.data ?? '')).toMatchObject({ id: 'x', result: {} })
    expect(await answer.nextFrame()).toBeUndefined()
    await answer.text()
    expect(tap.of('response.committed').at(-1)).toMatchObject({ form: 'sse', cause: 'notification' })
  })

  it('a silent window ends in SSE with a first ping, then pings, then the result', async () => {
    const answered = gate()
    const script: StubHandler = async (request, reply) => {
      await answered.opened
      reply.json(200, done(request))
    }
    const { one, tap } = await running(script, { deferralWindowMs: 60, pingIntervalMs: 20 })
    const exchange = send(one(), ...bodyAndHeaders(1))
    const head = await exchange.head
    expect(head.at - exchange.sentAt).toBeGreaterThanOrEqual(55)
    expect(head.headers['content-type']).toBe('text/event-stream')
    const first = [await exchange.nextFrame(), await exchange.nextFrame(), await exchange.nextFrame()] as Frame[]
    expect(pings(first)).toBe(3)
    answered.open()
    expect(messages(await exchange.frames())).toEqual([done({ id: 1 } as StubRequest)])
    expect(tap.of('response.committed').at(-1)).toMatchObject({ form: 'sse', cause: 'window' })
    expect(tap.of('response.ping').length).toBeGreaterThanOrEqual(3)
  })

  it('pings only between frames: a frame restarts the interval', async () => {
    const { one, tap } = await running(
      async (request, reply) => {
        const stream = reply.sse()
        for (let value = 1; value <= 20; value += 1) {
          stream.event(progress(request, value))
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
        stream.event(done(request))
        stream.end()
      },
      { pingIntervalMs: 150 },
    )
    const answer = await call(one(), 'tools/call', params, { progressToken: 5 })
    const frames = await answer.frames()
    expect(messages(frames)).toHaveLength(21)
    expect(tap.of('response.ping').length).toBeLessThan(2)
  })

  it('an error after the commit is the last frame of a 200 stream, whatever status the backend gave', async () => {
    const late = gate()
    const { one } = await running(
      async (request, reply) => {
        await late.opened
        reply.json(400, failed(request))
      },
      { deferralWindowMs: 20, pingIntervalMs: 1_000 },
    )
    const answer = await call(one(), 'tools/call', params, { id: 4 })
    late.open()
    expect(answer.status).toBe(200)
    expect(messages(await answer.frames())).toEqual([failed({ id: 4 } as StubRequest)])
  })

  it('mode json never streams, and records what it withheld', async () => {
    const { one, tap } = await running(
      (request, reply) => {
        const stream = reply.sse()
        stream.event(progress(request, 1))
        stream.event(log('error'))
        stream.event(done(request))
        stream.end()
      },
      { responseMode: 'json', deferralWindowMs: 10 },
    )
    const answer = await call(one(), 'tools/call', params, { id: 1, progressToken: 1, logLevel: 'debug' })
    expect(answer.headers['content-type']).toBe('application/json')
    expect(await answer.json()).toEqual(done({ id: 1 } as StubRequest))
    expect(tap.of('response.withheld').map(({ method, reason }) => [method, reason])).toEqual([
      ['notifications/progress', 'json-mode'],
      ['notifications/message', 'json-mode'],
    ])
  })

  it('mode json waits past any window', async () => {
    const arrived = gate()
    const late = gate()
    const script: StubHandler = async (request, reply) => {
      arrived.open()
      await late.opened
      reply.result(text(request.name))
    }
    const { one, tap } = await running(script, { responseMode: 'json', deferralWindowMs: 10, pingIntervalMs: 10 })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const exchange = send(one(), ...bodyAndHeaders(1))
    // Connecting has a time limit of its own.
    await arrived.opened
    await vi.advanceTimersByTimeAsync(60_000)
    expect(tap.of('response.committed')).toEqual([])
    late.open()
    expect((await exchange.head).headers['content-type']).toBe('application/json')
  })

  it('mode sse streams from the start, but not before its own checks', async () => {
    const late = gate()
    const { one, tap } = await running(
      async (request, reply) => {
        await late.opened
        reply.json(404, failed(request))
      },
      { responseMode: 'sse' },
    )
    const answer = await call(one(), 'tools/call', params, { id: 9 })
    expect(answer.headers['content-type']).toBe('text/event-stream')
    expect(tap.of('response.committed').at(-1)).toMatchObject({ form: 'sse', cause: 'mode' })
    late.open()
    expect(messages(await answer.frames())).toEqual([failed({ id: 9 } as StubRequest)])
    const refused = await call(one(), 'tools/call', params, { headers: { 'mcp-name': 'other' } })
    expect(refused.status).toBe(400)
    expect(refused.headers['content-type']).toBe('application/json')
  })

  it('keeps the order of 500 frames that come in one piece', async () => {
    const { one } = await running(async (request, reply) => {
      const stream = reply.sse()
      const frames = Array.from({ length: 500 }, (_, at) => `data: ${JSON.stringify(progress(request, at + 1))}\n\n`)
      await stream.raw(`${frames.join('')}data: ${JSON.stringify(done(request))}\n\n`)
      stream.end()
    })
    const answer = await call(one(), 'tools/call', params, { id: 1, progressToken: 1 })
    const received = messages(await answer.frames()) as { id?: number; params?: { progress: number } }[]
    expect(received.slice(0, 500).map((message) => message.params?.progress)).toEqual(
      Array.from({ length: 500 }, (_, at) => at + 1),
    )
    expect(received.at(-1)?.id).toBe(1)
  })
})

describe('which notifications pass', () => {
  const token = (value: unknown): object => ({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: value, progress: 1 },
  })
  interface Case {
    name: string
    options: Parameters<typeof modernRequest>[2]
    sent: (request: StubRequest) => object
    /** `passes`, or the reason it is withheld. */
    verdict: string
  }
  const cases: Case[] = [
    {
      name: 'progress with the token',
      options: { progressToken: 'a' },
      sent: (request) => progress(request, 1),
      verdict: 'passes',
    },
    {
      name: 'progress with a numeric token',
      options: { progressToken: 7 },
      sent: (request) => progress(request, 1),
      verdict: 'passes',
    },
    { name: 'progress without a token', options: {}, sent: () => token('a'), verdict: 'no-progress-token' },
    {
      name: 'progress with another token',
      options: { progressToken: 'a' },
      sent: () => token('b'),
      verdict: 'progress-token-mismatch',
    },
    {
      name: 'a text for a numeric token',
      options: { progressToken: 7 },
      sent: () => token('7'),
      verdict: 'progress-token-mismatch',
    },
    { name: 'a log at the level', options: { logLevel: 'warning' }, sent: () => log('warning'), verdict: 'passes' },
    {
      name: 'a log above the level',
      options: { logLevel: 'warning' },
      sent: () => log('emergency'),
      verdict: 'passes',
    },
    {
      name: 'a log below the level',
      options: { logLevel: 'warning' },
      sent: () => log('notice'),
      verdict: 'below-log-level',
    },
    { name: 'a log without a level asked', options: {}, sent: () => log('emergency'), verdict: 'no-log-level' },
    {
      name: 'a list change',
      options: { logLevel: 'debug' },
      sent: () => ({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }),
      verdict: 'not-request-scoped',
    },
    {
      name: 'a request of the server',
      options: { capabilities: { roots: {} } },
      sent: () => ({ jsonrpc: '2.0', id: 's1', method: 'roots/list' }),
      verdict: 'server-request',
    },
    { name: 'what is no JSON-RPC', options: {}, sent: () => ({ hello: 'world' }), verdict: 'not-json-rpc' },
  ]
  for (const { name, options, sent, verdict } of cases) {
    it(`${name}: ${verdict}`, async () => {
      const { one, tap } = await running((request, reply) => {
        const stream = reply.sse()
        stream.event(sent(request))
        stream.event(done(request))
        stream.end()
      })
      const answer = await call(one(), 'tools/call', params, { id: 1, ...options })
      const received = await answer.messages()
      expect(received.at(-1)).toEqual(done({ id: 1 } as StubRequest))
      const withheld = tap.of('response.withheld')
      if (verdict === 'passes') {
        expect(received).toHaveLength(2)
        expect(withheld).toEqual([])
      } else {
        expect(received).toHaveLength(1)
        expect(answer.headers['content-type']).toBe('application/json')
        expect(withheld).toMatchObject([{ reason: verdict }])
        const from = tap.events[(withheld[0]?.from ?? 0) - 1]
        expect(from).toMatchObject({ kind: 'upstream.frame' })
      }
    })
  }

  it('what follows the result is withheld, and the level and the token reach the backend', async () => {
    const backend = await startBackend(
      serve({
        tools: {
          t: {
            call: (request, reply) => {
              const stream = reply.sse()
              stream.event(done(request))
              stream.event(progress(request, 1))
              stream.end()
            },
          },
        },
      }),
    )
    const { one, tap } = await startGateway({ b: backend })
    const answer = await call(one(), 'tools/call', params, { id: 1, progressToken: 'tok', logLevel: 'notice' })
    expect(await answer.messages()).toEqual([done({ id: 1 } as StubRequest)])
    expect(await tap.until('response.withheld')).toMatchObject([
      { method: 'notifications/progress', reason: 'after-result' },
    ])
    expect(backend.of('tools/call')[0]?.params._meta).toMatchObject({
      progressToken: 'tok',
      'io.modelcontextprotocol/logLevel': 'notice',
    })
  })
})

function bodyAndHeaders(id: number): [string, Record<string, string>] {
  const { body, headers } = modernRequest('tools/call', params, { id })
  return [body, headers]
}
