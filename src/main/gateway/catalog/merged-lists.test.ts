import { describe, expect, it } from 'vitest'
import { bench, failed, listOf, namesIn, tool, tools, type Reply } from '../../../../test/catalog/fake-backends'
import type { JsonObject } from '../../../shared/protocol/json-rpc'
import { CatalogError } from './contract'

const META = 'io.modelcontextprotocol/serverInfo'

describe('a merged list', () => {
  it('has all entries in configured order, asks side by side, and says who made it', async () => {
    const { catalog, ask, questions } = bench({ b: { replies: tools('z', 'a') }, a: { replies: tools('m') } })
    const merged = await catalog.list('tools', undefined, ask)
    expect(merged).toMatchObject({ asked: ['b', 'a'], missing: [] })
    expect(JSON.parse(merged.resultText)).toEqual({
      tools: [tool('b__z'), tool('b__a'), tool('a__m')],
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [META]: { name: 'sluice', version: '1.2.3' } },
    })
    expect(questions).toEqual(['b tools/list', 'a tools/list'])
  })

  it('passes entries byte for byte, but for the name', async () => {
    const entry =
      '{ "x":1.0, "name" : "wrong", "inputSchema":{"type":"object","big":12345678901234567890,"dup":1,"dup":2},"name":"f\\u0069nd" ,"icons":[{"src":"data:,"}]}'
    const text = `{"resultType":"complete", "tools": [ ${entry} , {"name":"b","inputSchema":{"type":"object"}}], "ttlMs":0,"cacheScope":"public"}`
    const { catalog, ask } = bench({ one: { replies: { 'tools/list': () => text } } })
    const { resultText } = await catalog.list('tools', undefined, ask)
    expect(resultText).toContain(`"tools":[${entry.replace('"f\\u0069nd"', '"one__find"')},{"name":"one__b",`)
    const bare = bench({ one: { replies: { 'tools/list': () => text } } }, { policy: 'priority' })
    expect((await bare.catalog.list('tools', undefined, bare.ask)).resultText).toContain(`"tools":[${entry},{`)
  })

  it('follows the pages of a backend, an empty cursor included', async () => {
    const pages: Record<string, JsonObject> = {
      undefined: listOf('tools', [tool('one')], { nextCursor: '' }),
      '': listOf('tools', [tool('two')], { nextCursor: 'x' }),
      x: listOf('tools', [tool('three')]),
    }
    const { list, questions } = bench({
      a: { replies: { 'tools/list': ({ cursor }) => pages[String(cursor)] ?? '{}' } },
    })
    expect(namesIn(await list('tools'))).toEqual(['a__one', 'a__two', 'a__three'])
    expect(questions).toEqual(['a tools/list', 'a tools/list ""', 'a tools/list "x"'])
  })

  it('a backend without the method has an empty list, and lacks nothing', async () => {
    const { list } = bench({
      a: { replies: {} },
      b: { replies: { 'prompts/list': () => listOf('prompts', [{ name: 'p' }], { ttlMs: 9, cacheScope: 'public' }) } },
    })
    const merged = await list('prompts')
    expect(namesIn(merged, 'prompts')).toEqual(['b__p'])
    expect(merged).toMatchObject({ ttlMs: 9, cacheScope: 'public' })
    expect(merged._meta).toEqual({ [META]: expect.anything() })
  })

  it.each<[JsonObject, JsonObject, JsonObject]>([
    [
      { ttlMs: 10, cacheScope: 'public' },
      { ttlMs: 5, cacheScope: 'public' },
      { ttlMs: 5, cacheScope: 'public' },
    ],
    [
      { ttlMs: 10, cacheScope: 'public' },
      { ttlMs: 50, cacheScope: 'private' },
      { ttlMs: 10, cacheScope: 'private' },
    ],
    [
      { ttlMs: 10, cacheScope: 'public' },
      { ttlMs: -1, cacheScope: 'public' },
      { ttlMs: 0, cacheScope: 'public' },
    ],
    [
      { ttlMs: 10, cacheScope: 'public' },
      { ttlMs: 'x', cacheScope: 5 },
      { ttlMs: 0, cacheScope: 'private' },
    ],
    [
      { ttlMs: 1e300, cacheScope: 'public' },
      { ttlMs: 1.9e9, cacheScope: 'public' },
      { ttlMs: 86_400_000, cacheScope: 'public' },
    ],
  ])('cache hints %j and %j give %j', async (one, other, expected) => {
    const { list } = bench({
      a: { replies: { 'tools/list': () => listOf('tools', [], one) } },
      b: { replies: { 'tools/list': () => listOf('tools', [], other) } },
    })
    expect(await list('tools')).toMatchObject(expected)
  })

  it('absent hints mean private and stale', async () => {
    const { list } = bench({ a: { replies: { 'tools/list': () => '{"tools":[]}' } } })
    expect(await list('tools')).toMatchObject({ ttlMs: 0, cacheScope: 'private' })
  })

  it('drops what no client could take, with the reason', async () => {
    const bad = tool('bad', {
      inputSchema: { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'A' } } },
    })
    const { list, catalog } = bench({
      a: { replies: { 'tools/list': () => listOf('tools', [bad, { name: 'worse' }, tool('good')]) } },
    })
    const merged = await list('tools')
    expect(namesIn(merged)).toEqual(['a__good'])
    expect(merged._meta).not.toHaveProperty(['dev.sluice/missing'])
    expect(catalog.entries('a').entries).toMatchObject([
      { name: 'bad', exposedAs: null, excluded: expect.stringContaining('x-mcp-header') },
      { name: 'worse', exposedAs: null, excluded: expect.stringContaining('inputSchema') },
      { name: 'good', exposedAs: 'a__good' },
    ])
  })
})

