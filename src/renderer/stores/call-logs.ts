import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ClippedEvent, CommandError, Commands, DeskConnection } from '../../shared/api/contract'
import type { CallEvent } from '../../shared/capture/events'
import { CallFold } from '../../shared/capture/fold'
import type { CallRecord } from '../../shared/capture/record'
import { toCommandError } from '../connection/command-failure'
import type { Together } from './drawn-together'

/** The whole of a text that was clipped. */
export type WholeText =
  { state: 'loading' } | { state: 'ready'; text: string } | { state: 'failed'; error: CommandError }

export interface CallLogState {
  status: 'loading' | 'ready' | 'failed'
  error: CommandError | null
  /** Grows in place; `revision` counts its changes. */
  record: CallRecord | null
  revision: number
  /** Events in the middle of a call of very many that did not come. */
  omitted: number
  /** Whole texts that were asked for, by event. */
  wholes: ReadonlyMap<number, WholeText>
}

/** Events that come in one answer, and those that are folded in one go. */
const PAGE = 2_000
const SLICE = 1_000

type Connection = Pick<DeskConnection, 'command' | 'openCall' | 'onFeed'>

/** Up to which moment events are shown, in microseconds since the capture began. */
export interface Horizon {
  at(): number
  onChange(listener: () => void): () => void
}

/** All that is known of one call, kept up to date while it is open. */
export class CallLog {
  readonly store: StoreApi<CallLogState>
  readonly call: number
  readonly #connection: Connection
  readonly #leave: (() => void)[]
  #fold = new CallFold()
  #lastSeq = 0
  #early: CallEvent[] | null = []
  readonly #earlyClipped: ClippedEvent[] = []
  #run = 0
  readonly #horizon: Horizon | null
  /** All events, and how many of them lie before the horizon. */
  #held: readonly CallEvent[] = []
  #shown = 0
  readonly #clipped = new Map<number, number>()
  /** Published a moment ago; and whether there is more since. */
  #drawn = false
  #grown = false

  constructor(
    call: number,
    connection: Connection,
    private readonly together: Together,
    horizon: Horizon | null,
  ) {
    this.call = call
    this.#horizon = horizon
    this.#connection = connection
    this.store = createStore<CallLogState>(() => ({
      status: 'loading',
      error: null,
      record: null,
      revision: 0,
      omitted: 0,
      wholes: new Map(),
    }))
    this.#leave = [
      connection.onFeed('call', (feed) => {
        if (feed.call === call) this.#receive(feed.events, feed.clipped)
      }),
      connection.openCall(call),
      horizon?.onChange(() => this.#followHorizon()) ?? (() => undefined),
    ]
    void this.load()
  }

