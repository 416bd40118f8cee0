import { describe, expect, it } from 'vitest'
import { parseFilter } from '../../shared/capture/filter'
import type { GroupStatistics } from '../../shared/capture/statistics'
import { errorRate, filterOf, ordered } from './group-order'

const group = (more: Partial<GroupStatistics>): GroupStatistics => ({
  name: 'forecast',
  backend: 'weather',
  calls: 10,
  open: 0,
  errors: 0,
  cancelled: 0,
  p50: null,
  p95: null,
  p99: null,
  firstFrame: null,
  frames: 0,
  bytesIn: 0,
  bytesOut: 0,
  findings: 0,
  ...more,
})

describe('order', () => {
  it.each([
    [false, [1, 5, null]],
    [true, [5, 1, null]],
  ])('puts groups without the value last (descending: %s)', (descending, p50s) => {
    const groups = [group({ p50: null }), group({ p50: 5 }), group({ p50: 1 })]
    expect(ordered(groups, { column: 'p50', descending }).map(({ p50 }) => p50)).toEqual(p50s)
  })

  it('is by the share of errors, not by their number', () => {
    const groups = [group({ calls: 100, errors: 5, name: 'a' }), group({ calls: 2, errors: 1, name: 'b' })]
    expect(ordered(groups, { column: 'errorRate', descending: true }).map(({ name }) => name)).toEqual(['b', 'a'])
  })
})

describe('errorRate', () => {
  it.each([
    [{ calls: 4, errors: 1 }, 0.25],
    [{ calls: 4, open: 2, errors: 1 }, 0.5],
    [{ calls: 1, open: 1 }, null],
  ])('of %j is %j', (counts, rate) => {
    expect(errorRate(group(counts))).toBe(rate)
  })
})

describe('filterOf', () => {
  it.each([
    ['tool', { name: 'forecast' }, 'tool:=forecast backend:=weather'],
    ['tool', { name: 'file:///a b', backend: null }, 'tool:"=file:///a b"'],
    ['backend', { name: 'weather' }, 'backend:=weather'],
    ['backend', { name: 'weather, booking' }, undefined],
    ['client', { name: 'My Editor' }, 'client:"=My Editor"'],
    ['method', { name: 'tools/call' }, 'method:=tools/call'],
    ['endpoint', { name: '/mcp' }, 'endpoint:=/mcp'],
    ['client', { name: null }, undefined],
    ['tool', { name: 'a"b*', backend: null }, 'tool:"=a\\"b*"'],
  ])('by %s %j', (by, named, text) => {
    const filter = filterOf(by, group(named))
    expect(filter).toBe(text)
    if (filter !== undefined) expect(parseFilter(filter).problems).toEqual([])
  })
})
