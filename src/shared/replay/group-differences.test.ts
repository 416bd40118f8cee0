import { describe, expect, it } from 'vitest'
import { DifferenceGroups } from './group-differences'

describe('DifferenceGroups', () => {
  it('makes one line of one changed field over 500 calls', () => {
    const groups = new DifferenceGroups()
    for (let call = 1; call <= 500; call++)
      groups.add({ call, name: 'forecast', path: `/result/content/${call % 3}/unit`, was: 'F', now: 'C' })
    expect(groups.list()).toMatchObject([
      {
        kind: 'changed',
        path: '/result/content/*/unit',
        names: [{ name: 'forecast', calls: 500 }],
        calls: 500,
        constant: true,
        example: { call: 1, was: 'F', now: 'C' },
      },
    ])
  })

  it('also over all tools, where the same value turned into the same other value', () => {
    const groups = new DifferenceGroups()
    for (let call = 1; call <= 60; call++)
      groups.add({ call, name: `tool-${call % 30}`, path: '/result/_meta/version', was: '1', now: '2' })
    const [line, ...others] = groups.list()
    expect(others).toEqual([])
    expect([line?.calls, line?.names.length, line?.moreNames]).toEqual([60, 20, 10])
  })

  it('gives the first call of the capture as example, in whatever order calls were compared', () => {
    const groups = new DifferenceGroups()
    for (const [call, name] of [
      [5, 'a'],
      [3, 'a'],
      [4, 'b'],
      [2, 'b'],
      [9, 'b'],
    ] as const)
      groups.add({ call, name, path: '/result/x', was: 1, now: 2 })
    expect(groups.list().map(({ example }) => example.call)).toEqual([2])
  })

  it('keeps apart what changed in another way', () => {
    const groups = new DifferenceGroups()
    groups.add({ call: 1, name: 'a', path: '/result/x', was: 1, now: 2 })
    groups.add({ call: 2, name: 'b', path: '/result/x', was: 3, now: 4 })
    groups.add({ call: 3, name: 'a', path: '/result/x', was: 1 })
    groups.add({ call: 4, name: 'a', path: '/result/x', now: 1 })
    expect(groups.list().map(({ kind, calls, constant }) => [kind, calls, constant])).toEqual([
      ['changed', 1, true],
      ['changed', 1, true],
      ['gone', 1, true],
      ['new', 1, true],
    ])
  })

  it('is one line, and says so, where each call has values of its own', () => {
    const groups = new DifferenceGroups()
    for (let call = 1; call <= 5; call++) groups.add({ call, name: 'a', path: '/result/n', was: call, now: -call })
    expect(groups.list()).toMatchObject([{ calls: 5, count: 5, constant: false, inCalls: [1, 2, 3, 4, 5] }])
  })
})
