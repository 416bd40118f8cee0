import { expect, it } from 'vitest'
import { matchesPattern } from './name-pattern'

it.each([
  ['find', 'find', true],
  ['find', 'finder', false],
  ['', '', true],
  ['', 'x', false],
  ['*', '', true],
  ['*', 'anything', true],
  ['admin_*', 'admin_', true],
  ['admin_*', 'admin_drop', true],
  ['admin_*', 'my_admin_drop', false],
  ['*_drop', 'admin_drop', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['*://*', 'file:///x', true],
  ['a.c', 'abc', false],
  ['a\\*', 'a\\b', true],
])('%j on %j: %s', (pattern, text, expected) => expect(matchesPattern(pattern, text)).toBe(expected))

it('does not blow up', () => {
  const started = performance.now()
  expect(matchesPattern(`${'a*'.repeat(50)}b`, 'a'.repeat(10_000))).toBe(false)
  expect(performance.now() - started).toBeLessThan(1_000)
})
