import { ArrowDown, ArrowUp, Pause } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, type CSSProperties, type ReactNode } from 'react'
import type { Sort } from '../stores/preferences-store'
import { formatCount } from '../text/format'
import { GAP, PADDING, gridTemplate, leastWidth, type Column, type ColumnId } from './columns'
import { TableHeader } from './table-header'
import { RowSlots } from '../controls/row-slots'
import { rowIndexOf } from './step'
import { useFollow, type Edge, type NewestInGroups } from './use-follow'
import { useRowsInSight } from '../controls/use-rows-in-sight'
import { useStillness } from '../controls/use-stillness'
import styles from './calls-table.module.css'

const ROW_HEIGHT = 28
const HEAD_HEIGHT = 27
const PINNED_MOST = 169

export interface CallsTableProps {
  rows: readonly number[]
  pinned: readonly number[]
  /** Counts the changes of `rows` and `pinned`, which are changed in place. */
  revision: number
  columns: readonly Column[]
  widths: Partial<Record<ColumnId, number>>
  sort: Sort
  /** Where new calls appear. */
  edge: Edge
  /** Rows below zero stand for groups, to which the rows after them belong. */
  grouped: boolean
  /** The newest call of a table with groups; null when it is not followed. */
  newest: NewestInGroups | null
  /** The row of the group that a row belongs to, or is. */
  groupOf: (row: number) => number | undefined
  /** Draws a group's row that stands above its calls while the row itself is out of sight. */
  renderGroup: (row: number) => ReactNode
  /** The row at which the reader is, as by the keyboard: it is kept in sight. */
  at: number | null
  followPaused: boolean
  /** Calls come on their own, not as a capture is played. */
  live: boolean
  menu: ReactNode
  /** Below the head, in place of rows. */
  empty: ReactNode
  renderRow: (row: number, rowIndex: number) => ReactNode
  onSort: (sort: Sort) => void
  onResize: (column: ColumnId, width: number) => void
  onResumeFollow: () => void
}

/** The id of a row's element. */
export function rowId(row: number): string {
  return row < 0 ? `group-row-${-row}` : `call-row-${row}`
}

/** The calls and groups of them, one a row, only those in sight drawn. */
export function CallsTable(props: CallsTableProps) {
  const { rows, pinned, revision, columns, widths, sort, edge, newest, at, followPaused, renderRow } = props
  const scroller = useRef<HTMLDivElement>(null)
  const headHeight = HEAD_HEIGHT + Math.min(PINNED_MOST, pinned.length * ROW_HEIGHT + (pinned.length > 0 ? 1 : 0))
  const follow = useFollow({
    scroller,
    rows,
    revision,
    edge,
    newest,
    rowHeight: ROW_HEIGHT,
    headHeight,
    at,
    groupHeadHeight: at !== null && at >= 0 && props.groupOf(at) !== undefined ? ROW_HEIGHT : 0,
    paused: followPaused,
  })
  // After `useFollow`, which moves the scroller.
  const inSight = useRowsInSight({
    scroller,
    count: rows.length,
    rowHeight: ROW_HEIGHT,
    revision,
    headHeight,
    held: follow.held,
  })

  // Only a new selection moves the list; rows that come and go do not, unless it is the selected one that comes.
  const awaited = useRef(false)
  const reveal = useEffectEvent((row: number) => {
    const element = scroller.current
    const index = rowIndexOf(rows, row, edge)
    awaited.current = index < 0
    if (element === null || index < 0) return
    const top = index * ROW_HEIGHT
    const room = element.clientHeight - headHeight
    // Above a call stands the head of its group.
    const least = row >= 0 && props.groupOf(row) !== undefined ? top - ROW_HEIGHT : top
    if (least < element.scrollTop) element.scrollTop = least
    else if (top + ROW_HEIGHT > element.scrollTop + room) element.scrollTop = top + ROW_HEIGHT - room
  })
  useEffect(() => {
    if (at !== null) reveal(at)
  }, [at, props.grouped])
  useEffect(() => {
    if (at !== null && awaited.current) reveal(at)
  }, [at, revision])
  const stillness = useStillness(revision)
  const [elements] = useState(() => new RowSlots())
  const shown = rows.slice(inSight.first, inSight.end)
  const slots = elements.assign(shown)
  const order = elements.order(slots, stillness.still)
  const uppermost = rows[inSight.top]
  const group = uppermost === undefined ? undefined : props.groupOf(uppermost)
  const drawn = at !== null && (shown.includes(at) || pinned.includes(at))
  const tracks: CSSProperties & Record<'--tracks' | '--least', string> = {
    '--tracks': gridTemplate(columns, widths),
    '--least': `${leastWidth(columns, widths) + (columns.length - 1) * GAP + PADDING}px`,
  }
  return (
    <div className={styles.table} style={tracks} data-testid="calls-table" data-tour="table">
      <div
        ref={scroller}
        className={styles.scroller}
        role={props.grouped ? 'treegrid' : 'grid'}
        aria-label="calls"
        aria-rowcount={rows.length + pinned.length + 1}
        aria-colcount={columns.length}
        aria-activedescendant={drawn ? rowId(at) : undefined}
        tabIndex={0}
        onScroll={() => {
          follow.onScroll()
          inSight.onScroll()
          stillness.onScroll()
        }}
      >
        <div className={styles.head} role="rowgroup">
          <TableHeader columns={columns} sort={sort} onSort={props.onSort} onResize={props.onResize} />
          {pinned.length > 0 && (
            <div className={styles.pinned} role="presentation">
              {pinned.map((call, index) => (
                <div key={call} role="presentation">
                  {renderRow(call, index + 2)}
                </div>
              ))}
            </div>
          )}
          {group !== undefined && (group !== uppermost || inSight.within) && (
            <div className={styles.groupAbove} aria-hidden="true" data-testid="group-above">
              {props.renderGroup(group)}
            </div>
          )}
        </div>
        <div className={styles.body} style={{ height: rows.length * ROW_HEIGHT }} role="rowgroup">
          {order.map((place) => (
            <div
              key={slots[place]}
              className={styles.slot}
              style={{ transform: `translateY(${(inSight.first + place) * ROW_HEIGHT}px)` }}
              role="presentation"
            >
              {renderRow(shown[place] ?? 0, pinned.length + inSight.first + place + 2)}
            </div>
          ))}
        </div>
      </div>
      <div className={styles.menuPlace}>{props.menu}</div>
      {props.empty}
      <FollowPill
        fresh={follow.fresh}
        paused={followPaused || (props.live && follow.setAside)}
        edge={edge ?? 'end'}
        onClick={() => {
          props.onResumeFollow()
          follow.toEdge()
        }}
      />
    </div>
  )
}

function FollowPill(props: { fresh: number; paused: boolean; edge: 'end' | 'top'; onClick: () => void }) {
  const { fresh, paused, edge, onClick } = props
  if (fresh === 0 && !paused) return null
  const Arrow = edge === 'end' ? ArrowDown : ArrowUp
  return (
    <div className={styles.foot}>
      <button
        type="button"
        className={`${styles.pill ?? ''} ${fresh === 0 ? (styles.paused ?? '') : ''}`}
        data-testid="new-pill"
        onClick={onClick}
      >
        {fresh === 0 ? <Pause size={12} aria-hidden /> : <Arrow size={13} aria-hidden />}
        {fresh === 0 ? 'follow paused' : `${formatCount(fresh)} new`}
      </button>
    </div>
  )
}
