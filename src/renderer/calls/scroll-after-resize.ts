/** A table whose height has changed, as when the detail opens below it. All in pixels. */
export interface ResizedTable {
  scrollTop: number
  /** Room for rows, below what stands above them, before and now. */
  before: number
  now: number
  /** Where the row at which the reader is begins, with what belongs above it, and where it ends; null: there is none. */
  row: { begin: number; end: number } | null
  /** The reader came to that row from nowhere, which opened its detail and made the table lower. */
  opened: boolean
  /** The `scrollTop` at which the newest call is in sight; null: it is not followed. */
  newest: number | null
}

/**
 * Where a table that was made lower or higher is scrolled to. The row that was opened stays where it is if there is still
 * room for it; what was in sight and is being read stays in sight; otherwise the newest call does where it is followed.
 */
export function scrollAfterResize(table: ResizedTable): number {
  const { scrollTop, before, now, row, opened, newest } = table
  if (row === null || row.begin >= scrollTop + before || row.end <= scrollTop) return newest ?? scrollTop
  const showsRow = (top: number) => row.begin >= top && row.end <= top + now
  if (opened && showsRow(scrollTop)) return scrollTop
  if (newest !== null && showsRow(newest)) return newest
  // The beginning where there is no room for all of it.
  return Math.min(row.begin, Math.max(scrollTop, row.end - now))
}
