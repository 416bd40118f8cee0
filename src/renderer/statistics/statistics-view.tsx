import { GROUPINGS, type GroupStatistics, type Grouping } from '../../shared/capture/statistics'
import page from '../controls/page.module.css'
import { Segments } from '../controls/segments'
import { formatBytes, formatCount, formatDuration, plural } from '../text/format'
import { Visible } from '../text/visible'
import { errorRate, filterOf, ordered, type StatisticsColumn, type StatisticsOrder } from './group-order'
import styles from './statistics.module.css'

export interface StatisticsViewProps {
  by: Grouping
  groups: readonly GroupStatistics[]
  /** Calls that the numbers are of. */
  calls: number
  /** Not all calls have been looked at yet. */
  working: boolean
  order: StatisticsOrder
  onBy: (by: Grouping) => void
  onOrder: (order: StatisticsOrder) => void
  /** Shows the calls of a group in the table. */
  onFilter: (text: string) => void
}

const COLUMNS: readonly { id: StatisticsColumn; title: string; hint?: string }[] = [
  { id: 'calls', title: 'calls' },
  { id: 'errorRate', title: 'errors', hint: 'share of the ended calls that failed, on any leg or by the tool itself' },
  { id: 'p50', title: 'p50', hint: 'median duration; cancelled calls and subscriptions are left out' },
  { id: 'p95', title: 'p95' },
  { id: 'p99', title: 'p99' },
  {
    id: 'firstFrame',
    title: 'first frame',
    hint: 'median time until the client got a notification, or else the result',
  },
  { id: 'frames', title: 'frames', hint: 'sent to clients; pings not counted' },
  { id: 'bytesIn', title: 'in', hint: 'bytes of requests' },
  { id: 'bytesOut', title: 'out', hint: 'bytes of answers' },
  { id: 'findings', title: 'findings' },
]

/** Calls put together: how many, how often they fail, how long they take. */
export function StatisticsView(props: StatisticsViewProps) {
  const { by, groups, calls, working, order, onBy, onOrder, onFilter } = props
  return (
    <div className={page.page} data-testid="statistics-view">
      <div className={page.bar}>
        <h2>Statistics</h2>
        <Segments
          label="put together by"
          value={by}
          options={GROUPINGS.map((value) => ({ value, label: value }))}
          onChange={onBy}
        />
        <span className={page.quiet} role="status">
          {working ? 'counting…' : `${plural(calls, 'call')} in ${plural(groups.length, 'group')}`}
        </span>
      </div>
      {calls === 0 && !working ? (
        <p className={page.empty}>
          No call yet. When there are some, each {by} stands here with its number of calls, its errors and how long they
          take.
        </p>
      ) : (
        <div className={page.scroll} tabIndex={0} role="region" aria-label="statistics">
          <table className={`${page.table ?? ''} ${styles.table ?? ''}`}>
            <thead>
              <tr>
                <Heading id="name" title={by} order={order} onOrder={onOrder} />
                {COLUMNS.map((column) => (
                  <Heading key={column.id} {...column} numeric order={order} onOrder={onOrder} />
                ))}
              </tr>
            </thead>
            <tbody>
              {ordered(groups, order).map((group) => (
                <Row key={`${group.backend ?? ''} ${group.name ?? ''}`} by={by} group={group} onFilter={onFilter} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}

interface HeadingProps {
  id: StatisticsColumn
  title: string
  hint?: string
  numeric?: boolean
  order: StatisticsOrder
  onOrder: (order: StatisticsOrder) => void
}

function Heading({ id, title, hint, numeric = false, order, onOrder }: HeadingProps) {
  const on = order.column === id
  const direction = order.descending ? 'descending' : 'ascending'
  return (
    <th scope="col" aria-sort={on ? direction : undefined} data-numeric={numeric || undefined} title={hint}>
      <button
        type="button"
        // Names begin with A, numbers with the largest.
        onClick={() => onOrder({ column: id, descending: on ? !order.descending : numeric })}
      >
        {title}
        {on && <span aria-hidden>{order.descending ? ' ↓' : ' ↑'}</span>}
      </button>
    </th>
  )
}

interface RowProps {
  by: Grouping
  group: GroupStatistics
  onFilter: (text: string) => void
}

function Row({ by, group, onFilter }: RowProps) {
  const filter = filterOf(by, group)
  const rate = errorRate(group)
  const time = (value: number | null) => (value === null ? '—' : formatDuration(value))
  return (
    <tr data-testid="statistics-row">
      <th scope="row" className={styles.name}>
        {group.name === null ? (
          <span className={page.quiet}>no {by}</span>
        ) : filter === undefined ? (
          <Visible text={group.name} />
        ) : (
          <button type="button" title="show these calls" onClick={() => onFilter(filter)}>
            <Visible text={group.name} />
          </button>
        )}
        {group.backend !== null && (
          <small>
            <Visible text={group.backend} />
          </small>
        )}
      </th>
      <td>
        {group.open > 0 && <small>{formatCount(group.open)} open</small>}
        {formatCount(group.calls)}
      </td>
      <td data-bad={group.errors > 0 || undefined}>
        {group.errors > 0 && <small>{formatCount(group.errors)}</small>}
        {rate === null ? '—' : group.errors === 0 ? '0 %' : `${shownRate(rate)} %`}
      </td>
      <td>{time(group.p50)}</td>
      <td>{time(group.p95)}</td>
      <td>{time(group.p99)}</td>
      <td>{time(group.firstFrame)}</td>
      <td>{formatCount(group.frames)}</td>
      <td>{formatBytes(group.bytesIn)}</td>
      <td>{formatBytes(group.bytesOut)}</td>
      <td data-bad={group.findings > 0 || undefined}>{formatCount(group.findings)}</td>
    </tr>
  )
}

/** Never 0 where there are errors, and never 100 where there is a success. */
function shownRate(rate: number): string {
  const percent = rate * 100
  if (percent < 0.1) return '< 0.1'
  if (percent < 100 && percent > 99.9) return '> 99.9'
  return percent < 10 ? percent.toFixed(1) : percent.toFixed(0)
}
