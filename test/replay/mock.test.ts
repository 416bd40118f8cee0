import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { CallScript } from '../capture/call-script'
import { startBackend, startGateway } from '../gateway/running-gateway'
import { modernRequest, send } from '../peers/raw-client'
import { serve, text, type Offer } from '../peers/scripted-server'
import { MemoryCaptures } from './memory-captures'
import { ask, call, errorOf, FILE, mocked, recorded, resultOf, textOf, type Asked } from './mocking'

/** What a replay backend does with the capture of a scripted modern server, through the gateway. */

/** Counts its calls. */
function counting(): Offer {
  let calls = 0
  return { tools: { count: { call: (_request, reply) => reply.result(text(String(++calls))) } } }
}

describe('a replay backend', () => {
  const everything: Offer = {
    tools: { forecast: { call: ({ params }, reply) => reply.result(text(JSON.stringify(params.arguments))) } },
    prompts: { greet: { get: (_request, reply) => reply.result({ messages: [] }) } },
    resources: { 'test://one': { read: (_request, reply) => reply.result({ contents: [{ uri: 'test://one' }] }) } },
    templates: [{ uriTemplate: 'test://{id}', name: 'ids' }],
    methods: { 'completion/complete': (_request, reply) => reply.result({ completion: { values: ['Oslo'] } }) },
    serverInfo: { name: 'the real one', version: '3.1.4' },
  }
  const asked: Asked[] = [
    { method: 'server/discover' },
    { method: 'tools/list' },
    { method: 'prompts/list' },
    { method: 'resources/list' },
    { method: 'resources/templates/list' },
    call('forecast', { city: 'Oslo' }),
    { method: 'prompts/get', params: { name: 'greet' } },
    { method: 'resources/read', params: { uri: 'test://one' } },
    {
      method: 'completion/complete',
      params: { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'city', value: 'O' } },
    },
  ]

  it('answers discover, lists, calls, prompts, reads and completions as the recorded server did', async () => {
    const { were, mock } = await recorded(everything, asked)
    const now: JsonObject[] = []
    for (const one of asked) now.push(await ask(mock.one(), one))
    expect(now.map(({ result }) => result)).toEqual(were.map(({ result }) => result))
    expect(mock.gateway.backends()[0]?.state).toMatchObject({
      health: 'ready',
      era: 'modern',
      serverInfo: { name: 'the real one', version: '3.1.4' },
    })
  })

  it('says what was no message as it came, and ends as it ended then', async () => {
    const raw = '{"jsonrpc": "2.0", "result": oops'
    const script = new CallScript({ params: { name: 'garbage', arguments: {} } }).received().routed().sent()
    const ended = script.head('application/json').upstream(raw, 'body').upstreamEnded().ended('error', 'gateway')
    const captures = new MemoryCaptures()
    captures.set(FILE, ended.events)
    const mock = await mocked(captures)
    expect(errorOf(await ask(mock.one(), call('garbage')))).toMatchObject({
      code: -32603,
      message: expect.stringContaining('it is not JSON') as string,
    })
    const { events } = mock.tap
    expect(events.filter((event) => event.kind === 'upstream.frame').at(-1)).toMatchObject({ form: 'body', raw })
    expect(events.filter((event) => event.kind === 'upstream.ended').at(-1)).toMatchObject({ reason: 'complete' })
  })

  it('keeps the bytes of an answer that is not valid UTF-8, with the id of now', async () => {
    const binary = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'Z\xfcrich' }] } })
    const bytes = Buffer.from(binary, 'latin1')
    const script = new CallScript({ params: { name: 'latin', arguments: {} } }).received().routed().sent()
    script.head('application/json')
    script.push({
      kind: 'upstream.frame',
      exchange: 1,
      form: 'body',
      raw: bytes.toString('utf8'),
      bytes: bytes.toString('base64'),
    })
    const captures = new MemoryCaptures()
    captures.set(FILE, script.upstreamEnded().ended().events)
    const mock = await mocked(captures)
    expect(textOf(await ask(mock.one(), call('latin')))).toBe('Z\ufffdrich')
    const frame = mock.tap.events.filter((event) => event.kind === 'upstream.frame').at(-1)
    const id = (JSON.parse(frame?.raw ?? '') as { id: number }).id
    expect(Buffer.from(frame?.bytes ?? '', 'base64').toString('latin1')).toBe(binary.replace('"id":1', `"id":${id}`))
  })

  it('serves a capture of the aggregate endpoint by the names of the backend', async () => {
    const server = await startBackend(serve(everything))
    const live = await startGateway({ weather: server })
    await ask(live.all, call('weather__forecast', { city: 'Oslo' }))
    const captures = new MemoryCaptures()
    captures.set(FILE, live.tap.events)
    const mock = await mocked(captures)
    expect(textOf(await ask(mock.one(), call('forecast', { city: 'Oslo' })))).toBe('{"city":"Oslo"}')
    expect(textOf(await ask(mock.all, call('weather__forecast', { city: 'Oslo' })))).toBe('{"city":"Oslo"}')
  })

  it('makes the least of a list that the capture lacks, and says so', async () => {
    const { mock } = await recorded(
      everything,
      [asked[5], asked[6], asked[7]].filter((one) => one !== undefined),
    )
    const tools = resultOf(await ask(mock.one(), { method: 'tools/list' })).tools
    const description = expect.stringContaining('the capture has no list') as unknown
    expect(tools).toEqual([{ name: 'forecast', description, inputSchema: { type: 'object' } }])
    expect(resultOf(await ask(mock.one(), { method: 'prompts/list' })).prompts).toMatchObject([{ name: 'greet' }])
    expect(resultOf(await ask(mock.one(), { method: 'resources/list' })).resources).toMatchObject([
      { uri: 'test://one' },
    ])
    const { capabilities } = resultOf(await ask(mock.one(), { method: 'server/discover' }))
    expect(capabilities).toEqual({ tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} })
  })

  it('takes repeated calls in order, then the last one again', async () => {
    const { mock } = await recorded(counting(), [call('count'), call('count')])
    const now = []
    for (let index = 0; index < 4; index++) now.push(textOf(await ask(mock.one(), call('count'))))
    expect(now).toEqual(['1', '2', '2', '2'])
  })

  it('or all of them anew', async () => {
    const { mock } = await recorded(counting(), [call('count'), call('count')], { repeat: 'loop' })
    const now = []
    for (let index = 0; index < 5; index++) now.push(textOf(await ask(mock.one(), call('count'))))
    expect(now).toEqual(['1', '2', '1', '2', '1'])
  })

  it('is begun anew by hand', async () => {
    const { mock } = await recorded(counting(), [call('count'), call('count')])
    await ask(mock.one(), call('count'))
    await mock.gateway.backends()[0]?.restart?.()
    expect(textOf(await ask(mock.one(), call('count')))).toBe('1')
  })

  it('matches arguments whatever the order of their members, and what it is told to ignore', async () => {
    const offer: Offer = { tools: { book: { call: (_request, reply) => reply.result(text('booked')) } } }
    const args = { from: 'Oslo', to: { city: 'Bergen' }, at: 1 }
    const { mock } = await recorded(offer, [call('book', args)], { ignore: ['/arguments/at'] })
    expect(textOf(await ask(mock.one(), call('book', { at: 99, to: { city: 'Bergen' }, from: 'Oslo' })))).toBe('booked')
    expect(textOf(await ask(mock.one(), call('book', { to: { city: 'Bergen' }, from: 'Oslo' })))).toBe('booked')
  })

  it('answers a miss with an error that names the nearest recorded call', async () => {
    const { mock } = await recorded(everything, [
      call('forecast', { city: 'Oslo', days: 3 }),
      call('forecast', { city: 'Bergen', days: 9 }),
    ])
    const error = errorOf(await ask(mock.one(), call('forecast', { city: 'Bergen', days: 3, unit: 'C' })))
    expect(error).toMatchObject({
      code: -32603,
      data: {
        backend: 'weather',
        reason: 'replay-miss',
        nearest: { call: 1, path: '/arguments/city', was: 'Oslo', now: 'Bergen' },
      },
    })
    expect(error.message).toContain('friday.ndjson has no tools/call of "forecast" with these params')
    const other = errorOf(await ask(mock.one(), call('forecasts', {})))
    expect(other).toMatchObject({ data: { nearest: { call: 1, name: 'forecast' } } })
    const never = errorOf(await ask(mock.one(), { method: 'prompts/get', params: { name: 'x' } }))
    expect(never.message).toBe('Replay: friday.ndjson has no recorded prompts/get.')
  })

  it('finds long params, and does not compare them', async () => {
    const long = 'x'.repeat(10_000)
    const { mock } = await recorded(everything, [call('forecast', { city: long })])
    expect(textOf(await ask(mock.one(), call('forecast', { city: long })))).toContain('xxx')
    const missed = errorOf(await ask(mock.one(), call('forecast', { city: `${long}y` })))
    expect(missed.message).toContain('the nearest recorded call is 1, with other params')
  })

  it('keeps an error of the server an error, with its status', async () => {
    const refuse: Offer = {
      tools: { no: { call: (_request, reply) => reply.error(400, { code: -32602, message: 'no', data: { a: 1 } }) } },
    }
    const { mock } = await recorded(refuse, [call('no')])
    const { body, headers } = modernRequest('tools/call', { name: 'no', arguments: {} })
    const answer = send(mock.one(), body, headers)
    expect((await answer.head).status).toBe(400)
    expect(errorOf(await answer.answer())).toEqual({ code: -32602, message: 'no', data: { a: 1 } })
  })

  it('ends as the recorded exchange ended', async () => {
    const { mock, were } = await recorded({ tools: { die: { call: (_request, reply) => reply.reset() } } }, [
      call('die'),
    ])
    const now = await ask(mock.one(), call('die'))
    expect(errorOf(now)).toEqual(errorOf(were[0] ?? {}))
  })

  it.each(['a stream', 'an empty body'])('ends without an answer where %s did', async (how) => {
    const die: Offer['tools'] = {
      die: { call: (_request, reply) => (how === 'a stream' ? reply.sse().end() : void reply.response.end()) },
    }
    const { mock, were, captures, live } = await recorded({ tools: die }, [call('die')])
    expect(errorOf(were[0] ?? {}).data).toMatchObject({ reason: 'no-response' })
    expect(errorOf(await ask(mock.one(), call('die')))).toEqual(errorOf(were[0] ?? {}))
    // The end of the exchange may be missing; that of the call says as much.
    captures.set(
      FILE,
      live.tap.events.filter(({ kind }) => kind !== 'upstream.ended'),
    )
    await mock.gateway.backends()[0]?.restart?.()
    expect(errorOf(await ask(mock.one(), call('die')))).toEqual(errorOf(were[0] ?? {}))
  })

  it('streams the recorded frames with the token and id of now, pings included', async () => {
    const steps: Offer = {
      tools: {
        slow: {
          call: ({ id, params }, reply) => {
            const { progressToken } = params._meta as JsonObject
            const stream = reply.sse()
            stream.comment('ping')
            for (const progress of [1, 2])
              stream.event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress } })
            stream.event({ jsonrpc: '2.0', id, result: { resultType: 'complete', content: [] } })
            stream.end()
          },
        },
      },
    }
    const { mock } = await recorded(steps, [{ ...call('slow'), meta: { progressToken: 'then' } }])
    const { body, headers } = modernRequest(
      'tools/call',
      { name: 'slow', arguments: {} },
      { meta: { progressToken: 77 } },
    )
    const messages = await send(mock.one(), body, headers).messages()
    expect(messages.slice(0, 2).map(({ params }) => params)).toEqual([
      { progressToken: 77, progress: 1 },
      { progressToken: 77, progress: 2 },
    ])
    expect(mock.tap.of('upstream.frame').map(({ form }) => form)).toEqual(['comment', 'event', 'event', 'event'])
    expect(mock.tap.of('upstream.sent')[0]?.http).toEqual({
      method: 'replay',
      url: 'friday.ndjson#call=1&exchange=1',
      headers: [],
    })
  })
})

