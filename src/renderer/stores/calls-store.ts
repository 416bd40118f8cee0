import { createStore, type StoreApi } from 'zustand/vanilla'
import type { CommandError, DeskConnection } from '../../shared/api/contract'
import type { Filter, FilterContext } from '../../shared/capture/filter-types'
import type { CallSummary } from '../../shared/capture/summary'
import { compareBy } from '../calls/columns'
import { toCommandError } from '../connection/command-failure'
import { binaryInsert, binaryRemove } from './ordered-numbers'
import type { Sort } from './preferences-store'
import { StreamsSeen } from './streams-seen'
import { subscribe } from './subscribe'

const PAGE = 1_000
/** Above this many rows, an order that is not by number is brought up to date at most four times a second. */
const RESORT_AT_ONCE = 4_000
const RESORT_DELAY_MS = 250
/** What is pushed in quick succession is drawn together: a desk that is behind catches up instead of drawing the past. */
const TOGETHER_MS = 16
const SEARCH_AGAIN_MS = 1_000
const SINCE_AGAIN_MS = 5_000

export interface CallsState {
  /** Counts changes of `rows` and `pinned`, which are changed in place. */
  revision: number
  /** Numbers of the calls in the table, in its order. */
  rows: readonly number[]
  /** Calls in flight that are shown above the table; empty unless they are pinned. */
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
  readonly #members = new Set<number>()
  readonly #streams = new StreamsSeen()
  #numbers: number[] = []
  /** Every call up to this one is here; above it there may be gaps, since the feed brings the newest first. */
  #loadedTo = 0
  /** Nothing was missed since loading ended. */
  #complete = false
  /** Pushed summaries that wait, the newest state of each. */
  readonly #pushed = new Map<number, CallSummary>()
  #pushDue = false
  #rows: number[] = []
  #pinned: number[] = []
  #sort: Sort = { column: 'call', descending: false }
  #pinInFlight = false
  #bodyHits = new Map<string, ReadonlySet<number>>()
  #resortDue = false
  #searchDue = false
  #filterRun = 0
  #loadRun = 0

