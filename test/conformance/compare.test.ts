import { describe, expect, it } from 'vitest'
import { compare } from './compare'
import type { Results } from './suite'

const results = (scenarios: Record<string, Record<string, string>>): Results =>
  new Map(
    Object.entries(scenarios).map(([scenario, checks]) => [
      scenario,
      new Map(Object.entries(checks).map(([check, status]) => [check, { status }])),
    ]),
  )

describe('comparison of a direct run with one through the gateway', () => {
  const cases: {
    name: string
    direct: Record<string, string>
    gateway: Record<string, string>
    lost: boolean
    differences: string[]
  }[] = [
    { name: 'the same', direct: { a: 'SUCCESS' }, gateway: { a: 'SUCCESS' }, lost: false, differences: [] },
    {
      name: 'a check that fails behind the gateway',
      direct: { a: 'SUCCESS' },
      gateway: { a: 'FAILURE' },
      lost: true,
      differences: ['a'],
    },
    {
      name: 'a check that warns behind the gateway',
      direct: { a: 'SUCCESS' },
      gateway: { a: 'WARNING' },
      lost: true,
      differences: ['a'],
    },
    {
      name: 'a check that was not reached',
      direct: { a: 'SUCCESS', b: 'SUCCESS' },
      gateway: { a: 'SUCCESS' },
      lost: true,
      differences: ['b'],
    },
    { name: 'a scenario that did not run', direct: { a: 'SUCCESS' }, gateway: {}, lost: true, differences: ['a'] },
    {
      name: 'a scenario that fails on both ways',
      direct: { a: 'FAILURE' },
      gateway: { a: 'FAILURE' },
      lost: false,
      differences: [],
    },
    {
      name: 'a failure that the gateway mends',
      direct: { a: 'FAILURE' },
      gateway: { a: 'SUCCESS' },
      lost: false,
      differences: ['a'],
    },
    {
      name: 'an additional check',
      direct: { a: 'SUCCESS' },
      gateway: { a: 'SUCCESS', b: 'SUCCESS' },
      lost: false,
      differences: ['b'],
    },
  ]
  for (const { name, direct, gateway, lost, differences } of cases) {
    it(name, () => {
      const [scenario] = compare(results({ s: direct }), results({ s: gateway }))
      expect(scenario?.lost).toBe(lost)
      expect(scenario?.differences.map((difference) => difference.check)).toEqual(differences)
    })
  }

  it.each<{ name: string; gateway: Record<string, string>; lost: boolean }>([
    { name: 'says that it does not apply', gateway: { b: 'INFO' }, lost: false },
    { name: 'warns', gateway: { b: 'WARNING' }, lost: true },
    { name: 'did not run', gateway: {}, lost: true },
  ])('of an inapplicable scenario, which $name', ({ gateway, lost }) => {
    const [scenario] = compare(results({ s: { a: 'SUCCESS' } }), results({ s: gateway }), new Set(['s']))
    expect(scenario?.lost).toBe(lost)
  })
})
