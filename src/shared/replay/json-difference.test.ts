import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../protocol/json-rpc'
import { compareRules, type CompareRules, type RuleTexts } from './compare-rules'
import { jsonDifferences, MAX_DIFFERENCES } from './json-difference'

function rules(texts: RuleTexts = {}): CompareRules {
  const read = compareRules(texts)
  if ('problem' in read) throw new Error(read.problem)
  return read.rules
}

function paths(was: JsonValue, now: JsonValue, texts: RuleTexts = {}): string[] {
  return jsonDifferences(was, now, rules(texts)).differences.map(({ path }) => path)
}

describe('jsonDifferences', () => {
  it('names each place that changed, is new, or is gone, with both values', () => {
    const was = { result: { a: 1, gone: true, list: [1, 2], 'a/b~c': 'x' } }
    const now = { result: { a: 2, new: null, list: [1, 3, 4], 'a/b~c': 'y' } }
    expect(jsonDifferences(was, now, rules()).differences).toEqual([
      { path: '/result/a', was: 1, now: 2 },
      { path: '/result/gone', was: true },
      { path: '/result/list/1', was: 2, now: 3 },
      { path: '/result/list/2', now: 4 },
      { path: '/result/a~1b~0c', was: 'x', now: 'y' },
      { path: '/result/new', now: null },
    ])
  })

  it('knows values that are the same whatever the order of their members', () => {
    expect(paths({ a: 1, b: { c: [1, { d: 2, e: 3 }] } }, { b: { c: [1, { e: 3, d: 2 }] }, a: 1 })).toEqual([])
  })

  it('tells null, absent, 0, "" and false apart', () => {
    expect(paths([null, 0, '', false], [0, '', false, null])).toEqual(['/0', '/1', '/2', '/3'])
    expect(paths({ a: null }, {})).toEqual(['/a'])
    expect(paths({}, { a: {} })).toEqual(['/a'])
    expect(paths({ a: [] }, { a: {} })).toEqual(['/a'])
  })

  it('keeps "__proto__" as a key like any other', () => {
    const was = JSON.parse('{"__proto__":{"a":1}}') as JsonValue
    const now = JSON.parse('{"__proto__":{"a":2}}') as JsonValue
    expect(paths(was, now)).toEqual(['/__proto__/a'])
    expect(paths(was, {})).toEqual(['/__proto__'])
  })

  it.each([
    ['a whole pointer', '/result/content/0/text'],
    ['a pointer into the result', '/content/0/text'],
    ['* for any index', '/result/content/*/text'],
    ['what is above it', '/content'],
    ['* for any member', '/*/content/0'],
  ])('leaves out what is ignored: %s', (_what, ignore) => {
    const was = { result: { content: [{ text: 'a' }], other: 1 } }
    const now = { result: { content: [{ text: 'b' }], other: 2 } }
    expect(paths(was, now, { ignore: [ignore] })).toEqual(['/result/other'])
  })

  it('counts what it leaves out', () => {
    const found = jsonDifferences({ result: { ttlMs: 1 } }, { result: { ttlMs: 2 } }, rules())
    expect(found).toEqual({ differences: [], more: 0, ignored: 1 })
    expect(paths({ result: { ttlMs: 1 } }, { result: { ttlMs: 2 } }, { exact: true })).toEqual(['/result/ttlMs'])
  })

  it.each<[string, JsonValue, JsonValue]>([
    ['points in time', '2026-11-29T19:00:00Z', '2026-11-30T07:12:31.123+01:00'],
    ['random identifiers', 'f1f7a7ae-6a02-4dcf-b5b5-6d3aa0a3a3a0', '0b0f4c3e-6a02-4dcf-b5b5-6d3aa0a3a3a1'],
    [
      'both inside of a text',
      '{"at":"2026-11-29T19:00:00Z","ms":1795978800000}',
      '{"at":"2026-11-29T19:00:01Z","ms":1795978800001}',
    ],
    ['times in milliseconds', 1_795_978_800_000, 1_795_978_800_001],
    ['what was redacted', '«redacted 16»', 'sk-12345'],
    ['what was redacted inside of a text', '{"pin":"«redacted 4»","unit":"C"}', '{"pin":"123456","unit":"C"}'],
    ['what was redacted now only', '{"pin":"1234"}', '{"pin":"«redacted 4»"}'],
    [
      'what was redacted beside a time',
      '{"at":"2026-11-29T19:00:00Z","pin":"«redacted 4»"}',
      '{"at":"2026-11-29T19:00:01Z","pin":"«redacted 8»"}',
    ],
  ])('leaves out %s', (_what, was, now) => {
    expect(paths({ result: was }, { result: now })).toEqual([])
  })

  it.each<[string, JsonValue, JsonValue]>([
    ['a date without a time of day', '2026-11-29', '2026-11-30'],
    ['another number', 1_795_978_800, 1_795_978_801],
    ['a time that became a word', '2026-11-29T19:00:00Z', 'never'],
    ['words beside a time', 'sunny at 2026-11-29T19:00:00Z', 'rain at 2026-11-29T19:00:00Z'],
    ['words beside what was redacted', 'pin «redacted 4» of Oslo', 'pin «redacted 4» of Bergen'],
  ])('does not leave out %s', (_what, was, now) => {
    expect(paths({ result: was }, { result: now })).toEqual(['/result'])
  })

  it('compares the lists of a server as sets, by name', () => {
    const was = { result: { tools: [{ name: 'a' }, { name: 'b', title: 'B' }, { name: 'c' }] } }
    const now = { result: { tools: [{ name: 'd' }, { name: 'b', title: 'BB' }, { name: 'a' }] } }
    expect(jsonDifferences(was, now, rules()).differences).toEqual([
      { path: '/result/tools/1/title', was: 'B', now: 'BB' },
      { path: '/result/tools/2', was: { name: 'c' } },
      { path: '/result/tools/0', now: { name: 'd' } },
    ])
  })

  it('keeps the order of all other lists, unless it is told not to', () => {
    const was = { result: { structuredContent: { found: ['a', 'b', { x: 1 }] } } }
    const now = { result: { structuredContent: { found: [{ x: 1 }, 'b', 'a'] } } }
    expect(paths(was, now)).toHaveLength(2)
    expect(paths(was, now, { unordered: ['/structuredContent/found'] })).toEqual([])
  })

  it('takes "required" and "enum" of a schema as sets', () => {
    const schema = (required: string[]) => ({ result: { tools: [{ name: 'a', inputSchema: { required } }] } })
    expect(paths(schema(['x', 'y']), schema(['y', 'x']))).toEqual([])
    expect(paths(schema(['x', 'y']), schema(['x', 'z']))).toEqual(['/result/tools/0/inputSchema/required/1'])
  })

  it('is bounded: more differences are counted only, deep values do not exhaust the stack', () => {
    const many = (value: number) => Array.from({ length: MAX_DIFFERENCES + 50 }, () => value)
    const found = jsonDifferences(many(1), many(2), rules())
    expect([found.differences.length, found.more]).toEqual([MAX_DIFFERENCES, 50])
    const deep = (end: JsonValue) => Array.from({ length: 490 }).reduce<JsonValue>((inner) => [inner], end)
    expect(paths(deep(1), deep(1))).toEqual([])
    expect(paths(deep(1), deep(2))).toHaveLength(1)
  })
})

describe('compareRules', () => {
  it.each([
    ['content/0', 'it begins with "/"'],
    ['', 'it begins with "/"'],
    ['/a~2b', '"~" is written as "~0"'],
    [`/${'x'.repeat(3_000)}`, 'longer than 2000 characters'],
  ])('says what is wrong with %j', (text, words) => {
    expect(compareRules({ ignore: [text] })).toEqual({ problem: expect.stringContaining(words) as unknown })
  })
})
