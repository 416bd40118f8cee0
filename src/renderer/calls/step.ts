import type { Sort } from '../stores/preferences-store'
import { placeOf } from '../stores/ordered-numbers'
import { edgeOf } from './use-follow'

export type Step = 'next' | 'previous' | 'first' | 'last'

/** Where a call stands in the table; -1 when it is not in it. */
export function rowIndexOf(rows: readonly number[], call: number, sort: Sort): number {
  const edge = edgeOf(sort)
  if (edge === null) return rows.indexOf(call)
  const index = placeOf(rows, call, edge === 'top')
  return rows[index] === call ? index : -1
}

/** The call that a step selects: pinned ones come first; with nothing selected, a step begins at the newest. */
export function stepTo(
  step: Step,
  selected: number | null,
  rows: readonly number[],
  pinned: readonly number[],
  sort: Sort,
): number | undefined {
  const count = pinned.length + rows.length
  const at = (index: number) => (index < pinned.length ? pinned[index] : rows[index - pinned.length])
  if (step === 'first') return at(0)
  if (step === 'last') return at(count - 1)
  const current = selected === null ? -1 : indexOf(selected, rows, pinned, sort)
  if (current < 0) return edgeOf(sort) === 'top' ? at(pinned.length) : at(count - 1)
  return at(Math.max(0, Math.min(count - 1, current + (step === 'next' ? 1 : -1))))
}

function indexOf(call: number, rows: readonly number[], pinned: readonly number[], sort: Sort): number {
  const above = pinned.indexOf(call)
  if (above >= 0) return above
  const index = rowIndexOf(rows, call, sort)
  return index < 0 ? -1 : pinned.length + index
}
