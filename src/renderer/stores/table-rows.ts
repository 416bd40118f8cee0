import type { CallSummary } from '../../shared/capture/summary'
import { compareBy } from '../calls/columns'
import { binaryInsert, binaryRemove } from './ordered-numbers'
import type { Sort } from './preferences-store'

/** The rows of the table in their order. A row is the number of a call; below zero it stands for a group of calls. */
export interface TableRows {
  readonly list: readonly number[]
  /** Puts a call into the table or takes it out. */
  put(call: CallSummary, member: boolean): void
  /** Takes these, in order of their numbers, in place of what is here. The list is its own from then on. */
  fill(calls: number[]): void
  /** Changes were put that `list` does not show in their place, or at all. */
  readonly unsettled: boolean
  /** Brings `list` up to date. */
  settle(): void
}

export function isByNumber(sort: Sort): boolean {
  return sort.column === 'call' || sort.column === 'time'
}

/** One row a call. */
export class FlatRows implements TableRows {
  readonly #sort: Sort
  readonly #get: (call: number) => CallSummary | undefined
  /** What is in a list that is not in order of numbers, where it could not be found. */
  readonly #members = new Set<number>()
  #list: number[] = []
  #unsettled = false

  constructor(sort: Sort, get: (call: number) => CallSummary | undefined) {
    this.#sort = sort
    this.#get = get
  }

  get list(): readonly number[] {
    return this.#list
  }

  get unsettled(): boolean {
    return this.#unsettled
  }

  put({ call }: CallSummary, member: boolean): void {
    if (isByNumber(this.#sort)) {
      if (member) binaryInsert(this.#list, call, this.#sort.descending)
      else binaryRemove(this.#list, call, this.#sort.descending)
      return
    }
    if (member) this.#unsettled = true
    if (member === this.#members.has(call)) return
    if (member) {
      this.#members.add(call)
      this.#list.push(call)
    } else {
      this.#members.delete(call)
      this.#list.splice(this.#list.indexOf(call), 1)
    }
  }

  fill(calls: number[]): void {
    this.#list = calls
    this.#members.clear()
    if (isByNumber(this.#sort)) {
      if (this.#sort.descending) this.#list.reverse()
    } else {
      for (const call of this.#list) this.#members.add(call)
    }
    this.settle()
  }

  settle(): void {
    this.#unsettled = false
    if (!isByNumber(this.#sort)) sortCalls(this.#list, this.#sort, this.#get)
  }
}

/** Puts numbers of calls into an order that is not by number. */
export function sortCalls(calls: number[], sort: Sort, get: (call: number) => CallSummary | undefined): void {
  const compare = compareBy(sort.column)
  const direction = sort.descending ? -1 : 1
  calls.sort((a, b) => {
    const left = get(a)
    const right = get(b)
    return left === undefined || right === undefined ? 0 : direction * compare(left, right)
  })
}
