import type { CommandError, Commands, DeskConnection } from '../../shared/api/contract'
import type { CallSummary } from '../../shared/capture/summary'
import { toCommandError } from '../connection/command-failure'
import type { Together } from './drawn-together'

const PAGE = 1_000

export interface CallsArrivalOptions {
  connection: Pick<DeskConnection, 'command'>
  together: Together
  /** Takes new and changed summaries. `show`: draw the table with them now. */
  take: (summaries: readonly CallSummary[], show: boolean) => void
  /** Calls that are here and have not ended. */
  inFlight: () => Iterable<number>
  isHere: (call: number) => boolean
  /** The highest number of a call that is here; 0 for none. */
  newest: () => number
  onState: (state: { loading: boolean; error?: CommandError | null }) => void
}

type CallsPage = Commands['calls.list']['response']

/** In so many turns of `together` calls that merely go on are drawn once: ten times a second is enough for a row. */
const TURNS = 2

/** How summaries come: in pages, of calls that were there before, and from the feed, of those that begin or change. */
export class CallsArrival {
  readonly #options: CallsArrivalOptions
  /** Every call up to this one is here; above it there may be gaps, since the feed brings the newest first. */
  #loadedTo = 0
  /** Nothing was missed since loading ended. */
  #complete = false
  /** Pushed summaries that wait, the newest state of each. */
  readonly #pushed = new Map<number, CallSummary>()
  #pushDue = false
  /** One of them begins or ends a call. */
  #pushUrgent = false
  #run = 0

  constructor(options: CallsArrivalOptions) {
    this.#options = options
  }

  /** Loads what is not here yet: calls after those that were loaded, and again those that were in flight. */
  async load(): Promise<void> {
    const { connection, inFlight, onState, take } = this.#options
    const run = ++this.#run
    this.#complete = false
    onState({ loading: true, error: null })
    try {
      for (const call of [...inFlight()]) {
        const { calls } = await connection.command('calls.list', { after: call - 1, limit: 1 })
        if (run !== this.#run) return
        this.takePushed()
        if (calls.length > 0) take(calls, true)
      }
      const ask = () => connection.command('calls.list', { after: this.#loadedTo, limit: PAGE })
      let next: Promise<CallsPage> | null = ask()
      for (let pages = 1; next !== null; pages++) {
        const { calls, more }: CallsPage = await next
        if (run !== this.#run) return
        this.#loadedTo = calls.at(-1)?.call ?? this.#loadedTo
        // The next page is on its way while this one is put in its place.
        next = more && calls.length > 0 ? ask() : null
        this.takePushed()
        // Drawing costs more than loading: after 1, 2, 4, … pages, and at the end.
        take(calls, next === null || (pages & (pages - 1)) === 0)
      }
      this.#complete = true
      onState({ loading: false })
    } catch (reason) {
      if (run === this.#run) onState({ loading: false, error: toCommandError(reason) })
    }
  }

  /**
   * Takes summaries from the feed: calls that begin or end at once, or together with others when they come in quick
   * succession, so that a desk that is behind catches up instead of drawing the past; those that merely go on when the
   * table is drawn next.
   */
  receive(changed: readonly CallSummary[]): void {
    for (const summary of changed) {
      this.#pushed.set(summary.call, summary)
      if (summary.outcome !== null || !this.#options.isHere(summary.call)) this.#pushUrgent = true
    }
    if (this.#pushDue) return
    this.#pushDue = true
    if (!this.#pushUrgent && changed.length > 0) return this.#takeAfter(1)
    this.takePushed()
    this.#takeAfter(TURNS)
  }

  #takeAfter(turns: number): void {
    this.#options.together(() => {
      if (this.#pushed.size > 0 && !this.#pushUrgent && turns > 1) return this.#takeAfter(turns - 1)
      this.#pushDue = false
      if (this.#pushed.size > 0) this.receive([])
    }, 'after')
  }

  /** Takes what waits: it is older than anything that comes by another way. */
  takePushed(): void {
    if (this.#pushed.size === 0) return
    const pushed = [...this.#pushed.values()]
    this.dropPushed()
    this.#options.take(pushed, true)
  }

  /** The feed has ended: what comes when it begins again does not join what is here. */
  disconnected(): void {
    this.takePushed()
    if (this.#complete) this.#loadedTo = this.#options.newest()
    this.#complete = false
    this.#run++
  }

  /** Leaves out what waits. */
  dropPushed(): void {
    this.#pushed.clear()
    this.#pushUrgent = false
  }

  /** Begins anew: another run of Sluice counts from 1 again. */
  reset(): void {
    this.#run++
    this.#loadedTo = 0
    this.#complete = false
    this.dropPushed()
  }
}
