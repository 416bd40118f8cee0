import { expect, it } from 'vitest'
import type { JsonValue } from '../../../shared/protocol/json-rpc'
import { CatalogError } from './contract'
import { markOf, printCursor, readCursor } from './cursor'

const place = { backend: 'weather', index: 999, mark: markOf('forecast') }
const valid = printCursor('tools', place)
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

it('comes back as it went', () => {
  expect(readCursor('tools', valid)).toEqual(place)
  expect(valid).toMatch(/^[A-Za-z0-9_-]+$/)
})

it.each<[string, JsonValue]>([
  ['empty', ''],
  ['null', null],
  ['a number', 5],
  ['an object', {}],
  ['made up', 'made up'],
  ['of another list', printCursor('prompts', place)],
  ['cut', valid.slice(0, -1)],
  ['longer', `${valid}A`],
  ['padded', `${valid}=`],
  ['of another version', encoded([2, 'tools', 'weather', 1, 'x'])],
  ['with a negative index', encoded([1, 'tools', 'weather', -1, 'x'])],
  ['with a fraction', encoded([1, 'tools', 'weather', 1.5, 'x'])],
  ['spelled otherwise', Buffer.from('[1, "tools","weather",1,"x"]').toString('base64url')],
  ['very long', 'A'.repeat(1_000_000)],
])('refuses one that is %s', (_, cursor) => {
  expect(() => readCursor('tools', cursor)).toThrow(CatalogError)
  expect(() => readCursor('tools', cursor)).toThrow(expect.objectContaining({ code: -32602 }) as Error)
})
