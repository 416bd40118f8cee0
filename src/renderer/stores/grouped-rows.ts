import type { CallSummary } from '../../shared/capture/summary'
import { groupOf, type CallGroup, type GroupName, type TableGrouping } from '../calls/call-groups'
import { binaryInsert, binaryRemove, placeOf } from './ordered-numbers'
import type { Sort } from './preferences-store'
import { SortedValues } from './sorted-values'
import { isByNumber, sortCalls, type TableRows } from './table-rows'

/** There may be as many as calls: it is kept small. One without calls is kept too, so that it is the same row when it is back. */
interface Group extends GroupName {
  row: number
  /** In order of their numbers. */
  calls: number[]
  /** In the order of the table; null while that is by number. What came since the last `settle` is at the end. */
  sorted: number[] | null
  errors: number
  open: number
  frames: number
  /** Null before the first. */
  durations: SortedValues | null
  /** By what groups are ordered. */
  rank: number | string
}

/**
 * Calls put together by what they have in common: a row for each group, its calls below it while it is expanded. Counts and
 * the median are kept up to date call by call; the order is made anew by `settle`, from the one before, which costs little.
 */
export class GroupedRows implements TableRows {
  readonly by: TableGrouping
  readonly #get: (call: number) => CallSummary | undefined
  #sort: Sort
  readonly #groups = new Map<string, Group>()
  /** The group of row -1 first. */
  readonly #byRow: Group[] = []
  readonly #ordered: Group[] = []
  readonly #placed = new Map<number, { group: Group; summary: CallSummary }>()
  /** Whether groups are folded that were not folded or unfolded one by one, which `#others` were. */
  #folded = false
  readonly #others = new Set<number>()
  #list: number[] = []
  #unsettled = false
  /** The newest call of all groups; 0 without any. */
  #newest = 0

  constructor(by: TableGrouping, sort: Sort, get: (call: number) => CallSummary | undefined) {
    this.by = by
    this.#sort = sort
    this.#get = get
  }

  get list(): readonly number[] {
    return this.#list
  }

  get unsettled(): boolean {
    return this.#unsettled
  }

