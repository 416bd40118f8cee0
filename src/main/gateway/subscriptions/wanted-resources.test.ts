import { expect, it } from 'vitest'
import type { LegacySession } from '../../backends/backend'
import { forgetWanted, isUpdateFor, unwant, want } from './wanted-resources'

const on = (connection: symbol): LegacySession => ({ connection }) as LegacySession

it('asks the server for the first who wants a resource of a connection, and tells it of the last who leaves', () => {
  const shared = Symbol('shared')
  const one = on(shared)
  const other = on(shared)
  expect(want(one, 'a:x', one)).toBe(true)
  expect(want(other, 'a:x', other)).toBe(false)
  expect(want(other, 'a:x', other)).toBe(false)
  expect(unwant(one, 'a:x', one)).toBe(false)
  expect(unwant(one, 'a:x', one)).toBe(false)
  expect(unwant(other, 'a:x', other)).toBe(true)
  expect(want(one, 'a:x', one)).toBe(true)
  forgetWanted(one)
  expect(want(other, 'a:x', other)).toBe(true)
})

it.each([
  ['file:///a', true],
  ['file:///a/part', true],
  ['file:///a#1', true],
  ['file:///ab', false],
  ['file:///b', false],
  [undefined, false],
])('an update of %s is for who subscribed to file:///a: %s', (uri, expected) => {
  expect(isUpdateFor(uri, ['file:///a'])).toBe(expected)
})
