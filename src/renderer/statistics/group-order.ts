import { filterTerm } from '../../shared/capture/filter-writing'
import type { GroupStatistics } from '../../shared/capture/statistics'

export type StatisticsColumn =
  'name' | 'calls' | 'errorRate' | 'p50' | 'p95' | 'p99' | 'firstFrame' | 'frames' | 'bytesIn' | 'bytesOut' | 'findings'

export interface StatisticsOrder {
  column: StatisticsColumn
  descending: boolean
}

/** Share of the ended calls that failed, 0 to 1; null before one has ended. */
export function errorRate({ calls, open, errors }: GroupStatistics): number | null {
  return calls === open ? null : errors / (calls - open)
}

/** The groups in an order; those without the value come last either way. */
export function ordered(
  groups: readonly GroupStatistics[],
  { column, descending }: StatisticsOrder,
): GroupStatistics[] {
  const value = (group: GroupStatistics): number | string | null =>
    column === 'errorRate' ? errorRate(group) : group[column]
  return [...groups].sort((one, other) => {
    const left = value(one)
    const right = value(other)
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    const by = left < right ? -1 : left > right ? 1 : 0
    return descending ? -by : by
  })
}

/** What narrows the table of calls to a group, in the filter's grammar; undefined where no key says it. */
export function filterOf(by: string, { name, backend }: GroupStatistics): string | undefined {
  if (name === null) return undefined
  switch (by) {
    case 'tool':
      return [filterTerm('tool', name), ...(backend === null ? [] : [filterTerm('backend', backend)])].join(' ')
    case 'backend':
      return name.includes(', ') ? undefined : filterTerm('backend', name)
    default:
      return filterTerm(by, name)
  }
}
