import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { call, type ModernOptions } from '../peers/raw-client'
import { serve, text, type Offer } from '../peers/scripted-server'
import type { StubHandler } from '../peers/stub-backend'
import { startBackend, startGateway } from './running-gateway'

const answering =
  (who: string): StubHandler =>
  (request, reply) =>
    reply.result({ ...text(`${who}: ${request.name}`), contents: [], messages: [] })

const offer = (who: string, more: Partial<Offer> = {}): Offer => ({
  tools: { find: { call: answering(who) }, [`only_${who}`]: { call: answering(who) } },
  prompts: { greet: { get: answering(who) } },
  resources: {
    'shared://one': { read: answering(who), descriptor: { name: who } },
    [`${who}://own`]: { read: answering(who) },
  },
  templates: [{ uriTemplate: `${who}://{id}/data`, name: `${who} template` }],
  ttlMs: 1_000,
  cacheScope: 'public',
  ...more,
})
const result = async (
  url: string,
  method: string,
  params: JsonObject = {},
  options: ModernOptions = {},
): Promise<JsonObject> => {
  const answer = await (await call(url, method, params, options)).json()
  expect(answer.error).toBeUndefined()
  return answer.result as JsonObject
}
const names = (list: unknown, key = 'name'): unknown[] => (list as JsonObject[]).map((entry) => entry[key])