  /** Loads everything (again): at first, and after the connection was lost. */
  async load(): Promise<void> {
    const run = ++this.#run
    this.#early ??= []
    try {
      let page = await this.#ask(0)
      if (run !== this.#run) return
      this.#fold = new CallFold()
      this.#lastSeq = 0
      if (this.#horizon !== null) {
        for (const { seq, length } of page.clipped) this.#clipped.set(seq, length)
        this.#held = page.events
        this.#shown = 0
        this.store.setState({ omitted: page.omitted ?? 0 })
        this.#early = null
        this.#followHorizon()
        return
      }
      for (let more = true; more;) {
        const { events, clipped } = page
        for (let from = 0; from < events.length; from += SLICE) {
          // Reading many has taken long enough already.
          if (page.more === true || events.length > SLICE) await pause()
          if (run !== this.#run) return
          this.#add(events.slice(from, from + SLICE), from === 0 ? clipped : [])
        }
        more = page.more === true
        if (more) page = await this.#ask(this.#lastSeq)
        if (run !== this.#run) return
      }
      // And drawing them takes as long again.
      if (page.events.length > SLICE) await pause()
      if (run !== this.#run) return
      const early = this.#early
      this.#early = null
      this.#add(early, this.#earlyClipped.splice(0))
      this.store.setState({ omitted: page.omitted ?? 0 })
      this.#publish()
    } catch (reason) {
      if (run === this.#run) this.store.setState({ status: 'failed', error: toCommandError(reason) })
    }
  }

  /** The events after `after`: of a capture, which is read from its file, all in one. */
  #ask(after: number): Promise<Commands['call.events']['response']> {
    const { call } = this
    return this.#connection.command('call.events', this.#horizon === null ? { call, after, limit: PAGE } : { call })
  }

  /** Asks for the whole text of event `seq`; it appears in `wholes`. */
  async loadWhole(seq: number): Promise<void> {
    const known = this.store.getState().wholes.get(seq)
    if (known !== undefined && known.state !== 'failed') return
    this.#setWhole(seq, { state: 'loading' })
    try {
      const { text } = await this.#connection.command('call.text', { call: this.call, seq })
      this.#setWhole(seq, { state: 'ready', text })
    } catch (reason) {
      this.#setWhole(seq, { state: 'failed', error: toCommandError(reason) })
    }
  }

  close(): void {
    this.#run++
    for (const leave of this.#leave) leave()
  }

  /** Shows the events up to the horizon: further ones when it moved on, else all anew. */
  #followHorizon(): void {
    if (this.#horizon === null || this.#held.length === 0) return
    const limit = this.#horizon.at()
    const last = this.#held[this.#shown - 1]
    if (last !== undefined && last.at > limit) {
      this.#fold = new CallFold()
      this.#lastSeq = 0
      this.#shown = 0
    }
    const from = this.#shown
    let to = from
    for (let next = this.#held[to]; next !== undefined && next.at <= limit; next = this.#held[to]) to++
    this.#shown = to
    const events = this.#held.slice(from, to)
    const clipped = events.flatMap(({ seq }) => {
      const length = this.#clipped.get(seq)
      return length === undefined ? [] : [{ seq, length }]
    })
    this.#add(events, clipped)
    this.#publish()
  }

  #receive(events: readonly CallEvent[], clipped: readonly ClippedEvent[]): void {
    if (this.#early !== null) {
      this.#early.push(...events)
      this.#earlyClipped.push(...clipped)
      return
    }
    if (!this.#add(events, clipped)) return
    this.#grown = true
    if (!this.#drawn) this.#publishGrown()
  }

  /** The first event of a while is shown at once, those that follow together. */
  #publishGrown(): void {
    this.#grown = false
    this.#drawn = true
    this.#publish()
    this.together(() => {
      this.#drawn = false
      if (this.#grown) this.#publishGrown()
    })
  }

  #add(events: readonly CallEvent[], clipped: readonly ClippedEvent[]): boolean {
    for (const { seq, length } of clipped) this.#fold.addClipped(seq, length)
    let grown = false
    for (const event of events) {
      // Feed and list overlap: an event that is known is not added again.
      if (event.seq <= this.#lastSeq) continue
      this.#fold.add(event)
      this.#lastSeq = event.seq
      grown = true
    }
    return grown
  }

  #publish(): void {
    this.store.setState((state) => ({
      status: 'ready',
      error: null,
      // Before its first event there is nothing to show.
      record: this.#lastSeq === 0 ? null : this.#fold.record,
      revision: state.revision + 1,
    }))
  }

  #setWhole(seq: number, whole: WholeText): void {
    this.store.setState(({ wholes }) => ({ wholes: new Map(wholes).set(seq, whole) }))
  }
}

/** The calls that something on screen looks at; each is opened once, and closed when nobody looks any more. */
export class CallLogs {
  readonly #connection: Connection
  readonly #together: Together
  readonly #horizon: Horizon | null
  readonly #open = new Map<number, { log: CallLog; users: number }>()

  constructor(connection: Connection, together: Together, horizon: Horizon | null = null) {
    this.#connection = connection
    this.#together = together
    this.#horizon = horizon
  }

  acquire(call: number): { log: CallLog; release: () => void } {
    let entry = this.#open.get(call)
    if (entry === undefined) {
      entry = { log: new CallLog(call, this.#connection, this.#together, this.#horizon), users: 0 }
      this.#open.set(call, entry)
    }
    const held = entry
    held.users++
    let released = false
    return {
      log: held.log,
      release: () => {
        if (released) return
        released = true
        if (--held.users > 0) return
        held.log.close()
        if (this.#open.get(call) === held) this.#open.delete(call)
      },
    }
  }

  /** Loads every open call again, after the connection was lost. */
  reload(): void {
    for (const { log } of this.#open.values()) void log.load()
  }
}

/** Lets the page draw and answer. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
