import { describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { call, type ModernOptions } from '../peers/raw-client'
import { serve, text } from '../peers/scripted-server'
import { answers, asking, capabilities, elicit, offer, resultOf, type Result } from './asking-backend'
import { configuration, startBackend, startGateway } from './running-gateway'

describe('the relay of input_required', () => {
  const kinds: [method: string, params: JsonObject, aggregated: JsonObject][] = [
    ['tools/call', { name: 'book', arguments: { to: 'Paris' } }, { name: 'b__book', arguments: { to: 'Paris' } }],
    ['prompts/get', { name: 'book', arguments: { to: 'Paris' } }, { name: 'b__book', arguments: { to: 'Paris' } }],
    ['resources/read', { uri: 'trip://one' }, { uri: 'trip://one' }],
  ]
  for (const [method, single, aggregated] of kinds) {
    for (const endpoint of ['one', 'all'] as const) {
      it(`${method} over three rounds on the ${endpoint === 'one' ? "backend's" : 'aggregated'} endpoint`, async () => {
        const backend = await startBackend(serve(offer(asking(['state one', '{"v":2}']))))
        const running = await startGateway({ b: backend })
        const url = endpoint === 'one' ? running.one() : running.all
        const params = endpoint === 'one' ? single : aggregated
        const first = await resultOf(await call(url, method, params, { capabilities }))
        expect(first).toMatchObject({ resultType: 'input_required', inputRequests: { name: elicit } })
        expect(first.requestState?.split('.')).toHaveLength(5)
        expect(JSON.parse(Buffer.from(first.requestState?.split('.')[0] ?? '', 'base64url').toString())).toMatchObject({
          alg: 'dir',
          enc: 'A256GCM',
          kid: 'test',
        })
        const second = await resultOf(
          await call(url, method, params, { capabilities, inputResponses: answers, requestState: first.requestState }),
        )
        expect(second.resultType).toBe('input_required')
        expect(second.requestState).not.toBe(first.requestState)
        const third = await resultOf(
          await call(url, method, params, { capabilities, inputResponses: answers, requestState: second.requestState }),
        )
        expect(third.resultType).toBe('complete')
        const sent = backend.of(method)
        expect(sent.map((request) => request.params.requestState)).toEqual([undefined, 'state one', '{"v":2}'])
        expect(sent[1]?.params.inputResponses).toEqual(answers)
        expect(new Set(sent.map((request) => request.id)).size).toBe(3)
        const rounds = running.tap.of('call.routed').filter((event) => event.backend === 'b')
        expect(rounds.map((event) => event.round)).toEqual([1, 2, 3])
        expect(new Set(rounds.map((event) => event.operation)).size).toBe(1)
        expect(running.tap.of('state.sealed').map((event) => event.sealed.inner)).toEqual(['state one', '{"v":2}'])
        expect(running.tap.of('state.opened')).toHaveLength(2)
      })
    }
  }

  it('no inner state stays no inner state, and an empty one stays empty', async () => {
    for (const state of [undefined, '']) {
      const backend = await startBackend(serve(offer(asking([state]))))
      const { one } = await startGateway({ b: backend })
      const params = { name: 'book', arguments: {} }
      const first = await resultOf(await call(one(), 'tools/call', params, { capabilities }))
      expect(first.requestState).toBeTypeOf('string')
      await call(one(), 'tools/call', params, {
        capabilities,
        inputResponses: answers,
        requestState: first.requestState,
      })
      const retried = backend.of('tools/call')[1]?.params ?? {}
      if (state === undefined) expect('requestState' in retried).toBe(false)
      else expect(retried.requestState).toBe('')
    }
  })

  it('a state-only result (load shedding) and several input requests at once pass', async () => {
    const inputRequests = {
      a: elicit,
      b: { method: 'roots/list' },
      c: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1.0 } },
    }
    const backend = await startBackend(
      serve(
        offer((request, reply) =>
          request.name === 'other'
            ? reply.result({ resultType: 'input_required', requestState: 'later' })
            : reply.result({ resultType: 'input_required', inputRequests }),
        ),
      ),
    )
    const { one } = await startGateway({ b: backend })
    const shed = await resultOf(await call(one(), 'tools/call', { name: 'other', arguments: {} }))
    expect(shed.inputRequests).toBeUndefined()
    expect(shed.requestState?.split('.')).toHaveLength(5)
    const several = await resultOf(
      await call(
        one(),
        'tools/call',
        { name: 'book', arguments: {} },
        { capabilities: { elicitation: {}, roots: {}, sampling: {} } },
      ),
    )
    expect(several.inputRequests).toEqual(inputRequests)
  })

  it('input_required comes as the last frame after progress', async () => {
    const backend = await startBackend(
      serve(
        offer((request, reply) => {
          const stream = reply.sse()
          stream.event({
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken: 'p', progress: 1 },
          })
          stream.event({
            jsonrpc: '2.0',
            id: request.id,
            result: { resultType: 'input_required', inputRequests: { name: elicit }, requestState: 's' },
          })
          stream.end()
        }),
      ),
    )
    const { one } = await startGateway({ b: backend })
    const answer = await call(
      one(),
      'tools/call',
      { name: 'book', arguments: {} },
      { capabilities, progressToken: 'p' },
    )
    const received = await answer.messages()
    expect(received).toHaveLength(2)
    expect(received[1]).toMatchObject({ result: { resultType: 'input_required', inputRequests: { name: elicit } } })
    expect((received[1]?.result as Result).requestState).not.toBe('s')
  })

  it('declares upstream what this client declared, and no more', async () => {
    const backend = await startBackend(serve(offer(asking([]))))
    const { one, all } = await startGateway({ b: backend })
    for (const declared of [
      {},
      { roots: {} },
      { elicitation: { url: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } },
    ] satisfies JsonObject[]) {
      await call(one(), 'tools/call', { name: 'book', arguments: {} }, { capabilities: declared })
      await call(all, 'tools/call', { name: 'b__book', arguments: {} }, { capabilities: declared })
      for (const request of backend.of('tools/call').slice(-2)) {
        expect((request.params._meta as JsonObject)['io.modelcontextprotocol/clientCapabilities']).toEqual(declared)
      }
    }
  })

  it('results of a retried resources/read leave with ttlMs 0, others keep theirs', async () => {
    const backend = await startBackend(
      serve(
        offer((request, reply) =>
          request.params.inputResponses === undefined &&
          request.params.requestState === undefined &&
          request.params.name !== undefined
            ? reply.result(text('x'))
            : request.params.inputResponses === undefined
              ? reply.result({ resultType: 'input_required', inputRequests: { name: elicit } })
              : reply.result({ contents: [], ttlMs: 60_000, cacheScope: 'private' }),
        ),
      ),
    )
    const { one } = await startGateway({ b: backend })
    const first = await resultOf(await call(one(), 'resources/read', { uri: 'trip://one' }, { capabilities }))
    const second = await resultOf(
      await call(
        one(),
        'resources/read',
        { uri: 'trip://one' },
        { capabilities, inputResponses: answers, requestState: first.requestState },
      ),
    )
    expect(second.ttlMs).toBe(0)
    expect(second.cacheScope).toBe('private')
  })

  it('goes to the backend named in the state: two backends with the same tool name', async () => {
    const red = await startBackend(serve(offer(asking(['red state']))))
    const blue = await startBackend(serve(offer(asking(['blue state']))))
    const { all } = await startGateway({ red, blue })
    const states: Record<string, string | undefined> = {}
    for (const name of ['red', 'blue']) {
      states[name] = (
        await resultOf(await call(all, 'tools/call', { name: `${name}__book`, arguments: {} }, { capabilities }))
      ).requestState
    }
    for (const [name, backend] of [
      ['blue', blue],
      ['red', red],
    ] as const) {
      const options = { capabilities, inputResponses: answers, requestState: states[name] }
      expect(
        (await resultOf(await call(all, 'tools/call', { name: `${name}__book`, arguments: {} }, options))).resultType,
      ).toBe('complete')
      expect(backend.of('tools/call').at(-1)?.params.requestState).toBe(`${name} state`)
    }
    const crossed = await call(
      all,
      'tools/call',
      { name: 'red__book', arguments: {} },
      { capabilities, inputResponses: answers, requestState: states.blue },
    )
    expect(await crossed.json()).toMatchObject({ error: { code: -32602, data: { reason: 'request_mismatch' } } })
  })
})

