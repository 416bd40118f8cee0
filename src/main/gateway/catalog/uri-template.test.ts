import { describe, expect, it } from 'vitest'
import { matchesUriTemplate, parseUriTemplate } from './uri-template'

const matches = (template: string, uri: string, steps = 1_000_000): boolean => {
  const parsed = parseUriTemplate(template)
  if ('fault' in parsed) throw new Error(parsed.fault)
  return matchesUriTemplate(parsed, uri, { steps })
}

describe('matchesUriTemplate', () => {
  it.each([
    ['note://{id}', 'note://42', true],
    ['note://{id}', 'note://a b?c', true],
    ['note://{id}', 'note://', true],
    ['note://{id}', 'note://a/b', false],
    ['note://{id}', 'notes://42', false],
    ['note://{id}/body', 'note://42/body', true],
    ['note://{id}/body', 'note://42/bodyx', false],
    ['note://{year},{month}', 'note://2026,07', true],
    ['note://{year,month}', 'note://2026,07', true],
    ['file:///{+path}', 'file:///a/b/c.txt', true],
    ['file://{/path*}', 'file:///a/b/c.txt', true],
    ['file://{/path*}', 'file://', true],
    ['file://{/segment}', 'file:///a/b', false],
    ['x://a{.format}', 'x://a.json', true],
    ['x://a{.format}', 'x://a', true],
    ['x://a{.format}', 'x://ajson', false],
    ['x://s{?q,lang}', 'x://s?q=a%20b&lang=de', true],
    ['x://s{?q,lang}', 'x://s', true],
    ['x://s{?q,lang}', 'x://s/other', false],
    ['x://s?fixed=1{&q}', 'x://s?fixed=1&q=2', true],
    ['x://s{;p}', 'x://s;p=1', true],
    ['x://s{#part}', 'x://s#part/one', true],
    ['x://plain', 'x://plain', true],
    ['x://plain', 'x://plain2', false],
    ['x://{a}-{b}', 'x://1-2-3', true],
    ['x://ü/{a}', 'x://ü/😀', true],
    ['x://{a}.(b)+', 'x://1.(b)+', true],
  ])('%s on %s: %s', (template, uri, expected) => expect(matches(template, uri)).toBe(expected))
})

it.each([
  ['x://{open', 'has a "{" without "}"'],
  [`x://${'a'.repeat(1_000)}`, 'longer than 1000'],
  ['{a}'.repeat(51), 'more than 50'],
])('%# is no template', (template, fault) => {
  expect(parseUriTemplate(template)).toEqual({ fault: expect.stringContaining(fault) })
})

it('a hostile template and URI cost no more than the budget', () => {
  const template = `x://${'{+a}a'.repeat(50)}!`
  const uri = `x://${'a'.repeat(8_000)}`
  const started = performance.now()
  expect(matches(template, uri, 10_000_000)).toBe(false)
  expect(performance.now() - started).toBeLessThan(2_000)
  const budget = { steps: 1_000 }
  const parsed = parseUriTemplate(template)
  expect('fault' in parsed ? undefined : matchesUriTemplate(parsed, uri, budget)).toBe(false)
  expect(budget.steps).toBeLessThan(0)
  expect(matches('x://{+a}', `x://${'a'.repeat(10_000)}`)).toBe(false)
})