describe('lists of several backends', () => {
  it('are merged with prefixes on /mcp and unchanged on /mcp/<backend>, in a fixed order', async () => {
    const red = await startBackend(serve(offer('red')))
    const blue = await startBackend(serve(offer('blue')))
    const { all, one } = await startGateway({ red, blue })
    const expected = ['red__find', 'red__only_red', 'blue__find', 'blue__only_blue']
    const found = names((await result(all, 'tools/list')).tools)
    expect([...found].sort()).toEqual([...expected].sort())
    for (let again = 0; again < 3; again += 1) expect(names((await result(all, 'tools/list')).tools)).toEqual(found)
    expect(names((await result(all, 'prompts/list')).prompts)).toEqual(
      expect.arrayContaining(['red__greet', 'blue__greet']),
    )
    expect(names((await result(one('red'), 'tools/list')).tools)).toEqual(['find', 'only_red'])
    const resources = names((await result(all, 'resources/list')).resources, 'uri')
    expect([...resources].sort()).toEqual(['blue://own', 'red://own', 'shared://one'])
    expect(names((await result(all, 'resources/templates/list')).resourceTemplates, 'uriTemplate')).toEqual(
      expect.arrayContaining(['red://{id}/data', 'blue://{id}/data']),
    )
  })

  it('pass descriptors whole, with the spelling of the backend', async () => {
    const descriptor =
      '{"name":"find","title":"Find","icons":[{"src":"data:,","sizes":["any"]}],"annotations":{"readOnlyHint":true},"_meta":{"vendor.example/x":1.0},"inputSchema":{"type":"object","properties":{"n":{"type":"number","default":1.0,"maximum":12345678901234567890}}},"outputSchema":{"type":"array"},"future":[null]}'
    const red = await startBackend(
      serve({
        methods: {
          'tools/list': (request, reply) =>
            reply.json(
              200,
              `{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"result":{"resultType":"complete","tools":[${descriptor}],"ttlMs":5,"cacheScope":"private"}}`,
            ),
        },
      }),
    )
    const { all } = await startGateway({ red })
    expect(await (await call(all, 'tools/list')).text()).toContain(
      descriptor.replace('"name":"find"', '"name":"red__find"'),
    )
  })

  it('carry the smallest ttlMs, and private wins', async () => {
    const red = await startBackend(serve(offer('red', { ttlMs: 60_000, cacheScope: 'public' })))
    const blue = await startBackend(serve(offer('blue', { ttlMs: 5_000, cacheScope: 'private' })))
    const { all } = await startGateway({ red, blue })
    const { ttlMs, cacheScope, resultType } = await result(all, 'tools/list')
    expect(ttlMs).toBeLessThanOrEqual(5_000)
    expect(ttlMs).toBeGreaterThan(0)
    expect({ cacheScope, resultType }).toEqual({ cacheScope: 'private', resultType: 'complete' })
  })

  it('follow the pages of the backends, and are paged by opaque cursors that are checked', async () => {
    const pages = (request: Parameters<StubHandler>[0], reply: Parameters<StubHandler>[1]): void => {
      const at = request.params.cursor === undefined ? 0 : request.params.cursor === '' ? 1 : 2
      const nextCursor = ['', 'last', undefined][at]
      reply.result({
        tools: [{ name: `page${at}`, inputSchema: { type: 'object' } }],
        ...(nextCursor === undefined ? {} : { nextCursor }),
        ttlMs: 0,
        cacheScope: 'public',
      })
    }
    const red = await startBackend(serve({ methods: { 'tools/list': pages } }))
    const blue = await startBackend(serve(offer('blue')))
    const { all } = await startGateway({ red, blue })
    const found: unknown[] = []
    let cursor: unknown
    for (let page = 0; page < 20; page += 1) {
      const list = await result(all, 'tools/list', cursor === undefined ? {} : { cursor: cursor as string })
      found.push(...names(list.tools))
      cursor = list.nextCursor
      if (cursor === undefined) break
    }
    expect([...found].sort()).toEqual(['blue__find', 'blue__only_blue', 'red__page0', 'red__page1', 'red__page2'])
    const bad = await (await call(all, 'tools/list', { cursor: 'made up' })).json()
    expect(bad).toMatchObject({ error: { code: -32602 } })
  })

  it('a backend with a cursor that never ends degrades itself only', async () => {
    const loop: StubHandler = (_, reply) =>
      reply.result({
        tools: [{ name: 'again', inputSchema: { type: 'object' } }],
        nextCursor: 'same',
        ttlMs: 0,
        cacheScope: 'public',
      })
    const red = await startBackend(serve({ methods: { 'tools/list': loop } }))
    const blue = await startBackend(serve(offer('blue')))
    const { all } = await startGateway({ red, blue })
    const started = performance.now()
    const list = await result(all, 'tools/list')
    expect(names(list.tools)).toEqual(expect.arrayContaining(['blue__find', 'blue__only_blue']))
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(red.of('tools/list').length).toBeLessThan(1_000)
  })

  const broken: [name: string, list: StubHandler][] = [
    ['a 500 page', (_, reply) => reply.page(500, 'text/html', 'oops')],
    ['a reset', (_, reply) => reply.reset()],
    ['an error', (_, reply) => reply.error(200, { code: -32603, message: 'no list today' })],
    ['tools of a text', (_, reply) => reply.result({ tools: 'many', ttlMs: 0, cacheScope: 'public' })],
    ['no tools member', (_, reply) => reply.result({ ttlMs: 0, cacheScope: 'public' })],
    ['silence', () => undefined],
  ]
  for (const [name, list] of broken) {
    it(`a backend that answers ${name} loses its own entries only, and the list is not to be kept`, async () => {
      const red = await startBackend(serve({ ...offer('red'), methods: { 'tools/list': list } }))
      const blue = await startBackend(serve(offer('blue')))
      const { all, gateway } = await startGateway({ red, blue }, { listTimeoutMs: 200 })
      const merged = await result(all, 'tools/list')
      expect(names(merged.tools)).toEqual(['blue__find', 'blue__only_blue'])
      expect(merged.ttlMs).toBe(0)
      expect(names((await result(all, 'prompts/list')).prompts)).toEqual(
        expect.arrayContaining(['red__greet', 'blue__greet']),
      )
      expect((await gateway.catalog('red')).problems.join()).not.toBe('')
    })
  }

  it('entries that are no descriptors are left out, the others stay', async () => {
    const list: StubHandler = (_, reply) =>
      reply.result({
        tools: [
          null,
          5,
          { title: 'no name' },
          { name: '' },
          { name: 'good', inputSchema: { type: 'object' } },
          { name: 7 },
        ],
        ttlMs: 0,
        cacheScope: 'public',
      })
    const red = await startBackend(serve({ methods: { 'tools/list': list } }))
    const { all } = await startGateway({ red })
    expect(names((await result(all, 'tools/list')).tools)).toContain('red__good')
    expect(names((await result(all, 'tools/list')).tools)).not.toContain(undefined)
  })

  it('a backend that is down is named, and everything else works', async () => {
    const blue = await startBackend(serve(offer('blue')))
    const { all, one, gateway } = await startGateway({ dead: { url: 'http://127.0.0.1:1/mcp' }, blue })
    expect(names((await result(all, 'tools/list')).tools)).toEqual(['blue__find', 'blue__only_blue'])
    const refused = await (await call(all, 'tools/call', { name: 'dead__x', arguments: {} })).json()
    expect(JSON.stringify(refused.error)).toContain('dead')
    expect(await (await call(one('dead'), 'tools/list')).json()).toMatchObject({
      error: { code: -32603, data: { backend: 'dead' } },
    })
    await gateway.refresh('dead')
    expect(gateway.backends().map((backend) => [backend.name, backend.state.health])).toEqual([
      ['dead', 'down'],
      ['blue', 'ready'],
    ])
  })

  it('no backends at all are no error', async () => {
    const { all } = await startGateway({})
    expect((await result(all, 'tools/list')).tools).toEqual([])
    expect(await result(all, 'server/discover')).toMatchObject({ supportedVersions: ['2026-07-28'] })
  })
})