describe('what binds a state', () => {
  const params = { name: 'book', arguments: { to: 'Paris', days: 3 } }
  const authorized = { headers: { authorization: 'Bearer one' } }

  async function opened(options: ModernOptions = {}, settings: Record<string, unknown> = {}) {
    const backend = await startBackend(serve(offer(asking(['inner']))))
    const running = await startGateway({ b: backend, c: backend }, settings)
    const first = await resultOf(await call(running.one('b'), 'tools/call', params, { capabilities, ...options }))
    const requestState = first.requestState ?? ''
    const retry = async (
      change: { url?: string; method?: string; params?: JsonObject; options?: ModernOptions; state?: string } = {},
    ) => {
      const answer = await call(
        change.url ?? running.one('b'),
        change.method ?? 'tools/call',
        change.params ?? params,
        {
          capabilities,
          ...options,
          inputResponses: answers,
          requestState: change.state ?? requestState,
          ...change.options,
        },
      )
      return { status: answer.status, body: await answer.json() }
    }
    return { backend, running, requestState, retry }
  }

  const flip = (token: string, part: number): string => {
    const parts = token.split('.')
    const text = parts[part] ?? ''
    parts[part] = (text.startsWith('A') ? 'B' : 'A') + text.slice(1)
    return parts.join('.')
  }
  const refusals: [
    name: string,
    reason: string,
    change: (state: string) => Parameters<Awaited<ReturnType<typeof opened>>['retry']>[0],
  ][] = [
    ['no token at all', 'malformed', () => ({ state: 'hello' })],
    ['an empty text', 'malformed', () => ({ state: '' })],
    ['a token of four parts', 'malformed', (state) => ({ state: state.split('.').slice(0, 4).join('.') })],
    [
      'another algorithm',
      'malformed',
      (state) => ({
        state: [
          Buffer.from('{"alg":"none","enc":"A256GCM","kid":"test"}').toString('base64url'),
          ...state.split('.').slice(1),
        ].join('.'),
      }),
    ],
    [
      'a key nobody has',
      'unknown_key',
      (state) => ({
        state: [
          Buffer.from('{"alg":"dir","enc":"A256GCM","kid":"other"}').toString('base64url'),
          ...state.split('.').slice(1),
        ].join('.'),
      }),
    ],
    ['a changed nonce', 'unauthentic', (state) => ({ state: flip(state, 2) })],
    ['a changed text', 'unauthentic', (state) => ({ state: flip(state, 3) })],
    ['a changed tag', 'unauthentic', (state) => ({ state: flip(state, 4) })],
    ['another tool', 'request_mismatch', () => ({ params: { ...params, name: 'other' } })],
    ['other arguments', 'request_mismatch', () => ({ params: { ...params, arguments: { to: 'Rome', days: 3 } } })],
    ['another method', 'request_mismatch', () => ({ method: 'prompts/get' })],
    ['an added member of params', 'request_mismatch', () => ({ params: { ...params, more: 1 } })],
    ['an Authorization that was not there', 'caller_mismatch', () => ({ options: authorized })],
  ]
  for (const [name, reason, change] of refusals) {
    it(`${name}: ${reason}, and no backend sees it`, async () => {
      const { backend, retry, requestState, running } = await opened()
      const before = backend.requests.length
      const { status, body } = await retry(change(requestState))
      expect(status).toBe(400)
      expect(body).toMatchObject({ error: { code: -32602, data: { reason } } })
      expect(body.id).toBeDefined()
      expect(
        backend.requests
          .slice(before)
          .filter((request) => request.method === 'tools/call' || request.method === 'prompts/get'),
      ).toEqual([])
      expect(running.tap.of('state.refused')).toMatchObject([{ reason }])
    })
  }

  it('another endpoint is another request', async () => {
    const { retry, running } = await opened()
    for (const url of [running.one('c'), running.all]) {
      const { status, body } = await retry({
        url,
        params: url === running.all ? { ...params, name: 'b__book' } : params,
      })
      expect(status).toBe(400)
      expect(body).toMatchObject({ error: { data: { reason: 'request_mismatch' } } })
    }
  })

  it('another caller, or none, is refused; the same one goes on', async () => {
    const { retry } = await opened(authorized)
    expect((await retry({ options: { headers: { authorization: 'Bearer two' } } })).body).toMatchObject({
      error: { data: { reason: 'caller_mismatch' } },
    })
    expect((await retry({ options: { headers: {} } })).body).toMatchObject({
      error: { data: { reason: 'caller_mismatch' } },
    })
    expect((await retry()).body).toMatchObject({ result: { resultType: 'complete' } })
  })

  it('order of arguments, _meta, id and token may differ; the digest is canonical', async () => {
    const { retry } = await opened()
    const { body } = await retry({
      params: { arguments: { days: 3, to: 'Paris' }, name: 'book' },
      options: { id: 'new', progressToken: 'new', meta: { 'vendor.example/x': 1 } },
    })
    expect(body).toMatchObject({ id: 'new', result: { resultType: 'complete' } })
  })

  it('an expired state is refused, one before its end is not', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 1) })
    try {
      const { retry } = await opened({}, { requestStateTtlSeconds: 60 })
      vi.setSystemTime(Date.UTC(2026, 10, 1, 0, 0, 59))
      expect((await retry()).status).toBe(200)
      vi.setSystemTime(Date.UTC(2026, 10, 1, 0, 1, 0))
      expect(await retry()).toMatchObject({
        status: 400,
        body: { error: { code: -32602, data: { reason: 'expired' } } },
      })
    } finally {
      vi.useRealTimers()
    }
  })

  it('a backend that is gone from the configuration: backend_gone', async () => {
    const { running, retry, backend } = await opened()
    const viaAll = await resultOf(
      await call(running.all, 'tools/call', { ...params, name: 'b__book' }, { capabilities }),
    )
    running.gateway.apply(configuration({ c: backend }, { port: running.port }))
    const { status, body } = await retry({
      url: running.all,
      params: { ...params, name: 'b__book' },
      state: viaAll.requestState ?? '',
    })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: { code: -32602, data: { reason: 'backend_gone' } } },
    })
  })
})