describe('a backend that fails', () => {
  const unnamed = listOf('tools', [tool('good'), { title: 'no name' }, { name: 5 }])
  const nested = `{"tools":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  it.each<[string, Reply, string, string[]]>([
    ['is down', failed('"bad" refused the connection'), '"bad" refused the connection', []],
    ['answers no object', '5', 'the result is no object', []],
    ['answers an array', '[]', 'the result is no object', []],
    ['answers entries that are no array', '{"tools":{}}', '"tools" is no array', []],
    ['answers without entries', '{}', '"tools" is no array', []],
    ['asks for input', '{"resultType":"input_required","tools":[]}', 'resultType "input_required"', []],
    ['answers 10 MB of junk', `{"junk":"${'x'.repeat(10_000_000)}"}`, '"tools" is no array', []],
    [
      'answers more than the bound',
      `{"tools":[],"junk":"${'x'.repeat(34_000_000)}"}`,
      'more than 33554432 characters',
      [],
    ],
    ['answers a deep nest', nested, '1 of 1 entries without "name"', []],
    ['answers entries without names', unnamed, '2 of 3 entries without "name"', ['bad__good']],
    [
      'sends its pages in a circle',
      listOf('tools', [tool('x')], { nextCursor: 'c' }),
      'in a circle',
      ['bad__x', 'bad__x'],
    ],
  ])('%s: loses its own entries only, and is named', async (_, reply, reason) => {
    const { catalog, ask } = bench({
      bad: { replies: { 'tools/list': () => reply } },
      good: { replies: { 'tools/list': () => listOf('tools', [tool('t')], { ttlMs: 100, cacheScope: 'public' }) } },
    })
    const merged = await catalog.list('tools', undefined, ask)
    const result = JSON.parse(merged.resultText) as JsonObject
    expect(namesIn(result)).toContain('good__t')
    expect(result.ttlMs).toBe(0)
    expect(merged.missing).toEqual([{ backend: 'bad', reason: expect.stringContaining(reason) }])
    expect((result._meta as JsonObject)['dev.sluice/missing']).toEqual(merged.missing)
  })

  it('is slow: it is left after its time, its question is cancelled, what came before is offered', async () => {
    const { catalog, ask, signals } = bench(
      {
        slow: {
          replies: {
            'tools/list': ({ cursor }) =>
              cursor === undefined ? listOf('tools', [tool('first')], { nextCursor: 'more' }) : 'silence',
          },
        },
        quick: { replies: tools('t') },
      },
      { listTimeoutMs: 20 },
    )
    const merged = await catalog.list('tools', undefined, ask)
    expect(namesIn(JSON.parse(merged.resultText) as JsonObject)).toEqual(['slow__first', 'quick__t'])
    expect(merged.missing).toEqual([{ backend: 'slow', reason: 'did not answer tools/list within 20 ms' }])
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false, true])
  })

  it('has too many pages or too many entries: it is cut, and named', async () => {
    let page = 0
    const endless = bench({
      a: { replies: { 'tools/list': () => listOf('tools', [tool(`t${page}`)], { nextCursor: `c${++page}` }) } },
    })
    expect(namesIn(await endless.list('tools'))).toHaveLength(100)
    expect(endless.questions).toHaveLength(100)
    const many = bench({ a: { replies: tools(...Array.from({ length: 20_001 }, (_, index) => `t${index}`)) } })
    const merged = await many.catalog.list('tools', undefined, many.ask)
    expect(many.catalog.counts('a').tools).toBe(20_000)
    expect(merged.missing).toHaveLength(1)
  })

  it('keeps its claim on names while it is away', async () => {
    let isUp = true
    const { list } = bench(
      {
        a: { replies: { 'tools/list': () => (isUp ? listOf('tools', [tool('x')]) : failed('down')) } },
        b: { replies: tools('x', 'y') },
      },
      { policy: 'on-conflict' },
    )
    expect(namesIn(await list('tools'))).toEqual(['a__x', 'b__x', 'y'])
    isUp = false
    expect(namesIn(await list('tools'))).toEqual(['b__x', 'y'])
  })

  it('bears hostile names', async () => {
    const hostile = ['', 'x'.repeat(10_000), '"\\\u0000\n', '__proto__', '\ud800']
    const { list } = bench({ a: { replies: tools(...hostile) } })
    expect(namesIn(await list('tools'))).toEqual(hostile.map((name) => `a__${name}`))
  })
})

describe('pages of the merged list', () => {
  const numbered = (count: number, letter: string): string[] =>
    Array.from({ length: count }, (_, index) => `${letter}${index}`)

  it('have 1000 entries and lead to all of them', async () => {
    const { list } = bench({
      a: { replies: tools(...numbered(700, 'a')) },
      b: { replies: tools(...numbered(1_400, 'b')) },
    })
    const sizes: number[] = []
    const all: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await list('tools', cursor)
      sizes.push(namesIn(page).length)
      all.push(...namesIn(page))
      cursor = page.nextCursor as string | undefined
    } while (cursor !== undefined)
    expect(sizes).toEqual([1_000, 1_000, 100])
    expect(new Set(all).size).toBe(2_100)
  })

  it('bear backends that come and go between two pages', async () => {
    let isUp = true
    const { list } = bench({
      a: {
        replies: {
          'tools/list': () =>
            isUp
              ? listOf(
                  'tools',
                  numbered(500, 'a').map((name) => tool(name)),
                )
              : failed('down'),
        },
      },
      b: { replies: tools(...numbered(1_000, 'b')) },
    })
    const first = await list('tools')
    isUp = false
    const second = await list('tools', first.nextCursor as string)
    expect(namesIn(second)[0]).toBe('b__b500')
    expect(namesIn(second)).toHaveLength(500)
  })

  it('go on at the same place when the entry that the cursor marks is gone', async () => {
    const names = numbered(1_200, 'a')
    const { list } = bench({
      a: {
        replies: {
          'tools/list': () =>
            listOf(
              'tools',
              names.map((name) => tool(name)),
            ),
        },
      },
    })
    const first = await list('tools')
    names.splice(999, 1)
    expect(namesIn(await list('tools', first.nextCursor as string))[0]).toBe('a__a1000')
  })

  it('refuse a cursor of a backend that is gone, and one that was made up', async () => {
    const { list, catalog, ask, backends } = bench({
      a: { replies: tools(...numbered(1_001, 'a')) },
      b: { replies: tools() },
    })
    const { nextCursor } = await list('tools')
    await expect(catalog.list('prompts', nextCursor, ask)).rejects.toThrow(CatalogError)
    await expect(catalog.list('tools', 'made up', ask)).rejects.toMatchObject({ code: -32602 })
    catalog.configure({ names: { policy: 'prefix' }, listTimeoutMs: 100 }, backends.slice(1))
    await expect(catalog.list('tools', nextCursor, ask)).rejects.toMatchObject({ code: -32602 })
  })
})

describe('a list that may be kept', () => {
  const kept = (more: JsonObject): { 'tools/list': () => JsonObject } => ({
    'tools/list': () => listOf('tools', [tool('t')], more),
  })

  it('is not asked for again while it is fresh and public; its age is taken off', async () => {
    const { list, questions, clock } = bench({ a: { replies: kept({ ttlMs: 100, cacheScope: 'public' }) } })
    await list('tools')
    clock.now = 60
    expect(await list('tools')).toMatchObject({ tools: [tool('a__t')], ttlMs: 40, cacheScope: 'public' })
    expect(questions).toHaveLength(1)
    clock.now = 100
    expect(await list('tools')).toMatchObject({ ttlMs: 100 })
    expect(questions).toHaveLength(2)
  })

  it('is asked for again when it is private', async () => {
    const { list, questions } = bench({ a: { replies: kept({ ttlMs: 100, cacheScope: 'private' }) } })
    await list('tools')
    await list('tools')
    expect(questions).toHaveLength(2)
  })

  it('is asked for again after a change was announced, and for a new backend of the same name', async () => {
    const { list, questions, catalog, backends } = bench({ a: { replies: kept({ ttlMs: 100, cacheScope: 'public' }) } })
    await list('tools')
    catalog.expire('a', 'prompts')
    await list('tools')
    expect(questions).toHaveLength(1)
    catalog.expire('a', 'tools')
    await list('tools')
    expect(questions).toHaveLength(2)
    catalog.configure({ names: { policy: 'prefix' }, listTimeoutMs: 100 }, backends)
    await list('tools')
    expect(questions).toHaveLength(2)
    catalog.configure(
      { names: { policy: 'prefix' }, listTimeoutMs: 100 },
      backends.map(({ backend, config }) => ({ backend: { ...backend }, config })),
    )
    await list('tools')
    expect(questions).toHaveLength(3)
  })
})

describe('learn', () => {
  it('asks for all lists, and shows what is wrong with them', async () => {
    const { catalog, ask, backends, questions } = bench({
      a: {
        replies: {
          ...tools('t', 'u'),
          'prompts/list': () => failed('no prompts today'),
          'resources/list': () => listOf('resources', [{ uri: 'r://1', name: 'one', title: 'One' }]),
        },
      },
    })
    const [a] = backends
    if (a !== undefined) await catalog.learn(a.backend, ask)
    expect(questions.sort()).toEqual([
      'a prompts/list',
      'a resources/list',
      'a resources/templates/list',
      'a tools/list',
    ])
    expect(catalog.counts('a')).toEqual({ tools: 2, prompts: 0, resources: 1, resourceTemplates: 0 })
    expect(catalog.entries('a')).toEqual({
      entries: [
        { kind: 'tool', name: 't', exposedAs: 'a__t' },
        { kind: 'tool', name: 'u', exposedAs: 'a__u' },
        { kind: 'resource', name: 'r://1', exposedAs: 'r://1', title: 'One' },
      ],
      problems: ['no prompts today'],
    })
    expect(catalog.entries('nobody')).toEqual({ entries: [], problems: [] })
    expect(catalog.counts('nobody')).toEqual({ tools: 0, prompts: 0, resources: 0, resourceTemplates: 0 })
  })
})
