import { describe, expect, it } from 'vitest'
import { emptySummary } from '../../shared/capture/summarise'
import type { CallSummary } from '../../shared/capture/summary'
import type { TableGrouping } from '../calls/call-groups'
import { GroupedRows } from './grouped-rows'
import type { Sort } from './preferences-store'

const summary = (call: number, more: Partial<CallSummary> = {}): CallSummary => ({
  ...emptySummary(call, call * 1000),
  outcome: 'result',
  endedAt: call * 1000 + 10,
  method: 'tools/call',
  ...more,
})
const of = (call: number, backend: string | null, more: Partial<CallSummary> = {}) =>
  summary(call, { backend, backends: backend === null ? [] : [backend], ...more })

function setUp(by: TableGrouping, calls: CallSummary[], sort: Sort = { column: 'call', descending: false }) {
  const known = new Map(calls.map((call) => [call.call, call]))
  const rows = new GroupedRows(by, sort, (call) => known.get(call))
  rows.fill(calls.map(({ call }) => call))
  const put = (call: CallSummary, member = true) => {
    known.set(call.call, call)
    rows.put(call, member)
  }
  /** Groups by their names, so that a test reads as the table does. */
  const shown = () => rows.list.map((row) => (row < 0 ? rows.group(row)?.name : row))
  const named = (name: string | null) =>
    rows.group(rows.list.find((row) => row < 0 && rows.group(row)?.name === name) ?? 0)
  return { rows, put, shown, named }
}

