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
  // Stars are patterns and quotes end the value: such names cannot be said.
  if (/["*]/.test(name)) return undefined
  const quoted = /[\s()]|^-|:/.test(name) ? `"${name}"` : name
  switch (by) {
    case 'tool':
      return backend === null || /[\s"*]/.test(backend) ? `tool:${quoted}` : `tool:${quoted} backend:${backend}`
    case 'backend':
      return name.includes(', ') ? undefined : `backend:${quoted}`
    default:
      return `${by}:${quoted}`
  }
}
