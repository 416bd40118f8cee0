import { ArrowDown, ArrowUp } from 'lucide-react'
import type { KeyboardEvent, PointerEvent } from 'react'
import type { Sort } from '../stores/preferences-store'
import type { Column, ColumnId } from './columns'
import styles from './calls-table.module.css'

interface TableHeaderProps {
  columns: readonly Column[]
  sort: Sort
  onSort: (sort: Sort) => void
  onResize: (column: ColumnId, width: number) => void
}

const KEY_STEP = 12

export function TableHeader({ columns, sort, onSort, onResize }: TableHeaderProps) {
  return (
    <div className={styles.header} role="row" aria-rowindex={1}>
      {columns.map((column) => (
        <HeaderCell
          key={column.id}
          column={column}
          sorted={sort.column === column.id ? (sort.descending ? 'descending' : 'ascending') : 'none'}
          onSort={() => onSort({ column: column.id, descending: sort.column === column.id && !sort.descending })}
          onResize={(width) => onResize(column.id, Math.max(column.least, Math.round(width)))}
        />
      ))}
    </div>
  )
}

interface HeaderCellProps {
  column: Column
  sorted: 'ascending' | 'descending' | 'none'
  onSort: () => void
  onResize: (width: number) => void
}

function HeaderCell({ column, sorted, onSort, onResize }: HeaderCellProps) {
  const resizeByKey = (event: KeyboardEvent<HTMLElement>) => {
    if (!event.altKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return
    event.preventDefault()
    onResize(widthOf(event.currentTarget) + (event.key === 'ArrowLeft' ? -KEY_STEP : KEY_STEP))
  }
  const Arrow = sorted === 'ascending' ? ArrowUp : ArrowDown
  return (
    <div
      role="columnheader"
      aria-sort={sorted}
      className={[styles.title, column.numeric && styles.numericTitle, sorted !== 'none' && styles.sorted]
        .filter(Boolean)
        .join(' ')}
    >
      <button
        type="button"
        className={styles.sort}
        title={`Sort by ${column.title}. Alt + ← → changes the width.`}
        onClick={onSort}
        onKeyDown={resizeByKey}
      >
        {column.title}
        {sorted !== 'none' && <Arrow size={11} aria-hidden />}
      </button>
      <div className={styles.handle} onPointerDown={(event) => dragWidth(event, onResize)} />
    </div>
  )
}

function widthOf(inside: HTMLElement): number {
  return inside.closest('[role=columnheader]')?.getBoundingClientRect().width ?? 0
}

function dragWidth(event: PointerEvent<HTMLElement>, onResize: (width: number) => void): void {
  if (event.button !== 0) return
  const handle = event.currentTarget
  const from = event.clientX
  const width = widthOf(handle)
  event.preventDefault()
  handle.setPointerCapture(event.pointerId)
  handle.dataset.dragging = ''
  const move = (moved: globalThis.PointerEvent) => onResize(width + moved.clientX - from)
  handle.addEventListener('pointermove', move)
  handle.addEventListener(
    'lostpointercapture',
    () => {
      handle.removeEventListener('pointermove', move)
      delete handle.dataset.dragging
    },
    { once: true },
  )
}