describe('GroupedRows', () => {
  it('puts calls below what they have in common, groups in the order of their first calls', () => {
    const { shown, named } = setUp('backend', [of(1, 'b'), of(2, 'a'), of(3, 'b', { outcome: 'error' }), of(4, null)])
    expect(shown()).toEqual(['b', 1, 3, 'a', 2, null, 4])
    expect(named('b')).toMatchObject({ calls: 2, errors: 1, open: 0, p50: 10, expanded: true })
  })

  it('counts a call that moves on, ends, or fails once', () => {
    const { rows, put, shown, named } = setUp('backend', [of(1, 'a', { endedAt: 1_040 })])
    put(of(2, null, { outcome: null, endedAt: null }))
    put(of(2, 'a', { outcome: null, endedAt: null }))
    expect(rows.unsettled).toBe(true)
    rows.settle()
    expect(shown()).toEqual(['a', 1, 2])
    expect(named('a')).toMatchObject({ calls: 2, open: 1, p50: 40 })
    put(of(2, 'a', { outcome: 'tool-error', endedAt: 2_010, frames: 3 }))
    put(of(2, 'a', { outcome: 'tool-error', endedAt: 2_010, frames: 3 }))
    expect(named('a')).toMatchObject({ calls: 2, open: 0, errors: 1, p50: 10 })
    expect(rows.unsettled).toBe(false)
  })

  it('forgets a group whose last call has left, and gives it the same row when it is back', () => {
    const { rows, put, shown } = setUp('backend', [of(1, 'a'), of(2, 'b')])
    const [a = 0] = rows.list
    rows.expand(a, false)
    put(of(1, 'a'), false)
    rows.settle()
    expect(shown()).toEqual(['b', 2])
    expect(rows.group(a)).toBeUndefined()
    put(of(3, 'a'))
    rows.settle()
    expect(rows.list).toEqual([rows.list[0], 2, a])
    expect(rows.group(a)).toMatchObject({ name: 'a', calls: 1, expanded: false })
  })

  it('folds groups one by one and all together, also those that come later', () => {
    const { rows, put, shown } = setUp('backend', [of(1, 'a'), of(2, 'b')])
    rows.expandAll(false)
    put(of(3, 'c'))
    rows.settle()
    expect(shown()).toEqual(['a', 'b', 'c'])
    rows.expand(rows.list[1] ?? 0, true)
    expect(shown()).toEqual(['a', 'b', 2, 'c'])
    rows.expand(rows.list[1] ?? 0, false)
    expect(shown()).toEqual(['a', 'b', 'c'])
    rows.expandAll(true)
    expect(shown()).toEqual(['a', 1, 'b', 2, 'c', 3])
  })

  it('shows operations of one round as plain rows', () => {
    const { rows, put, shown } = setUp('operation', [
      summary(1, { operation: 'x', target: 'book' }),
      summary(2, { operation: 'y' }),
      summary(3),
    ])
    expect(shown()).toEqual([1, 2, 3])
    expect(rows.rowOf(1)).toBeUndefined()
    put(summary(4, { operation: 'x', round: 2, target: 'book' }))
    rows.settle()
    expect(shown()).toEqual(['book', 1, 4, 2, 3])
    expect(rows.rowOf(4)).toBe(rows.list[0])
  })

  it('tells tools of different backends and methods apart', () => {
    const tool = (call: number, backend: string, method = 'tools/call') =>
      of(call, backend, { target: `${backend}__run`, upstreamTarget: 'run', method })
    const { rows } = setUp('tool', [
      tool(1, 'a'),
      tool(2, 'b'),
      tool(3, 'a', 'prompts/get'),
      summary(4, { method: 'ping' }),
    ])
    const groups = rows.list.filter((row) => row < 0).map((row) => rows.group(row))
    expect(groups.map((group) => [group?.name, group?.detail])).toEqual([
      ['run', 'a'],
      ['run', 'b'],
      ['run', 'a · prompts/get'],
      ['ping', null],
    ])
  })

  it('orders groups and their calls by the column, either way', () => {
    const calls = [
      of(1, 'slow', { endedAt: 1_900 }),
      of(2, 'fast', { endedAt: 2_005, frames: 9 }),
      of(3, 'fast', { endedAt: 3_001, outcome: 'error' }),
      of(4, 'slow', { endedAt: 4_100 }),
      of(5, 'open', { endedAt: null, outcome: null }),
    ]
    const order = (column: Sort['column'], descending: boolean) =>
      setUp('backend', calls, { column, descending }).shown()
    expect(order('call', true)).toEqual(['open', 5, 'slow', 4, 1, 'fast', 3, 2])
    expect(order('duration', false)).toEqual(['fast', 3, 2, 'slow', 4, 1, 'open', 5])
    expect(order('frames', true)).toEqual(['fast', 2, 3, 'open', 5, 'slow', 4, 1])
    expect(order('answer', true).filter((row) => typeof row === 'string')).toEqual(['fast', 'open', 'slow'])
    expect(order('method', false).filter((row) => typeof row === 'string')).toEqual(['fast', 'open', 'slow'])
  })

  it('holds 100 000 operations, of which one gets another round', () => {
    const calls = Array.from({ length: 100_000 }, (_, at) => summary(at + 1, { operation: `o${at}` }))
    const { rows, put } = setUp('operation', calls)
    put(summary(100_001, { operation: 'o7' }))
    rows.settle()
    expect(rows.list.slice(6, 11)).toEqual([7, -8, 8, 100_001, 9])
    expect(rows.list.length).toBe(100_002)
  })

  it('knows the newest call and the row that shows it, and counts what is newer', () => {
    const { rows, put } = setUp('backend', [of(1, 'a'), of(2, 'b')])
    expect(rows.newest).toEqual({ call: 2, row: 2 })
    put(of(4, 'a'))
    put(of(3, 'b'))
    rows.settle()
    expect(rows.newest).toEqual({ call: 4, row: 4 })
    expect([rows.newerThan(1), rows.newerThan(3), rows.newerThan(4)]).toEqual([3, 1, 0])
    const folded = rows.list.find((row) => row < 0) ?? 0
    rows.expand(folded, false)
    expect(rows.newest).toEqual({ call: 4, row: folded })
    put(of(4, 'a'), false)
    expect(rows.newest).toEqual({ call: 3, row: 3 })
    rows.fill([])
    expect(rows.newest).toBeNull()
  })
})
