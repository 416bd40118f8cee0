import { describe, expect, it } from 'vitest'
import {
  applyTextEdits,
  arrayItems,
  insertMember,
  JsonTextError,
  memberOf,
  objectMembers,
  removeMember,
} from './json-text'

const raw = (text: string, start = 0) => objectMembers(text, start)?.map((m) => [m.key, text.slice(m.start, m.end)])

describe('objectMembers', () => {
  it.each([
    ['{}', []],
    [' \n{ } ', []],
    [
      '{"a":1.0,"b":[1,{"c":"}"}],"a":-1e9}',
      [
        ['a', '1.0'],
        ['b', '[1,{"c":"}"}]'],
        ['a', '-1e9'],
      ],
    ],
    [
      '{"k\\"\\\\":"v\\\\","\\u0061":null}',
      [
        ['k"\\', '"v\\\\"'],
        ['a', 'null'],
      ],
    ],
    [
      '{ "x" : true , "y" : "\\"," }',
      [
        ['x', 'true'],
        ['y', '"\\","'],
      ],
    ],
  ])('%s', (text, members) => expect(raw(text)).toEqual(members))

  it('is undefined for other values', () => {
    expect(objectMembers('[1]')).toBeUndefined()
    expect(objectMembers('12')).toBeUndefined()
  })
  it.each(['{"a"', '{"a":}', '{"a":1', '{"a":"x', '{a:1}', '{"a":1 "b":2}'])('throws on %s', (text) =>
    expect(() => objectMembers(text)).toThrow(JsonTextError),
  )
  it('does not recurse', () => {
    const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    expect(objectMembers(deep)?.[0]?.end).toBe(deep.length - 1)
  })
})

it('arrayItems finds each item', () => {
  const text = '[1, "a,]" ,{"b":[2]}]'
  expect(arrayItems(text)?.map((item) => text.slice(item.start, item.end))).toEqual(['1', '"a,]"', '{"b":[2]}'])
  expect(arrayItems('[]')).toEqual([])
  expect(arrayItems('{}')).toBeUndefined()
})

it('memberOf takes the last duplicate, as JSON.parse does', () => {
  const text = '{"id":1,"id":22}'
  const member = memberOf(objectMembers(text), 'id')
  expect(member && text.slice(member.start, member.end)).toBe('22')
})

it('edits apply in any order and leave the rest alone', () => {
  const text = '{"a":1.0, "b":2}'
  const members = objectMembers(text) ?? []
  const edits = [...members].reverse().map((m) => ({ start: m.start, end: m.end, text: `<${m.key}>` }))
  expect(applyTextEdits(text, edits)).toBe('{"a":<a>, "b":<b>}')
  expect(() =>
    applyTextEdits(text, [
      { start: 0, end: 5, text: '' },
      { start: 3, end: 6, text: '' },
    ]),
  ).toThrow(RangeError)
})

it('insertMember appends to empty and filled objects', () => {
  for (const [text, expected] of [
    ['{ }', '{"k":1 }'],
    ['{"a":2 }', '{"a":2,"k":1 }'],
  ] as const)
    expect(applyTextEdits(text, [insertMember(text, 0, 'k', '1')])).toBe(expected)
})

it('removeMember takes one comma along', () => {
  const text = '{"a":1,"b":2,"c":3}'
  const members = objectMembers(text) ?? []
  expect([0, 1, 2].map((index) => applyTextEdits(text, [removeMember(members, index)]))).toEqual([
    '{"b":2,"c":3}',
    '{"a":1,"c":3}',
    '{"a":1,"b":2}',
  ])
  expect(applyTextEdits('{"a":1}', [removeMember(objectMembers('{"a":1}') ?? [], 0)])).toBe('{}')
})