describe('routing', () => {
  it('calls, prompts, resources, templates and completions reach their backend under its own names', async () => {
    const complete: StubHandler = (request, reply) =>
      reply.result({ completion: { values: [JSON.stringify(request.params.ref)] } })
    const red = await startBackend(serve(offer('red', { methods: { 'completion/complete': complete } })))
    const blue = await startBackend(
      serve(offer('blue', { methods: { 'completion/complete': complete, 'resources/read': answering('blue') } })),
    )
    const { all } = await startGateway({ red, blue })
    expect(await result(all, 'tools/call', { name: 'blue__find', arguments: {} })).toMatchObject(text('blue: find'))
    expect(await result(all, 'tools/call', { name: 'red__find', arguments: {} })).toMatchObject(text('red: find'))
    await result(all, 'prompts/get', { name: 'red__greet' })
    expect(red.of('prompts/get')[0]?.name).toBe('greet')
    await result(all, 'resources/read', { uri: 'blue://own' })
    await result(all, 'resources/read', { uri: 'blue://42/data' })
    expect(blue.of('resources/read').map((request) => request.name)).toEqual(['blue://own', 'blue://42/data'])
    await result(all, 'resources/read', { uri: 'shared://one' })
    expect(red.of('resources/read').map((request) => request.name)).toEqual(['shared://one'])
    const completed = await result(all, 'completion/complete', {
      ref: { type: 'ref/prompt', name: 'blue__greet' },
      argument: { name: 'a', value: '' },
    })
    expect(completed.completion).toEqual({ values: ['{"type":"ref/prompt","name":"greet"}'] })
    await result(all, 'completion/complete', {
      ref: { type: 'ref/resource', uri: 'red://{id}/data' },
      argument: { name: 'id', value: '' },
    })
    expect(red.of('completion/complete')).toHaveLength(1)
  })

  const unknown: [method: string, params: JsonObject, data?: JsonObject][] = [
    ['tools/call', { name: 'red__nothing', arguments: {} }],
    ['tools/call', { name: 'nobody__find', arguments: {} }],
    ['tools/call', { name: 'find', arguments: {} }],
    ['tools/call', { name: '', arguments: {} }],
    ['prompts/get', { name: 'red__nothing' }],
    ['prompts/get', { name: '__proto__' }],
    ['resources/read', { uri: 'nothing://here' }, { uri: 'nothing://here' }],
    ['completion/complete', { ref: { type: 'ref/other' }, argument: { name: 'a', value: '' } }],
    ['completion/complete', {}],
  ]
  for (const [method, params, data] of unknown) {
    it(`${method} of ${JSON.stringify(params)} -> -32602`, async () => {
      const red = await startBackend(serve(offer('red')))
      const { all } = await startGateway({ red })
      const answer = await (await call(all, method, params, { id: 'u' })).json()
      expect(answer).toMatchObject({ id: 'u', error: { code: -32602, ...(data === undefined ? {} : { data }) } })
    })
  }

  it('a tool that came after the last list is found', async () => {
    const tools: NonNullable<Offer['tools']> = { find: { call: answering('red') } }
    const red = await startBackend(serve({ tools, ttlMs: 3_600_000 }))
    const { all } = await startGateway({ red })
    await result(all, 'tools/list')
    tools.late = { call: answering('red') }
    expect(await result(all, 'tools/call', { name: 'red__late', arguments: {} })).toMatchObject(text('red: late'))
  })

  it('discover is one server: the union of capabilities, its own name, no session', async () => {
    const red = await startBackend(serve(offer('red', { capabilities: { tools: { listChanged: true } } })))
    const blue = await startBackend(
      serve(offer('blue', { capabilities: { resources: { subscribe: true }, completions: {} } })),
    )
    const { all, one } = await startGateway({ red, blue })
    const discovered = await result(all, 'server/discover')
    expect(discovered).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, resources: {}, completions: {} },
    })
    expect(discovered.ttlMs).toBeTypeOf('number')
    expect(discovered.cacheScope).toMatch(/public|private/)
    expect(discovered._meta).toHaveProperty(['io.modelcontextprotocol/serverInfo'])
    expect((await result(one('red'), 'server/discover')).capabilities).toEqual({ tools: { listChanged: true } })
  })
})
