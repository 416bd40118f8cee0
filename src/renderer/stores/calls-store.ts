import { createStore, type StoreApi } from 'zustand/vanilla'
import type { CommandError, DeskConnection } from '../../shared/api/contract'
import type { Filter, FilterContext } from '../../shared/capture/filter-types'
import type { CallSummary } from '../../shared/capture/summary'
import type { CallGroup, TableGrouping } from '../calls/call-groups'
import { BodySearch } from './body-search'
import { CallsArrival } from './calls-arrival'
import type { Together } from './drawn-together'
import { GroupedRows } from './grouped-rows'
import { binaryInsert, binaryRemove, placeOf } from './ordered-numbers'
import type { Sort } from './preferences-store'
import { SharedValues } from './shared-values'
import { StreamsSeen } from './streams-seen'
import { subscribe } from './subscribe'
import { FlatRows, isByNumber, type TableRows } from './table-rows'

/** Above this many calls, an order that is not by number, or has groups, is brought up to date at most four times a second. */
const SETTLE_AT_ONCE = 4_000
const SETTLE_DELAY_MS = 250
const SINCE_AGAIN_MS = 5_000

export interface CallsState {
  /** Counts changes of any call. */
  changes: number
  /** Counts changes of `rows` and `pinned`, which are changed in place, and of what groups say. */
  revision: number
  /** Numbers of the calls in the table, in its order; those below zero stand for groups, see `CallsStore.group`. */
  rows: readonly number[]
  /** How many calls the filter lets through, whether they have a row or are folded away. */
  matching: number
  /** By what the rows are put together; null for one row a call. */
  grouping: TableGrouping | null
  /** Calls that are shown above the table: those that a reader has pinned and, if wanted, those in flight. */
  pinned: readonly number[]
  total: number
  loading: boolean
  error: CommandError | null
  filter: Filter | null
  filterText: string
  /** True while bodies are being searched for the filter. */
  searching: boolean
  searchError: CommandError | null
}

export interface CallsStoreOptions {
  connection: Pick<DeskConnection, 'command'>
  parseFilter: (text: string) => Filter
  /** Microseconds since the capture began. */
  now: () => number
  later: (task: () => void, delayMs: number) => void
  together: Together
}

/**
 * The rows of the calls table. Summaries live in one plain map; every row subscribes to its own call, so that a frame
 * of one call draws one row.
 */
export class CallsStore {
  readonly store: StoreApi<CallsState>
  readonly #options: CallsStoreOptions
  readonly #summaries = new Map<number, CallSummary>()
  readonly #listeners = new Map<number, Set<() => void>>()
  readonly #operationListeners = new Map<string, Set<() => void>>()
  /** Highest round by operation, for operations that have more than one. */
  readonly #rounds = new Map<string, number>()
  readonly #inFlight = new Set<number>()
  readonly #pinnedByReader = new Set<number>()
  readonly #streams = new StreamsSeen()
  readonly #shared = new SharedValues()
  /** All calls in order of their numbers, and these: a filter goes over all of them at each keystroke. */
  #ordered: CallSummary[] = []
  #numbers: number[] = []
  #sort: Sort = { column: 'call', descending: false }
  #rows: TableRows = this.#emptyRows(null)
  /** Numbers of the calls that the filter lets through, in order. */
  #members: number[] = []
  #pinned: number[] = []
  #pinInFlight = false
  readonly #arrival: CallsArrival
  readonly #bodies: BodySearch
  #settleDue = false
  #changes = 0
  /** The table is another than was published last. */
  #tableChanged = false
  #filterRun = 0

