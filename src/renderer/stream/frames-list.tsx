import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { TimelineKind } from '../../shared/capture/record'
import { formatDelta, formatFineOffset, formatOffset } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
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
  /** Offsets in milliseconds with decimals, for calls that were over in a moment. */
  fine: boolean
  selected: number | null
  onSelect: (seq: number) => void
}

/** The frames of a call in order of time. Follows its end while it is scrolled there. */
export function FramesList({ frames, fine, selected, onSelect }: FramesListProps) {
  const { rows, indexOf } = frames
  const scroller = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const selectedIndex = selected === null ? -1 : (indexOf.get(selected) ?? -1)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    getItemKey: (index) => rows[index]?.seq ?? index,
    overscan: 10,
    useFlushSync: false,
  })
  useEffect(() => {
    if (atEnd.current && scroller.current !== null && selectedIndex < 0) {
      scroller.current.scrollTop = scroller.current.scrollHeight
    }
  }, [rows.length, selectedIndex])
  const reveal = useEffectEvent((index: number) => virtualizer.scrollToIndex(index, { align: 'auto' }))
  useEffect(() => {
    if (selectedIndex >= 0) reveal(selectedIndex)
  }, [selectedIndex])

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
        const { scrollTop, scrollHeight, clientHeight } = event.currentTarget
        atEnd.current = scrollHeight - clientHeight - scrollTop < 6
      }}
    >
      <div className={styles.space} style={{ height: virtualizer.getTotalSize() }} role="presentation">
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index]
          return row === undefined ? null : (
            <div
              key={item.key}
              className={styles.slot}
              style={{ transform: `translateY(${item.start}px)` }}
              role="presentation"
            >
              <Row row={row} fine={fine} selected={item.index === selectedIndex} onSelect={onSelect} />
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

function Row({ row, fine, selected, onSelect }: RowProps) {
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
}
