import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type HTMLAttributes, type ReactNode, type Ref } from 'react'
import styles from './dynamic-rows.module.css'

interface DynamicRowsProps extends Omit<HTMLAttributes<HTMLDivElement>, 'children'> {
  count: number
  /** Height of most rows in pixels; rows may be higher, they are measured. */
  rowHeight: number
  renderRow: (index: number) => ReactNode
  rowKey: (index: number) => string | number
  /** Brought into sight when it changes. */
  reveal?: number | null
  elementRef?: Ref<HTMLDivElement>
}

/** Up to this many rows all are drawn: text search of the browser and selection over rows then just work. */
const ALL_AT_ONCE = 300

/** A scrolled list of rows of different heights, of which only those in sight are drawn when there are many. */
export function DynamicRows(props: DynamicRowsProps) {
  return props.count <= ALL_AT_ONCE ? <AllRows {...props} /> : <RowsInSight {...props} />
}

function AllRows({ count, rowHeight: _height, renderRow, rowKey, reveal, elementRef, ...rest }: DynamicRowsProps) {
  const rows = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (reveal === undefined || reveal === null) return
    rows.current?.children[reveal]?.scrollIntoView({ block: 'nearest' })
  }, [reveal])
  return (
    <div {...rest} ref={elementRef} className={`${styles.scroller ?? ''} ${rest.className ?? ''}`}>
      <div ref={rows} role="presentation">
        {Array.from({ length: count }, (_, index) => (
          <div key={rowKey(index)} role="presentation">
            {renderRow(index)}
          </div>
        ))}
      </div>
    </div>
  )
}

function RowsInSight({ count, rowHeight, renderRow, rowKey, reveal, elementRef, ...rest }: DynamicRowsProps) {
  const scroller = useRef<HTMLDivElement | null>(null)
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: rowKey,
    overscan: 12,
    useFlushSync: false,
  })
  useEffect(() => {
    if (reveal !== undefined && reveal !== null) virtualizer.scrollToIndex(reveal, { align: 'auto' })
  }, [virtualizer, reveal])
  return (
    <div
      {...rest}
      ref={(element) => {
        scroller.current = element
        if (typeof elementRef === 'function') elementRef(element)
        else if (elementRef !== undefined && elementRef !== null) elementRef.current = element
      }}
      className={`${styles.scroller ?? ''} ${rest.className ?? ''}`}
    >
      <div className={styles.space} style={{ height: virtualizer.getTotalSize() }} role="presentation">
        {virtualizer.getVirtualItems().map((item) => (
          <div
            key={item.key}
            ref={virtualizer.measureElement}
            data-index={item.index}
            className={styles.slot}
            style={{ transform: `translateY(${item.start}px)` }}
            role="presentation"
          >
            {renderRow(item.index)}
          </div>
        ))}
      </div>
    </div>
  )
}
