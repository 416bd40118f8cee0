import { memo, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { TimelineKind } from '../../shared/capture/record'
import { RowSlots } from '../controls/row-slots'
import { useRowsInSight } from '../controls/use-rows-in-sight'
import { useStillness } from '../controls/use-stillness'
import { formatDelta, formatFineOffset, formatOffset } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import { EndFollower } from './end-follower'
import type { FrameRow, FrameRows } from './frame-rows'
import styles from './frames-list.module.css'

const ROW = 24

/** The word of the list for a kind, where it is not the kind itself. */
const WORDS: Partial<Record<TimelineKind, string>> = {
  sent: 'request',
  comment: 'ping',
  'exchange-ended': 'closed',
  'server-request': 'request',
}

interface FramesListProps {
  frames: FrameRows
  /** The call is in flight: the list is shown at its end, and kept there. */
  grows: boolean
  /** Offsets in milliseconds with decimals, for calls that were over in a moment. */
  fine: boolean
  selected: number | null
  onSelect: (seq: number) => void
}

/** The frames of a call in order of time. Of a call in flight it follows the end while it is scrolled there. */
export function FramesList({ frames, grows, fine, selected, onSelect }: FramesListProps) {
  const { rows, indexOf } = frames
  const scroller = useRef<HTMLDivElement>(null)
  const [end] = useState(() => new EndFollower(grows))
  const selectedIndex = selected === null ? -1 : (indexOf.get(selected) ?? -1)
  const [elements] = useState(() => new RowSlots())
  const stillness = useStillness(rows.length)
  useLayoutEffect(() => {
    if (end.following && scroller.current !== null && selectedIndex < 0) {
      scroller.current.scrollTop = rows.length * ROW
    }
  }, [end, rows.length, selectedIndex])
  const onResize = useEffectEvent((element: HTMLElement) => end.resized(element, selectedIndex >= 0))
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => onResize(element))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // After what moves the scroller.
  const inSight = useRowsInSight({
    scroller,
    count: rows.length,
    rowHeight: ROW,
    revision: rows.length,
    headHeight: 0,
    held: end.following && selectedIndex < 0 ? 'end' : null,
  })
  const reveal = useEffectEvent((index: number) => {
    const element = scroller.current
    if (element === null) return
    const top = index * ROW
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + ROW > element.scrollTop + element.clientHeight) element.scrollTop = top + ROW - element.clientHeight
  })
  useEffect(() => {
    if (selectedIndex >= 0) reveal(selectedIndex)
  }, [selectedIndex])
  const shown = rows.slice(inSight.first, inSight.end)
  const slots = elements.assign(shown.map(({ seq }) => seq))

  return (
    <div
      ref={scroller}
      className={styles.list}
      role="listbox"
      aria-label="frames"
      aria-activedescendant={selectedIndex < 0 ? undefined : `frame-${rows[selectedIndex]?.seq ?? ''}`}
      tabIndex={0}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
        const next = rows[selectedIndex < 0 ? (step > 0 ? 0 : rows.length - 1) : selectedIndex + step]
        if (step === 0) return
        event.preventDefault()
        if (next !== undefined) onSelect(next.seq)
      }}
      onScroll={(event) => {
        end.scrolled(event.currentTarget)
        inSight.onScroll()
        stillness.onScroll()
      }}
    >
      <div className={styles.space} style={{ height: rows.length * ROW }} role="presentation">
        {elements.order(slots, stillness.still).map((place) => {
          const row = shown[place]
          return row === undefined ? null : (
            <div
              key={slots[place]}
              className={styles.slot}
              style={{ transform: `translateY(${(inSight.first + place) * ROW}px)` }}
              role="presentation"
            >
              <Row row={row} fine={fine} selected={inSight.first + place === selectedIndex} onSelect={onSelect} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

interface RowProps {
  row: FrameRow
  /** Offsets in milliseconds with decimals. */
  fine: boolean
  selected: boolean
  onSelect: (seq: number) => void
}

const Row = memo(function Row({ row, fine, selected, onSelect }: RowProps) {
  return (
    <div
      id={`frame-${row.seq}`}
      className={styles.row}
      role="option"
      aria-selected={selected}
      data-testid="frame-row"
      data-kind={row.kind}
      data-leg={row.leg}
      data-seq={row.seq}
      data-passed={row.passed !== undefined}
      onMouseDown={() => onSelect(row.seq)}
    >
      <span>{fine ? formatFineOffset(row.offset) : formatOffset(row.offset)}</span>
      <span className={styles.dim}>{formatDelta(row.delta)}</span>
      <span className={styles.dim}>{row.leg}</span>
      <span className={styles.kind} data-kind={row.kind} data-level={row.level}>
        {WORDS[row.kind] ?? row.kind}
      </span>
      <span className={styles.summary} title={visibleString(row.summary)}>
        <Visible text={row.summary} />
      </span>
      {row.passed !== undefined && (
        <span className={styles.passed} title="passed on to the client">
          → client
        </span>
      )}
    </div>
  )
}, isDrawnAlike)

/** Lines are made anew with every frame that comes, and mostly say the same. */
function isDrawnAlike(one: RowProps, other: RowProps): boolean {
  const [before, after] = [one.row, other.row]
  return (
    one.selected === other.selected &&
    one.fine === other.fine &&
    one.onSelect === other.onSelect &&
    before.seq === after.seq &&
    before.offset === after.offset &&
    before.delta === after.delta &&
    before.leg === after.leg &&
    before.kind === after.kind &&
    before.level === after.level &&
    before.summary === after.summary &&
    (before.passed === undefined) === (after.passed === undefined)
  )
}
