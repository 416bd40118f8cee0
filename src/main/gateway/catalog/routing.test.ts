import { describe, expect, it } from 'vitest'
import {
  bench,
  failed,
  listOf,
  resources,
  tool,
  tools,
  type Bench,
  type BenchOptions,
  type FakeBackend,
} from '../../../../test/catalog/fake-backends'
import type { JsonValue } from '../../../shared/protocol/json-rpc'
import type { Resolution } from './contract'

/** `backend/own`, or the error's code and message. */
const print = (resolution: Resolution): string =>
  'refused' in resolution
    ? `${resolution.refused.code} ${resolution.refused.message}`
    : `${resolution.backend.name}/${resolution.name}`
const resolveWith = async (
  { catalog, ask }: Bench,
  kind: 'tool' | 'prompt' | 'resource',
  name: string,
): Promise<string> => print(await catalog.resolve(kind, name, ask))

const learned = async (fakes: Record<string, FakeBackend>, options?: BenchOptions): Promise<Bench> => {
  const made = bench(fakes, options)
  for (const { backend } of made.backends) await made.catalog.learn(backend, made.ask)
  made.questions.length = 0
  return made
}

describe('under prefix', () => {
  const fakes = {
    a: { replies: {}, config: { exclude: ['secret*'], rename: { old: 'new' } } },
    'b.c-d_e': { replies: {}, config: { include: ['x', '_y'] } },
  }
  it.each([
    ['a__find', 'a/find'],
    ['a__b__c', 'a/b__c'],
    ['a____x', 'a/__x'],
    ['a__', 'a/'],
    ['a__new', 'a/old'],
    ['a__old', '-32602 Unknown tool: a__old'],
    ['a__secret_1', '-32602 Unknown tool: a__secret_1. The configuration of "a" filters it'],
    ['b.c-d_e__x', 'b.c-d_e/x'],
    ['b.c-d_e___y', 'b.c-d_e/_y'],
    ['b.c-d_e__z', '-32602 Unknown tool: b.c-d_e__z. The configuration of "b.c-d_e" filters it'],
    ['find', '-32602 Unknown tool: find'],
    ['nobody__find', '-32602 Unknown tool: nobody__find'],
    ['__find', '-32602 Unknown tool: __find'],
    ['', '-32602 Unknown tool: '],
    ['__proto__', '-32602 Unknown tool: __proto__'],
  ])('%s goes to %s at once, and nobody is asked', (name, expected) => {
    const { catalog, ask, questions } = bench(fakes)
    const resolution = catalog.resolve('tool', name, ask)
    expect(resolution).not.toBeInstanceOf(Promise)
    expect(print(resolution as Resolution)).toBe(expected)
    expect(questions).toEqual([])
  })

  it('clips a long name in the message', async () => {
    expect((await resolveWith(bench(fakes), 'prompt', 'x'.repeat(10_000))).length).toBeLessThan(300)
  })

  it('says what a tool is called here', async () => {
    const made = await learned({ a: { replies: tools('find') }, b: { replies: tools('find') } })
    expect(await resolveWith(made, 'tool', 'find')).toBe(
      '-32602 Unknown tool: find. Here it is called "a__find" or "b__find"',
    )
  })

  it('new names of tools do not change prompts', async () => {
    const made = await learned({
      a: {
        replies: { ...tools('t', 'x'), 'prompts/list': () => listOf('prompts', [{ name: 'new' }]) },
        config: { rename: { t: 'new' } },
      },
    })
    expect(await resolveWith(made, 'tool', 'a__new')).toBe('a/t')
    expect(await resolveWith(made, 'prompt', 'a__new')).toBe('a/new')
  })
})

describe('under the other policies', () => {
  const fakes = { a: { replies: tools('find', 'only_a') }, b: { replies: tools('find', 'only_b') } }
  it.each<[BenchOptions['policy'], string, string]>([
    ['on-conflict', 'only_b', 'b/only_b'],
    ['on-conflict', 'b__find', 'b/find'],
    ['on-conflict', 'find', '-32602 Unknown tool: find. Here it is called "a__find" or "b__find"'],
    ['priority', 'find', 'a/find'],
    ['priority', 'only_b', 'b/only_b'],
    ['priority', 'b__find', '-32602 Unknown tool: b__find'],
    ['manual', 'only_a', 'a/only_a'],
    ['manual', 'find', '-32602 Unknown tool: find. "a" does not offer it here: "find" is also offered by "b"'],
  ])('%s: %s goes to %s', async (policy, name, expected) => {
    const fresh = bench(fakes, { policy })
    expect(await resolveWith(fresh, 'tool', name)).toContain(expected)
    expect(fresh.questions).toEqual(['a tools/list', 'b tools/list'])
    const known = await learned(fakes, { policy })
    expect(await resolveWith(known, 'tool', name)).toContain(expected)
    expect(known.questions).toHaveLength(expected.startsWith('-') ? 2 : 0)
  })

  it('a tool that came after the last list is found', async () => {
    const names = ['old']
    const made = await learned(
      {
        a: {
          replies: {
            'tools/list': () =>
              listOf(
                'tools',
                names.map((name) => tool(name)),
              ),
          },
        },
      },
      { policy: 'priority' },
    )
    names.push('late')
    expect(await resolveWith(made, 'tool', 'late')).toBe('a/late')
  })

  it('an unknown name is refused with the backends that could not be asked', async () => {
    const { catalog, ask } = bench(
      { a: { replies: tools('x') }, b: { replies: { 'tools/list': () => failed('it is down') } } },
      { policy: 'priority' },
    )
    expect(await catalog.resolve('tool', 'y', ask)).toEqual({
      refused: {
        code: -32602,
        message: 'Unknown tool: y. Not known are the lists of "b" (it is down)',
        data: { missing: [{ backend: 'b', reason: 'it is down' }] },
      },
    })
  })

  it('a backend that went down keeps its names: the call goes to it', async () => {
    let isUp = true
    const made = await learned(
      {
        a: { replies: { 'tools/list': () => (isUp ? listOf('tools', [tool('x')]) : failed('down')) } },
        b: { replies: tools('x') },
      },
      { policy: 'priority' },
    )
    isUp = false
    await made.list('tools')
    expect(await resolveWith(made, 'tool', 'x')).toBe('a/x')
  })
})

