import { describe, expect, it } from 'vitest'
import { BackendConfig, type NamePolicy } from '../../../shared/config/schema'
import type { ListKind } from './contract'
import { isUriAllowed, makeOffers, ownNameOf } from './offer'

interface Lists {
  names: string[]
  config?: Partial<BackendConfig>
}
const config = (given: Partial<BackendConfig> = {}): BackendConfig =>
  BackendConfig.parse({ url: 'http://127.0.0.1:1', ...given })

/** `backend/own` → name on /mcp, or the reason in brackets. */
const offers = (
  policy: NamePolicy,
  backends: Record<string, Lists>,
  kind: ListKind = 'tools',
): Record<string, string> => {
  const claimants = Object.entries(backends).map(([backend, lists]) => ({
    backend,
    config: config(lists.config),
    entries: lists.names.map((name) => (name === 'faulty' ? { name, fault: 'is broken' } : { name })),
  }))
  const found: Record<string, string> = {}
  makeOffers(kind, policy, claimants).forEach((ofBackend, index) =>
    ofBackend.forEach((offer, at) => {
      const key = `${claimants[index]?.backend}/${claimants[index]?.entries[at]?.name}`
      found[key in found ? `${key}#${at}` : key] = offer.exposedAs ?? `(${offer.excluded})`
    }),
  )
  return found
}

const twoOfThem = { a: { names: ['find', 'only_a'] }, b: { names: ['find', 'only_b'] } }

describe('makeOffers', () => {
  it.each<[NamePolicy, Record<string, string>]>([
    ['prefix', { 'a/find': 'a__find', 'a/only_a': 'a__only_a', 'b/find': 'b__find', 'b/only_b': 'b__only_b' }],
    ['on-conflict', { 'a/find': 'a__find', 'a/only_a': 'only_a', 'b/find': 'b__find', 'b/only_b': 'only_b' }],
    [
      'priority',
      {
        'a/find': 'find',
        'a/only_a': 'only_a',
        'b/find': '("find" is already offered by "a", which stands before it in the configuration)',
        'b/only_b': 'only_b',
      },
    ],
    [
      'manual',
      {
        'a/find': '("find" is also offered by "b": give it another name with "rename")',
        'a/only_a': 'only_a',
        'b/find': '("find" is also offered by "a": give it another name with "rename")',
        'b/only_b': 'only_b',
      },
    ],
  ])('%s', (policy, expected) => expect(offers(policy, twoOfThem)).toEqual(expected))

  it('prefix is stable from the first backend on', () => {
    expect(offers('prefix', { a: { names: ['find'] } })).toEqual({ 'a/find': 'a__find' })
  })

  it.each<[NamePolicy, string, string]>([
    ['prefix', 'a__search', 'b__find'],
    ['on-conflict', 'search', 'find'],
    ['priority', 'search', 'find'],
    ['manual', 'search', 'find'],
  ])('%s after rename', (policy, a, b) => {
    expect(
      offers(policy, { a: { names: ['find'], config: { rename: { find: 'search' } } }, b: { names: ['find'] } }),
    ).toEqual({ 'a/find': a, 'b/find': b })
  })

  it('filters by own names, exclude after include, renamed or not', () => {
    expect(
      offers('prefix', {
        a: {
          names: ['get_a', 'get_b', 'set_a'],
          config: { include: ['get_*'], exclude: ['get_b'], rename: { set_a: 'get_c', get_a: 'a' } },
        },
      }),
    ).toEqual({
      'a/get_a': 'a__a',
      'a/get_b': '(filtered by "include" or "exclude" of its backend)',
      'a/set_a': '(filtered by "include" or "exclude" of its backend)',
    })
  })

  it('a name that is filtered conflicts with nothing', () => {
    expect(
      offers('on-conflict', { a: { names: ['find'], config: { exclude: ['find'] } }, b: { names: ['find'] } })[
        'b/find'
      ],
    ).toBe('find')
  })

  it('within one backend: twice listed, renamed onto another, two renamed to the same, faulty', () => {
    expect(
      offers('prefix', {
        a: {
          names: ['x', 'x', 'y', 'old', 'faulty', 'p', 'q'],
          config: { rename: { old: 'y', p: 'r', q: 'r', gone: 'x' } },
        },
      }),
    ).toEqual({
      'a/x': 'a__x',
      'a/x#1': '(the backend lists it twice; the first one counts)',
      'a/y': '(another entry of its backend is renamed to "y")',
      'a/old': 'a__y',
      'a/faulty': '(is broken)',
      'a/p': 'a__r',
      'a/q': '(another entry of its backend is renamed to "r")',
    })
  })

  it('a bare name that looks like a prefixed one loses to what stands before it', () => {
    const found = offers('on-conflict', { a: { names: ['x', 'b__x'] }, b: { names: ['x'] } })
    expect(found['a/b__x']).toBe('b__x')
    expect(found['b/x']).toContain('already offered by "a"')
  })

  it.each<ListKind>(['resources', 'resourceTemplates'])('%s keep their URI; the first backend wins', (kind) => {
    expect(
      offers(
        'prefix',
        { a: { names: ['s://x'], config: { rename: { 's://x': 'no' } } }, b: { names: ['s://x', 's://y'] } },
        kind,
      ),
    ).toEqual({
      'a/s://x': 's://x',
      'b/s://x': '("s://x" is already offered by "a", which stands before it in the configuration)',
      'b/s://y': 's://y',
    })
  })

  it('bears hostile names', () => {
    const hostile = ['', '__proto__', 'constructor', 'x'.repeat(10_000), 'a\u0000\n\u202e', '\ud800', '*']
    const found = offers('on-conflict', { a: { names: hostile }, b: { names: hostile } })
    expect(Object.values(found)).toEqual([
      ...hostile.map((name) => `a__${name}`),
      ...hostile.map((name) => `b__${name}`),
    ])
  })
})

it.each([
  [{ old: 'new' }, 'new', undefined, 'old'],
  [{ old: 'new' }, 'old', undefined, undefined],
  [{ old: 'new' }, 'other', undefined, 'other'],
  [{ a: 'b', b: 'a' }, 'a', undefined, 'b'],
  [{ prompt: 'x' }, 'x', new Set(['x']), 'x'],
  [{ prompt: 'x' }, 'x', new Set(['x', 'prompt']), 'prompt'],
  [{}, 'toString', undefined, 'toString'],
])('ownNameOf(%j, %s, %o) is %s', (rename, name, listed, expected) => {
  expect(ownNameOf(config({ rename: rename }), name, listed)).toBe(expected)
})

it.each([
  [{}, 'a://x', true],
  [{ exclude: ['a://x'] }, 'a://x', false],
  [{ exclude: ['a://secret/*'] }, 'a://secret/1', false],
  [{ exclude: ['a://{id}/secret'] }, 'a://42/secret', false],
  [{ exclude: ['a://{id}/secret'] }, 'a://42/public', true],
  [{ include: ['a://{id}'] }, 'a://42', true],
  [{ include: ['a://{id}'] }, 'b://42', false],
  [{ include: ['find'] }, 'a://x', false],
  [{ include: ['*://*'], exclude: ['b:*'] }, 'b://x', false],
])('isUriAllowed(%j, %s) is %s', (given, uri, expected) => {
  expect(isUriAllowed(config(given), uri, { steps: 1_000_000 })).toBe(expected)
})