describe('which backend of a capture', () => {
  async function captureOfTwo(): Promise<MemoryCaptures> {
    const live = await startGateway({
      one: await startBackend(serve(counting())),
      two: await startBackend(serve(counting())),
    })
    for (const name of ['one', 'two']) await ask(live.one(name), call('count'))
    await ask(live.one('two'), call('count'))
    const captures = new MemoryCaptures()
    captures.set(FILE, live.tap.events)
    return captures
  }

  it('is the named one', async () => {
    const mock = await mocked(await captureOfTwo(), { backend: 'two' }, 'three')
    await ask(mock.one(), call('count'))
    expect(textOf(await ask(mock.one(), call('count')))).toBe('2')
  })

  it('else the one of the same name', async () => {
    const mock = await mocked(await captureOfTwo(), {}, 'two')
    await ask(mock.one(), call('count'))
    expect(textOf(await ask(mock.one(), call('count')))).toBe('2')
  })

  it('else the only one', async () => {
    const { captures } = await recorded(counting(), [call('count')])
    const mock = await mocked(captures, {}, 'other')
    expect(textOf(await ask(mock.one(), call('count')))).toBe('1')
  })

  it.each([
    [{}, 'has calls to "one", "two", and to none that is named "three"; say which one is meant with "backend"'],
    [{ backend: 'four' }, 'has no calls to a backend "four", only to "one", "two"; name one of these in "backend"'],
  ])('else none, and it says so: %j', async (config, words) => {
    const mock = await mocked(await captureOfTwo(), config, 'three')
    const answer = await ask(mock.one(), call('count'))
    expect(errorOf(answer)).toMatchObject({ code: -32603, data: { backend: 'three', reason: 'refused' } })
    expect(errorOf(answer).message).toContain(words)
    expect(mock.gateway.backends()[0]?.state).toMatchObject({ health: 'down' })
  })
})

describe('the file of a replay backend', () => {
  it('that is not there makes the backend down, until it is', async () => {
    const { captures, live } = await recorded(counting(), [call('count')])
    captures.remove(FILE)
    const mock = await mocked(captures)
    expect(errorOf(await ask(mock.one(), call('count'))).message).toContain(`${FILE} does not exist; check the path`)
    captures.set(FILE, live.tap.events)
    expect(textOf(await ask(mock.one(), call('count')))).toBe('1')
    expect(mock.gateway.backends()[0]?.state.health).toBe('ready')
  })

  it('is read again when it has changed, and the old one is let go', async () => {
    const { captures, live } = await recorded(counting(), [call('count')])
    const mock = await mocked(captures)
    await ask(mock.one(), call('count'))
    await ask(live.one(), call('count'))
    captures.set(FILE, live.tap.events)
    await mock.gateway.backends()[0]?.restart?.()
    await ask(mock.one(), call('count'))
    expect(textOf(await ask(mock.one(), call('count')))).toBe('2')
    await mock.gateway.close(0)
    await expect.poll(() => captures.opened).toBe(1)
  })
})
