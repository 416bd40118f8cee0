import type { CallSummary } from '../../shared/capture/summary'
import { formatEras } from '../text/format'

export const COLUMN_IDS = [
  'call',
  'time',
  'method',
  'target',
  'backend',
  'era',
  'answer',
  'frames',
  'duration',
  'life',
] as const
export type ColumnId = (typeof COLUMN_IDS)[number]

export function isColumnId(value: unknown): value is ColumnId {
  return typeof value === 'string' && (COLUMN_IDS as readonly string[]).includes(value)
}

export interface Column {
  id: ColumnId
  title: string
  /** Pixels. */
  width: number
  least: number
  numeric: boolean
  /** The column that takes the room left over. */
  grows: boolean
  /** Cannot be hidden: the row's name. */
  always: boolean
}

const column = (id: ColumnId, title: string, width: number, more: Partial<Column> = {}): Column => ({
  id,
  title,
  width,
  least: 40,
  numeric: false,
  grows: false,
  always: false,
  ...more,
})

export const COLUMNS: readonly Column[] = [
  column('call', '#', 56, { numeric: true, always: true }),
  column('time', 'time', 92),
  column('method', 'method', 114),
  column('target', 'target', 190, { grows: true, least: 90 }),
  column('backend', 'backend', 92),
  column('era', 'era', 48),
  column('answer', 'answer', 100, { least: 84 }),
  column('frames', 'frames', 52, { numeric: true }),
  column('duration', 'duration', 76, { numeric: true }),
  column('life', 'life', 250, { least: 110 }),
]

/** The tracks of the table's grid for the columns in sight, as a CSS value. */
export function gridTemplate(columns: readonly Column[], widths: Partial<Record<ColumnId, number>>): string {
  return columns
    .map((each) => {
      const width = widths[each.id]
      if (each.grows) return `minmax(${width ?? each.least}px, 1fr)`
      return `${Math.max(each.least, width ?? each.width)}px`
    })
    .join(' ')
}

/** Least width of the table for the columns in sight, in pixels; narrower windows scroll it sideways. */
export function leastWidth(columns: readonly Column[], widths: Partial<Record<ColumnId, number>>): number {
  return columns.reduce((sum, each) => {
    const width = widths[each.id]
    return sum + (each.grows ? (width ?? each.least) : Math.max(each.least, width ?? each.width))
  }, 0)
}

/**
 * The widths to draw with in `available` pixels: the lane gives way down to its least before the table is scrolled
 * sideways, unless its width was chosen.
 */
export function fitLife(
  columns: readonly Column[],
  widths: Partial<Record<ColumnId, number>>,
  available: number,
): Partial<Record<ColumnId, number>> {
  const life = columns.find((each) => each.id === 'life')
  if (life === undefined || widths.life !== undefined || available === 0) return widths
  const others = columns.filter((each) => each.id !== 'life')
  const target = others.some((each) => each.grows) ? TARGET_FIRST : 0
  const rest = available - leastWidth(others, widths) - target - GAP * (columns.length - 1) - PADDING
  return { ...widths, life: Math.max(life.least, Math.min(life.width, rest)) }
}
/** Room that the target gets beyond its least before the lane does. */
const TARGET_FIRST = 60
/** Between columns, and at both ends of a row, as in the style sheet. */
export const GAP = 8
export const PADDING = 24

/** Compares two calls by a column; equal ones by number, so that every order is total. Calls in flight last longest. */
export function compareBy(id: ColumnId): (a: CallSummary, b: CallSummary) => number {
  const key = sortKey(id)
  return (a, b) => {
    const left = key(a)
    const right = key(b)
    if (left < right) return -1
    return left > right ? 1 : a.call - b.call
  }
}

function sortKey(id: ColumnId): (call: CallSummary) => string | number {
  switch (id) {
    case 'call':
    case 'time':
      return (call) => call.call
    case 'method':
      return (call) => call.method ?? ''
    case 'target':
      return (call) => call.target ?? ''
    case 'backend':
      return (call) => call.backend ?? call.backends.join(' ')
    case 'era':
      return formatEras
    case 'answer':
      return (call) => (call.answer === null ? '' : `${call.answer.form} ${call.answer.status}`)
    case 'frames':
      return (call) => call.frames
    case 'duration':
    case 'life':
      return (call) => (call.endedAt === null ? Number.POSITIVE_INFINITY : call.endedAt - call.receivedAt)
  }
}
