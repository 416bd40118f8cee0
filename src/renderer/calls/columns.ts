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
  column('call', '#', 64, { numeric: true, always: true }),
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

export interface FittedColumns {
  columns: readonly Column[]
  widths: Partial<Record<ColumnId, number>>
  /** Left out for want of room. */
  withdrawn: readonly ColumnId[]
}

/**
 * What to draw in `available` pixels. What a call is aimed at keeps its room before the rest: first the lane gives way
 * down to its least, then columns get narrower or are left out, in the order of `GIVING_WAY`. Widths that were chosen
 * stay, and so does the column that the table is sorted by. What does not fit even so is scrolled sideways.
 */
export function fitColumns(
  columns: readonly Column[],
  widths: Partial<Record<ColumnId, number>>,
  available: number,
  sortedBy: ColumnId,
): FittedColumns {
  if (available === 0) return { columns, widths, withdrawn: [] }
  const fitted: Partial<Record<ColumnId, number>> = { ...widths }
  const withdrawn: ColumnId[] = []
  const kept = () => columns.filter((each) => !withdrawn.includes(each.id))
  const target = columns.find((each) => each.grows)
  const wanted = target === undefined ? 0 : Math.max(0, TARGET_ROOM - (widths[target.id] ?? target.least))
  const room = () => available - leastWidth(kept(), fitted) - GAP * (kept().length - 1) - PADDING - wanted

  const life = columns.find((each) => each.id === 'life')
  if (life !== undefined && widths.life === undefined) {
    fitted.life = Math.max(life.least, Math.min(life.width, life.width + room()))
  }
  for (const { id, width } of GIVING_WAY) {
    if (room() >= 0) break
    if (widths[id] !== undefined || !columns.some((each) => each.id === id)) continue
    if (width !== null) fitted[id] = width
    else if (id !== sortedBy) withdrawn.push(id)
  }
  // A table that is scrolled anyway has room for it.
  if (target !== undefined && room() + wanted < 0) fitted[target.id] = widths[target.id] ?? TARGET_ROOM
  return { columns: kept(), widths: fitted, withdrawn }
}
/** Room for the target, in pixels; what it does not get is taken from others. */
const TARGET_ROOM = 170
/** Columns by how well they can be done without; `width` is what they can do with, null when it is nothing. */
const GIVING_WAY: readonly { id: ColumnId; width: number | null }[] = [
  { id: 'era', width: null },
  { id: 'method', width: 96 },
  { id: 'answer', width: 92 },
  { id: 'frames', width: null },
  { id: 'time', width: null },
]
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
