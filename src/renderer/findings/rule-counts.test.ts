import { expect, it } from 'vitest'
import type { FoundGroup } from '../../shared/api/findings'
import { parseFilter } from '../../shared/capture/filter'
import { emptySummary } from '../../shared/capture/summarise'
import { countRules, filterFor } from './rule-counts'

const group = (rule: string, target: string, findings: number): FoundGroup => ({
  rule,
  backend: 'weather',
  target,
  findings,
  callCount: 1,
  calls: [findings],
})

it('counts by rule, without what is hidden', () => {
  const groups = [group('sse-id', 'a', 1), group('sse-id', 'b', 5), group('sse-id', 'c', 7), group('sse-retry', 'a', 2)]
  const counts = countRules(groups, [{ rule: 'sse-id', backend: null, target: 'c' }])
  expect(counts.get('sse-id')).toEqual({ shown: [groups[1], groups[0]], hidden: [groups[2]], findings: 6 })
  expect(counts.get('sse-retry')?.findings).toBe(2)
})

it('makes a filter of calls, the newest fifty', () => {
  const filter = parseFilter(filterFor([...Array.from({ length: 80 }, (_, index) => index + 1), 80]))
  expect(filter.problems).toEqual([])
  const context = { now: 0, bodyHits: new Map() }
  const matched = Array.from({ length: 100 }, (_, call) => call).filter((call) =>
    filter.matches(emptySummary(call, 0), context),
  )
  expect(matched).toEqual(Array.from({ length: 50 }, (_, index) => index + 31))
})
