import { createStore, type StoreApi } from 'zustand/vanilla'
import type { BackendActivity, CommandError, DeskConnection } from '../../shared/api/contract'
import { toCommandError } from '../connection/command-failure'

export interface ActivityState {
  status: 'loading' | 'ready' | 'failed'
  error: CommandError | null
  /** Oldest first, at most `MOST_LINES`. */
  lines: readonly BackendActivity[]
  /** Lines that are not here: the desk was too slow for them. */
  skipped: number
}

export const MOST_LINES = 2_000

type Connection = Pick<DeskConnection, 'command' | 'onFeed' | 'onConnection'>

/** What one backend prints and does, followed while something on screen shows it. */
export class ActivityLog {
  readonly store: StoreApi<ActivityState>
  readonly #backend: string
  readonly #connection: Connection
  readonly #leave: (() => void)[]
  #lastSeq = 0
  #run = 0

  constructor(backend: string, connection: Connection) {
    this.#backend = backend
    this.#connection = connection
    this.store = createStore<ActivityState>(() => ({ status: 'loading', error: null, lines: [], skipped: 0 }))
    let lost = false
    this.#leave = [
      connection.onFeed('activity', (feed) => {
        if (feed.backend === backend) this.#add(feed.lines, feed.skipped)
      }),
      connection.onConnection((connected) => {
        if (connected && lost) void this.load()
        lost = !connected
      }),
    ]
    void this.load()
  }

  /** Loads the last lines (again), as after a failure. */
  async load(): Promise<void> {
    const run = ++this.#run
    try {
      const { lines } = await this.#connection.command('backend.activity', { backend: this.#backend })
      if (run !== this.#run) return
      // What the feed brought meanwhile may be newer than the answer.
      const last = lines.at(-1)?.seq ?? 0
      const later = this.store.getState().lines.filter(({ seq }) => seq > last)
      this.#lastSeq = later.at(-1)?.seq ?? last
      this.store.setState({ status: 'ready', error: null, lines: [...lines, ...later].slice(-MOST_LINES), skipped: 0 })
    } catch (reason) {
      if (run === this.#run) this.store.setState({ status: 'failed', error: toCommandError(reason) })
    }
  }

  close(): void {
    this.#run++
    for (const leave of this.#leave) leave()
  }

  #add(fed: readonly BackendActivity[], skipped: number): void {
    const fresh = fed.filter(({ seq }) => seq > this.#lastSeq)
    this.#lastSeq = fresh.at(-1)?.seq ?? this.#lastSeq
    if (fresh.length === 0 && skipped === 0) return
    this.store.setState((state) => ({
      lines: [...state.lines, ...fresh].slice(-MOST_LINES),
      skipped: state.skipped + skipped,
    }))
  }
}