  constructor(options: CallsStoreOptions) {
    this.#options = options
    this.store = createStore<CallsState>(() => ({
      revision: 0,
      rows: this.#rows,
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
    for (let index = this.#numbers.length - 1; index >= 0; index--) {
      const summary = this.#summaries.get(this.#numbers[index] ?? 0)
      if (summary !== undefined) yield summary
    }
  }

  /** All calls, in order of their numbers. */
  ordered(): CallSummary[] {
    return this.#numbers.flatMap((call) => this.#summaries.get(call) ?? [])
  }

  /** Puts these in the place of what is here. */
  replace(summaries: readonly CallSummary[]): void {
    this.#forget()
    this.apply(summaries)
    if (summaries.length === 0) this.#rebuild()
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener()
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
  async load(): Promise<void> {
    const run = ++this.#loadRun
    this.#complete = false
    this.store.setState({ loading: true, error: null })
    try {
      for (const call of [...this.#inFlight]) {
        const { calls } = await this.#options.connection.command('calls.list', { after: call - 1, limit: 1 })
        if (run !== this.#loadRun) return
        this.apply(calls)
      }
      for (;;) {
        const page = await this.#options.connection.command('calls.list', { after: this.#loadedTo, limit: PAGE })
        if (run !== this.#loadRun) return
        this.apply(page.calls)
        const last = page.calls.at(-1)
        this.#loadedTo = last?.call ?? this.#loadedTo
        if (!page.more || last === undefined) break
      }
      this.#complete = true
      this.store.setState({ loading: false })
    } catch (reason) {
      if (run === this.#loadRun) this.store.setState({ loading: false, error: toCommandError(reason) })
    }
  }

  /** Forgets everything: another run of Sluice counts from 1 again. */
  clear(): void {
    this.#loadRun++
    this.#loadedTo = 0
    this.#complete = false
    this.#bodyHits = new Map()
    this.#forget()
    this.#rebuild()
  }

  #forget(): void {
    this.#pushed.clear()
    this.#summaries.clear()
    this.#inFlight.clear()
    this.#streams.clear()
    this.#rounds.clear()
    this.#numbers = []
    this.#rows = []
    this.#pinned = []
    this.#members.clear()
  }

  /** The feed has ended: what comes when it begins again does not join what is here. */
  disconnected(): void {
    this.#applyPushed()
    if (this.#complete) this.#loadedTo = this.#numbers.at(-1) ?? 0
    this.#complete = false
    this.#loadRun++
  }

  /** Takes summaries from the feed: at once, or together with others when they come in quick succession. */
  receive(changed: readonly CallSummary[]): void {
    for (const summary of changed) this.#pushed.set(summary.call, summary)
    if (this.#pushDue) return
    this.#applyPushed()
    this.#pushDue = true
    this.#options.later(() => {
      this.#pushDue = false
      if (this.#pushed.size > 0) this.receive([])
    }, TOGETHER_MS)
  }

  #applyPushed(): void {
    const pushed = [...this.#pushed.values()]
    this.#pushed.clear()
    this.apply(pushed)
  }

  /** Takes new and changed summaries. */
  apply(changed: readonly CallSummary[]): void {
    // What was pushed before is older.
    if (this.#pushed.size > 0) this.#applyPushed()
    if (changed.length === 0) return
    const context = this.#context()
    const touched: number[] = []
    let resort = false
    for (const summary of changed) {
      const { call } = summary
      if (!this.#summaries.has(call)) this.#insertNumber(call)
      this.#summaries.set(call, summary)
      if (summary.stream !== null) this.#streams.note(summary)
      if (summary.outcome === null) this.#inFlight.add(call)
      else this.#inFlight.delete(call)
      this.#place(summary, context)
      resort ||= !this.#sortedByNumber && this.#members.has(call)
      this.#noteRound(summary)
      touched.push(call)
    }
    if (resort) this.#resort()
    this.#publish()
    for (const call of touched) for (const listener of this.#listeners.get(call) ?? []) listener()
    if ((this.store.getState().filter?.bodyTexts.length ?? 0) > 0) this.#searchAgain()
  }

  setSort(sort: Sort): void {
    this.#sort = sort
    this.#rebuild()
  }

  setPinInFlight(pin: boolean): void {
    this.#pinInFlight = pin
    this.#rebuild()
  }

  setFilter(text: string): void {
    const run = ++this.#filterRun
    const filter = text.trim() === '' ? null : this.#options.parseFilter(text)
    this.#bodyHits = new Map()
    this.store.setState({ filter, filterText: text, searching: false, searchError: null })
    this.#rebuild()
    if (filter !== null && filter.bodyTexts.length > 0) void this.#search(run)
    if (/\bsince:/.test(text)) this.#ageAgain(run)
  }

  #noteRound({ operation, round }: CallSummary): void {
    if (operation === null || round <= this.roundsOf(operation)) return
    this.#rounds.set(operation, round)
    for (const listener of this.#operationListeners.get(operation) ?? []) listener()
  }

  get #sortedByNumber(): boolean {
    return this.#sort.column === 'call' || this.#sort.column === 'time'
  }

  #context(): FilterContext {
    return { now: this.#options.now(), bodyHits: this.#bodyHits }
  }

  #insertNumber(call: number): void {
    const last = this.#numbers.at(-1)
    if (last === undefined || call > last) this.#numbers.push(call)
    else binaryInsert(this.#numbers, call, false)
  }

  /** Puts a call where it belongs now: in the table, above it, or nowhere. */
  #place(summary: CallSummary, context: FilterContext): void {
    const { call } = summary
    const passes = this.store.getState().filter?.matches(summary, context) ?? true
    const pinned = passes && this.#pinInFlight && summary.outcome === null
    if (pinned) binaryInsert(this.#pinned, call, false)
    else binaryRemove(this.#pinned, call, false)
    const member = passes && !pinned
    if (member === this.#members.has(call)) return
    if (member) this.#members.add(call)
    else this.#members.delete(call)
    if (this.#sortedByNumber) {
      if (member) binaryInsert(this.#rows, call, this.#sort.descending)
      else binaryRemove(this.#rows, call, this.#sort.descending)
    } else if (member) {
      this.#rows.push(call)
    } else {
      this.#rows.splice(this.#rows.indexOf(call), 1)
    }
  }

  #rebuild(): void {
    const context = this.#context()
    const { filter } = this.store.getState()
    this.#rows = []
    this.#pinned = []
    this.#members.clear()
    for (const call of this.#numbers) {
      const summary = this.#summaries.get(call)
      if (summary === undefined || !(filter?.matches(summary, context) ?? true)) continue
      if (this.#pinInFlight && summary.outcome === null) {
        this.#pinned.push(call)
      } else {
        this.#members.add(call)
        this.#rows.push(call)
      }
    }
    this.#sortRows()
    this.#publish()
  }

  #sortRows(): void {
    if (this.#sortedByNumber) {
      if (this.#sort.descending) this.#rows.reverse()
      return
    }
    const compare = compareBy(this.#sort.column)
    const direction = this.#sort.descending ? -1 : 1
    this.#rows.sort((a, b) => {
      const left = this.#summaries.get(a)
      const right = this.#summaries.get(b)
      return left === undefined || right === undefined ? 0 : direction * compare(left, right)
    })
  }

  #resort(): void {
    if (this.#rows.length <= RESORT_AT_ONCE) {
      this.#sortRows()
      return
    }
    if (this.#resortDue) return
    this.#resortDue = true
    this.#options.later(() => {
      this.#resortDue = false
      if (this.#sortedByNumber) return
      this.#sortRows()
      this.#publish()
    }, RESORT_DELAY_MS)
  }

  #publish(): void {
    this.store.setState((state) => ({
      revision: state.revision + 1,
      rows: this.#rows,
      pinned: this.#pinned,
      total: this.#numbers.length,
    }))
  }

  async #search(run: number): Promise<void> {
    const texts = this.store.getState().filter?.bodyTexts ?? []
    this.store.setState({ searching: true })
    try {
      const hits = new Map<string, ReadonlySet<number>>()
      for (const text of texts) {
        const { calls } = await this.#options.connection.command('calls.search', { text })
        if (run !== this.#filterRun) return
        hits.set(text, new Set(calls))
      }
      this.#bodyHits = hits
      this.store.setState({ searching: false, searchError: null })
      this.#rebuild()
    } catch (reason) {
      if (run === this.#filterRun) this.store.setState({ searching: false, searchError: toCommandError(reason) })
    }
  }

  #searchAgain(): void {
    if (this.#searchDue) return
    this.#searchDue = true
    this.#options.later(() => {
      this.#searchDue = false
      if ((this.store.getState().filter?.bodyTexts.length ?? 0) > 0) void this.#search(this.#filterRun)
    }, SEARCH_AGAIN_MS)
  }

  #ageAgain(run: number): void {
    this.#options.later(() => {
      if (run !== this.#filterRun) return
      this.#rebuild()
      this.#ageAgain(run)
    }, SINCE_AGAIN_MS)
  }
}