  set sort(sort: Sort) {
    this.#sort = sort
    for (const group of this.#ordered) group.sorted = isByNumber(sort) ? null : [...group.calls]
    this.#unsettled = true
  }

  put(summary: CallSummary, member: boolean): void {
    const { call } = summary
    const before = this.#placed.get(call)
    const name = member ? groupOf(summary, this.by) : null
    if (before !== undefined) {
      discount(before.group, before.summary)
      if (name?.key !== before.group.key) this.#leave(before.group, call)
      // Its order may be by what has changed.
      else if (!isByNumber(this.#sort)) this.#unsettled = true
    }
    if (name === null) return
    const group = this.#groupOf(name)
    if (before?.group !== group) {
      binaryInsert(group.calls, call, false)
      group.sorted?.push(call)
      this.#unsettled = true
    }
    tally(group, summary, 1)
    const duration = durationOf(summary)
    if (duration !== null) durationsOf(group).add(duration)
    this.#placed.set(call, { group, summary })
    this.#newest = Math.max(this.#newest, call)
  }

  fill(calls: readonly number[]): void {
    for (const group of this.#byRow) empty(group)
    this.#placed.clear()
    this.#newest = calls.at(-1) ?? 0
    const durations = new Map<Group, number[]>()
    for (const call of calls) {
      const summary = this.#get(call)
      if (summary === undefined) continue
      const group = this.#groupOf(groupOf(summary, this.by))
      group.calls.push(call)
      tally(group, summary, 1)
      this.#placed.set(call, { group, summary })
      const duration = durationOf(summary)
      if (duration === null) continue
      const all = durations.get(group)
      if (all === undefined) durations.set(group, [duration])
      else all.push(duration)
    }
    for (const [group, all] of durations) durationsOf(group).fill(all)
    if (!isByNumber(this.#sort)) for (const group of this.#byRow) group.sorted = [...group.calls]
    this.settle()
  }

  settle(): void {
    this.#unsettled = false
    this.#order()
    const list: number[] = []
    const backward = isByNumber(this.#sort) && this.#sort.descending
    for (const group of this.#ordered) {
      if (group.calls.length === 0) continue
      const lone = this.#isLone(group)
      if (!lone) list.push(group.row)
      if (!lone && !this.#isExpanded(group)) continue
      if (group.sorted !== null && group.sorted.length > 1) sortCalls(group.sorted, this.#sort, this.#get)
      const calls = group.sorted ?? group.calls
      if (backward) for (let at = calls.length - 1; at >= 0; at--) list.push(calls[at] ?? 0)
      else for (const call of calls) list.push(call)
    }
    this.#list = list
  }

  /** What the row of a group says; undefined when there is no such group now. */
  group(row: number): CallGroup | undefined {
    const group = this.#byRow[-1 - row]
    if (group === undefined || group.calls.length === 0) return undefined
    const { name, detail, calls, errors, open, durations } = group
    return {
      row,
      by: this.by,
      name,
      detail,
      calls: calls.length,
      errors,
      open,
      p50: durations?.median ?? null,
      expanded: this.#isExpanded(group),
    }
  }

  /** The row of the group that a call is in; undefined for a call that stands by itself or is not in the table. */
  rowOf(call: number): number | undefined {
    const group = this.#placed.get(call)?.group
    return group === undefined || this.#isLone(group) ? undefined : group.row
  }

  /** The newest call, and the row that shows it: its own, or that of its group while that is folded. */
  get newest(): { call: number; row: number } | null {
    const group = this.#placed.get(this.#newest)?.group
    if (group === undefined) return null
    return { call: this.#newest, row: this.#isLone(group) || this.#isExpanded(group) ? this.#newest : group.row }
  }

  /** How many calls are newer than one. */
  newerThan(call: number): number {
    let count = 0
    for (const { calls } of this.#byRow)
      if ((calls.at(-1) ?? 0) > call) count += calls.length - placeOf(calls, call + 1, false)
    return count
  }

  expand(row: number, expanded: boolean): void {
    if (expanded === this.#folded) this.#others.add(row)
    else this.#others.delete(row)
    this.settle()
  }

  expandAll(expanded: boolean): void {
    this.#folded = !expanded
    this.#others.clear()
    this.settle()
  }

  #isExpanded(group: Group): boolean {
    return this.#folded === this.#others.has(group.row)
  }

  /** Most operations have one round: a row above each would only take room. */
  #isLone(group: Group): boolean {
    return this.by === 'operation' && group.calls.length === 1
  }

  #groupOf({ key, name, detail }: GroupName): Group {
    const known = this.#groups.get(key)
    if (known !== undefined) return known
    const group: Group = {
      key,
      name,
      detail,
      row: -1 - this.#byRow.length,
      calls: [],
      sorted: isByNumber(this.#sort) ? null : [],
      errors: 0,
      open: 0,
      frames: 0,
      durations: null,
      rank: 0,
    }
    this.#groups.set(key, group)
    this.#byRow.push(group)
    this.#ordered.push(group)
    return group
  }

  #leave(group: Group, call: number): void {
    this.#placed.delete(call)
    binaryRemove(group.calls, call, false)
    group.sorted?.splice(group.sorted.indexOf(call), 1)
    if (call === this.#newest)
      this.#newest = this.#byRow.reduce((most, { calls }) => Math.max(most, calls.at(-1) ?? 0), 0)
    this.#unsettled = true
  }

  /** Groups stand in the order of the column that the calls are sorted by, as far as it says something of a group. */
  #order(): void {
    const direction = this.#sort.descending ? -1 : 1
    for (const group of this.#ordered) group.rank = rankOf(group, this.#sort)
    this.#ordered.sort((a, b) => {
      if (a.rank < b.rank) return -direction
      if (a.rank > b.rank) return direction
      return direction * (firstOf(a) - firstOf(b))
    })
  }
}

function rankOf(group: Group, { column, descending }: Sort): number | string {
  switch (column) {
    case 'call':
    case 'time':
      return descending ? (group.calls.at(-1) ?? 0) : firstOf(group)
    case 'duration':
    case 'life':
      return group.durations?.median ?? Number.POSITIVE_INFINITY
    case 'frames':
      return group.frames
    case 'answer':
      return group.errors / Math.max(1, group.calls.length)
    default:
      return group.name ?? ''
  }
}

function firstOf({ calls }: Group): number {
  return calls[0] ?? 0
}

/** How long a call took that tells of its group: not one that was broken off, and no stream of a subscription. */
function durationOf({ stream, outcome, endedAt, receivedAt }: CallSummary): number | null {
  return stream !== null || endedAt === null || outcome === 'cancelled' ? null : endedAt - receivedAt
}

function durationsOf(group: Group): SortedValues {
  return (group.durations ??= new SortedValues())
}

function discount(group: Group, summary: CallSummary): void {
  tally(group, summary, -1)
  const duration = durationOf(summary)
  if (duration !== null) group.durations?.remove(duration)
}

function tally(group: Group, { outcome, frames }: CallSummary, by: 1 | -1): void {
  if (outcome === null) group.open += by
  if (outcome === 'error' || outcome === 'tool-error') group.errors += by
  group.frames += by * frames
}

function empty(group: Group): void {
  group.calls = []
  group.sorted = group.sorted === null ? null : []
  group.errors = 0
  group.open = 0
  group.frames = 0
  group.durations = null
}