describe('resources', () => {
  const fakes = {
    a: { replies: resources(['s://both', 'a://own'], ['a://{id}/data']) },
    b: {
      replies: resources(['s://both', 'b://own', 'a://9/data'], ['b://{+rest}', 's://{x}']),
      config: { exclude: ['b://secret*'] },
    },
  }
  it.each([
    ['s://both', 'a/s://both'],
    ['b://own', 'b/b://own'],
    ['a://7/data', 'a/a://7/data'],
    ['a://9/data', 'b/a://9/data'],
    ['b://x/y/z', 'b/b://x/y/z'],
    ['s://other', 'b/s://other'],
    ['b://secret/1', '-32602 Resource not found: b://secret/1'],
    ['nothing://here', '-32602 Resource not found: nothing://here. No backend lists it or a template that it matches'],
    ['', '-32602 Resource not found: '],
  ])('%s goes to %s', async (uri, expected) => {
    const fresh = bench(fakes)
    expect(await resolveWith(fresh, 'resource', uri)).toContain(expected)
    expect(fresh.questions.sort()).toEqual([
      'a resources/list',
      'a resources/templates/list',
      'b resources/list',
      'b resources/templates/list',
    ])
    const known = await learned(fakes)
    expect(await resolveWith(known, 'resource', uri)).toContain(expected)
    expect(known.questions).toHaveLength(expected.startsWith('-') ? 4 : 0)
  })

  it('an unknown one is refused with its URI, and with who could not be asked', async () => {
    const made = bench({ a: { replies: {} }, b: { replies: { 'resources/list': () => failed('down') } } })
    expect(await made.catalog.resolve('resource', 'x://y', made.ask)).toMatchObject({
      refused: { code: -32602, data: { uri: 'x://y', missing: [{ backend: 'b', reason: 'down' }] } },
    })
    const whole = bench({ a: { replies: {} }, b: { replies: {} } })
    expect(await whole.catalog.resolve('resource', 'x://y', whole.ask)).toMatchObject({
      refused: { data: { uri: 'x://y' } },
    })
  })

  it.each([
    [{}, 'any://thing', 'a/any://thing'],
    [
      { exclude: ['any:*'] },
      'any://thing',
      '-32602 Resource not found: any://thing. The configuration of "a" filters it',
    ],
    [{ include: ['a://{id}'] }, 'a://1', 'a/a://1'],
    [{ include: ['a://{id}'] }, 'b://1', '-32602 Resource not found: b://1'],
  ])('a single backend with %j gets %s: %s', async (config, uri, expected) => {
    const made = bench({ a: { replies: {}, config } })
    expect(await resolveWith(made, 'resource', uri)).toContain(expected)
    expect(made.questions).toEqual([])
  })

  it('without any backend nothing is found', async () => {
    expect(await resolveWith(bench({}), 'resource', 'x://y')).toContain('-32602 Resource not found')
    expect(await resolveWith(bench({}), 'tool', 'a__x')).toContain('-32602 Unknown tool')
  })
})

describe('completion', () => {
  const fakes = { a: { replies: resources(['a://own'], ['a://{id}']) }, b: { replies: resources([], ['b://{id}']) } }
  it.each<[JsonValue | undefined, string]>([
    [{ type: 'ref/prompt', name: 'b__greet' }, 'b/greet'],
    [{ type: 'ref/prompt', name: 'greet' }, '-32602 Unknown prompt: greet'],
    [{ type: 'ref/resource', uri: 'b://{id}' }, 'b/b://{id}'],
    [{ type: 'ref/resource', uri: 'b://42' }, 'b/b://42'],
    [{ type: 'ref/resource', uri: 'a://own' }, 'a/a://own'],
    [{ type: 'ref/resource', uri: 'c://{id}' }, '-32602 Resource not found: c://{id}'],
    [{ type: 'ref/prompt' }, '-32602 Client leg: "ref" is neither'],
    [{ type: 'ref/other', name: 'x' }, '-32602 Client leg: "ref" is neither'],
    ['x', '-32602 Client leg: "ref" is neither'],
    [undefined, '-32602 Client leg: "ref" is neither'],
  ])('%j goes to %s', async (ref, expected) => {
    const { catalog, ask } = bench(fakes)
    expect(print(await catalog.resolveCompletion(ref, ask))).toContain(expected)
  })
})
