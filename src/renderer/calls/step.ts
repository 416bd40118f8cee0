import { placeOf } from '../stores/ordered-numbers'
import type { Edge } from './use-follow'

export type Step = 'next' | 'previous' | 'first' | 'last'

/** Where a row stands in the table; -1 when it is not in it. With an `edge` the rows are in order of their numbers. */
export function rowIndexOf(rows: readonly number[], row: number, edge: Edge): number {
  if (edge === null) return rows.indexOf(row)
  const index = placeOf(rows, row, edge === 'top')
  return rows[index] === row ? index : -1
}

/** The row that a step goes to: pinned calls come first; from nowhere, a step begins at the newest. */
export function stepTo(
  step: Step,
  from: number | null,
  rows: readonly number[],
  pinned: readonly number[],
  edge: Edge,
): number | undefined {
  const count = pinned.length + rows.length
  const at = (index: number) => (index < pinned.length ? pinned[index] : rows[index - pinned.length])
  if (step === 'first') return at(0)
  if (step === 'last') return at(count - 1)
  const current = from === null ? -1 : indexOf(from, rows, pinned, edge)
  if (current < 0) return edge === 'top' ? at(pinned.length) : at(count - 1)
  return at(Math.max(0, Math.min(count - 1, current + (step === 'next' ? 1 : -1))))
}

function indexOf(row: number, rows: readonly number[], pinned: readonly number[], edge: Edge): number {
  const above = pinned.indexOf(row)
  if (above >= 0) return above
  const index = rowIndexOf(rows, row, edge)
  return index < 0 ? -1 : pinned.length + index
}

/** The next row of which `is` says yes, from `from` on in one direction and around the end; undefined when there is none. */
export function nextOf(
  rows: readonly number[],
  from: number | null,
  direction: 1 | -1,
  is: (row: number) => boolean,
): number | undefined {
  const begin = from === null ? -1 : rows.indexOf(from)
  for (let away = 1; away <= rows.length; away++) {
    const row = rows.at((Math.max(begin, direction < 0 ? 0 : -1) + direction * away) % rows.length)
    if (row !== undefined && is(row)) return row
  }
  return undefined
}
