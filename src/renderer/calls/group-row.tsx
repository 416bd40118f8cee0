import { ChevronDown, ChevronRight } from 'lucide-react'
import type { MouseEvent } from 'react'
import { formatCount, formatDuration, plural } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import { NAMELESS, type CallGroup } from './call-groups'
import { rowId } from './calls-table'
import styles from './group-row.module.css'

interface GroupRowProps {
  group: CallGroup
  /** How many columns the table has: the row spans them all. */
  columns: number
  /** The keyboard stands here. */
  current: boolean
  /** Left out for the one that stands above the rows in the place of its row. */
  rowIndex?: number | undefined
  onToggle: () => void
}

/** The head of a group of calls: what they have in common, how many there are, how many failed, and their median. */
export function GroupRow({ group, columns, current, rowIndex, onToggle }: GroupRowProps) {
  const { row, by, name, detail, calls, errors, open, p50, expanded } = group
  const Fold = expanded ? ChevronDown : ChevronRight
  const toggle = (event: MouseEvent) => {
    if (event.button === 0) onToggle()
  }
  const title = [name ?? NAMELESS[by], detail].filter((text) => text !== null).join(' · ')
  return (
    <div
      id={rowIndex === undefined ? undefined : rowId(row)}
      className={styles.group}
      role="row"
      aria-level={1}
      aria-rowindex={rowIndex}
      aria-expanded={expanded}
      data-current={current || undefined}
      data-testid={rowIndex === undefined ? undefined : 'group-row'}
      onMouseDown={toggle}
    >
      <div className={styles.content} role="gridcell" aria-colspan={columns}>
        <Fold size={13} aria-hidden className={styles.fold} />
        <span className={styles.name} title={visibleString(title)}>
          <span className={by === 'tool' || by === 'operation' ? styles.mono : undefined}>
            {name === null ? <span className={styles.nameless}>{NAMELESS[by]}</span> : <Visible text={name} />}
          </span>
          {detail !== null && (
            <span className={styles.detail}>
              {' '}
              <Visible text={detail} />
            </span>
          )}
        </span>
        <span className={styles.figure} data-figure="calls">
          {by === 'operation' ? plural(calls, 'round') : plural(calls, 'call')}
        </span>
        <span className={styles.figure} data-figure="errors">
          {errors > 0 && <span className={styles.errors}>{plural(errors, 'error')}</span>}
        </span>
        <span className={styles.figure} data-figure="p50" title="median time of the calls that ended">
          {p50 === null ? '' : `p50 ${formatDuration(p50)}`}
        </span>
        <span className={styles.figure} data-figure="open">
          {open > 0 && <span className={styles.open}>{formatCount(open)} in flight</span>}
        </span>
      </div>
    </div>
  )
}