  constructor(options: CallsStoreOptions) {
    this.#options = options
    this.#arrival = new CallsArrival({
      ...options,
      take: (summaries, show) => {
        for (const summary of summaries) this.#shared.share(summary)
        this.#take(summaries, show)
      },
      inFlight: () => this.#inFlight,
      isHere: (call) => this.#summaries.has(call),
      newest: () => this.#numbers.at(-1) ?? 0,
      onState: (state) => this.store.setState(state),
    })
    this.#bodies = new BodySearch(options, (state, found) => {
      this.store.setState(state)
      if (found) this.#rebuild()
    })
    this.store = createStore<CallsState>(() => ({
      changes: 0,
      revision: 0,
      rows: this.#rows.list,
      matching: 0,
      grouping: null,
      pinned: this.#pinned,
      total: 0,
      loading: true,
      error: null,
      filter: null,
      filterText: '',
      searching: false,
      searchError: null,
    }))
  }

  get(call: number): CallSummary | undefined {
    return this.#summaries.get(call)
  }

  /** All calls, the newest first, for completion from seen values. */
  *newest(): Generator<CallSummary> {
    for (let index = this.#ordered.length - 1; index >= 0; index--) {
      const summary = this.#ordered[index]
      if (summary !== undefined) yield summary
    }
  }

  /** All calls, in order of their numbers. */
  ordered(): CallSummary[] {
    return this.#ordered.slice()
  }

  /** Numbers of the calls that the filter lets through, in order. */
  matching(): number[] {
    return this.#members.slice()
  }

  /** Puts these in the place of what is here. */
  replace(summaries: readonly CallSummary[]): void {
    this.#forget()
    for (const summary of summaries) this.#note(summary)
    this.#rebuild()
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener()
    this.#bodies.callsCame()
  }

  /** Streams of subscriptions that were written to, the newest first. */
  *streams(): Generator<CallSummary> {
    for (const call of this.#streams.newest()) {
      const summary = this.#summaries.get(call)
      if (summary !== undefined && summary.answer?.form === 'sse') yield summary
    }
  }

  /** Of them those that are open. */
  get openStreams(): number {
    return this.#streams.open
  }

  subscribeCall(call: number, listener: () => void): () => void {
    return subscribe(this.#listeners, call, listener)
  }

  /** The highest round that was seen of an operation. */
  roundsOf(operation: string): number {
    return this.#rounds.get(operation) ?? 1
  }

  subscribeRounds(operation: string, listener: () => void): () => void {
    return subscribe(this.#operationListeners, operation, listener)
  }

  /** Loads what is not here yet: calls after those that were loaded, and again those that were in flight. */
  load(): Promise<void> {
    return this.#arrival.load()
  }

  /** Forgets everything: another run of Sluice counts from 1 again. */
  clear(): void {
    this.#arrival.reset()
    this.#bodies.forget()
    this.#forget()
    this.#rebuild()
  }

  #forget(): void {
    this.#arrival.dropPushed()
    this.#changes++
    this.#summaries.clear()
    this.#inFlight.clear()
    this.#pinnedByReader.clear()
    this.#streams.clear()
    this.#rounds.clear()
    this.#ordered = []
    this.#numbers = []
  }

  /** The feed has ended: what comes when it begins again does not join what is here. */
  disconnected(): void {
    this.#arrival.disconnected()
  }

  /** Takes summaries from the feed, those that come in quick succession together. */
  receive(changed: readonly CallSummary[]): void {
    this.#arrival.receive(changed)
  }

  /** Takes new and changed summaries. */
  apply(changed: readonly CallSummary[]): void {
    this.#arrival.takePushed()
    if (changed.length > 0) this.#take(changed, true)
  }

  /** `show`: draw the table with them now. */
  #take(changed: readonly CallSummary[], show: boolean): void {
    const context = this.#context()
    const touched: number[] = []
    for (const summary of changed) {
      this.#note(summary)
      this.#place(summary, context)
      touched.push(summary.call)
    }
    this.#settle()
    if (show) this.#publish()
    for (const call of touched) for (const listener of this.#listeners.get(call) ?? []) listener()
    this.#bodies.callsCame()
  }

  setSort(sort: Sort): void {
    this.#sort = sort
    if (this.#rows instanceof GroupedRows) this.#rows.sort = sort
    else this.#rows = this.#emptyRows(null)
    this.#rebuild()
  }

  setGrouping(grouping: TableGrouping | null): void {
    if (grouping === this.store.getState().grouping) return
    this.#rows = this.#emptyRows(grouping)
    this.store.setState({ grouping })
    this.#rebuild()
  }

  /** What a row below zero says. */
  group(row: number): CallGroup | undefined {
    return this.#rows instanceof GroupedRows ? this.#rows.group(row) : undefined
  }

  /** The row of the group that a call is in. */
  groupRowOf(call: number): number | undefined {
    return this.#rows instanceof GroupedRows ? this.#rows.rowOf(call) : undefined
  }

  /** The groups of the table, which tell of the newest call; null without groups. */
  get groups(): Pick<GroupedRows, 'newest' | 'newerThan'> | null {
    return this.#rows instanceof GroupedRows ? this.#rows : null
  }

  expandGroup(row: number, expanded: boolean): void {
    if (!(this.#rows instanceof GroupedRows)) return
    this.#rows.expand(row, expanded)
    this.#publishTable()
  }

  expandAllGroups(expanded: boolean): void {
    if (!(this.#rows instanceof GroupedRows)) return
    this.#rows.expandAll(expanded)
    this.#publishTable()
  }

  setPinInFlight(pin: boolean): void {
    this.#pinInFlight = pin
    this.#rebuild()
  }

  setFilter(text: string): void {
    const run = ++this.#filterRun
    const filter = text.trim() === '' ? null : this.#options.parseFilter(text)
    this.#bodies.forget()
    this.store.setState({ filter, filterText: text, searching: false, searchError: null })
    this.#rebuild()
    this.#bodies.find(filter?.bodyTexts ?? [])
    if (/\bsince:/.test(text)) this.#ageAgain(run)
  }

  /** Takes a summary, without the table. */
  #note(summary: CallSummary): void {
    const { call } = summary
    this.#changes++
    this.#keep(summary)
    if (summary.stream !== null) this.#streams.note(summary)
    if (summary.outcome === null) this.#inFlight.add(call)
    else this.#inFlight.delete(call)
    if (summary.annotation?.pinned === true) this.#pinnedByReader.add(call)
    else this.#pinnedByReader.delete(call)
    this.#noteRound(summary)
  }

  #noteRound({ operation, round }: CallSummary): void {
    if (operation === null || round <= this.roundsOf(operation)) return
    this.#rounds.set(operation, round)
    for (const listener of this.#operationListeners.get(operation) ?? []) listener()
  }

  #emptyRows(grouping: TableGrouping | null): TableRows {
    const get = (call: number) => this.#summaries.get(call)
    return grouping === null ? new FlatRows(this.#sort, get) : new GroupedRows(grouping, this.#sort, get)
  }

  #context(): FilterContext {
    return { now: this.#options.now(), bodyHits: this.#bodies.hits }
  }

  #keep(summary: CallSummary): void {
    const { call } = summary
    const known = this.#summaries.has(call)
    this.#summaries.set(call, summary)
    const last = this.#numbers.at(-1)
    if (last === undefined || call > last) {
      this.#numbers.push(call)
      this.#ordered.push(summary)
      return
    }
    const index = placeOf(this.#numbers, call, false)
    if (known) {
      this.#ordered[index] = summary
      return
    }
    this.#numbers.splice(index, 0, call)
    this.#ordered.splice(index, 0, summary)
  }

  #isPinned(call: number): boolean {
    return this.#pinnedByReader.has(call) || (this.#pinInFlight && this.#inFlight.has(call))
  }

  /** Puts a call where it belongs now: in the table, above it, or nowhere. */
  #place(summary: CallSummary, context: FilterContext): void {
    const { call } = summary
    const rowsBefore = this.#rows.list.length
    const pinnedBefore = this.#pinned.length
    const passes = this.store.getState().filter?.matches(summary, context) ?? true
    const pinned = passes && this.#isPinned(call)
    if (pinned) binaryInsert(this.#pinned, call, false)
    else binaryRemove(this.#pinned, call, false)
    const member = passes && !pinned
    if (passes) binaryInsert(this.#members, call, false)
    else binaryRemove(this.#members, call, false)
    this.#rows.put(summary, member)
    // In order of numbers a call that was there already is where it was.
    const isSame =
      this.store.getState().grouping === null &&
      isByNumber(this.#sort) &&
      this.#rows.list.length === rowsBefore &&
      this.#pinned.length === pinnedBefore
    if (!isSame) this.#tableChanged = true
  }

  #rebuild(): void {
    this.#members = this.#passing()
    const maybe = this.#pinnedByReader.size > 0 || (this.#pinInFlight && this.#inFlight.size > 0)
    this.#pinned = maybe ? this.#members.filter((call) => this.#isPinned(call)) : []
    this.#rows.fill(maybe ? this.#members.filter((call) => !this.#isPinned(call)) : this.#members.slice())
    this.#publishTable()
  }

  /** Numbers of the calls that the filter lets through, in order. */
  #passing(): number[] {
    const { filter } = this.store.getState()
    if (filter === null) return this.#numbers.slice()
    const context = this.#context()
    const passing: number[] = []
    for (const summary of this.#ordered) if (filter.matches(summary, context)) passing.push(summary.call)
    return passing
  }

  #settle(): void {
    if (!this.#rows.unsettled) return
    if (this.#members.length <= SETTLE_AT_ONCE) {
      this.#rows.settle()
      return
    }
    if (this.#settleDue) return
    this.#settleDue = true
    this.#options.later(() => {
      this.#settleDue = false
      if (!this.#rows.unsettled) return
      this.#rows.settle()
      this.#publishTable()
    }, SETTLE_DELAY_MS)
  }

  #publishTable(): void {
    this.#tableChanged = true
    this.#publish()
  }

  #publish(): void {
    const changed = this.#tableChanged
    this.#tableChanged = false
    this.store.setState((state) => ({
      changes: this.#changes,
      revision: state.revision + (changed ? 1 : 0),
      rows: this.#rows.list,
      matching: this.#members.length,
      pinned: this.#pinned,
      total: this.#numbers.length,
    }))
  }

  #ageAgain(run: number): void {
    this.#options.later(() => {
      if (run !== this.#filterRun) return
      this.#rebuild()
      this.#ageAgain(run)
    }, SINCE_AGAIN_MS)
  }
}
