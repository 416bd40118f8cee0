import { createStore, type StoreApi } from 'zustand/vanilla'
import type { CommandError, Commands, DeskConnection } from '../../shared/api/contract'
import type { ReplayStart, ReplayStatus, ShownPlan } from '../../shared/api/replay'
import type { OperationOutcome, ReplayReport } from '../../shared/replay/report'
import { toCommandError } from '../connection/command-failure'

/** What is to be sent again, and where. */
export type PlanRequest = Commands['replay.plan']['request']

/** What is looked at in a report: kept while something else is looked at, two calls side by side for instance. */
export interface ReportView {
  outcome: OperationOutcome | 'all'
  /** Index of the group of differences whose calls are listed; null for all calls. */
  group: number | null
  /** Index of the operation that is open. */
  open: number | null
}

export const WHOLE_REPORT: ReportView = { outcome: 'all', group: null, open: null }

export interface ReplaysState {
  replays: readonly ReplayStatus[]
  /** The one that is looked at; null when something else is. */
  current: string | null
  /** What each is made of, so that it can be planned anew with another mapping. */
  requests: ReadonlyMap<string, PlanRequest>
  plans: ReadonlyMap<string, ShownPlan>
  reports: ReadonlyMap<string, ReplayReport>
  views: ReadonlyMap<string, ReportView>
  /** A plan is being made. */
  planning: boolean
  error: CommandError | null
}

/** The replays of this run of Sluice. */
export class Replays {
  readonly store: StoreApi<ReplaysState>
  readonly #connection: Pick<DeskConnection, 'command'>

  constructor(connection: Pick<DeskConnection, 'command' | 'onFeed'>) {
    this.#connection = connection
    this.store = createStore<ReplaysState>(() => ({
      replays: [],
      current: null,
      requests: new Map(),
      plans: new Map(),
      reports: new Map(),
      views: new Map(),
      planning: false,
      error: null,
    }))
    connection.onFeed('replays', ({ replays }) => this.#take(replays))
  }

  async refresh(): Promise<void> {
    await this.#guarded(async () => this.#take((await this.#connection.command('replay.list', {})).replays))
  }

  show(id: string | null): void {
    this.store.setState({ current: id })
    if (id !== null) void this.#load(id)
  }

  /** Looks at something else in the report of a replay. */
  look(id: string, change: Partial<ReportView>): void {
    this.store.setState(({ views }) => ({
      views: new Map(views).set(id, { ...WHOLE_REPORT, ...views.get(id), ...change }),
    }))
  }

  /** Makes a plan and shows it; sends nothing. */
  async plan(request: PlanRequest): Promise<void> {
    this.store.setState({ planning: true, error: null })
    await this.#guarded(async () => {
      const { replay, plan } = await this.#connection.command('replay.plan', request)
      const { instead: _instead, ...made } = request
      this.store.setState(({ plans, requests }) => ({
        plans: new Map(plans).set(replay, plan),
        requests: new Map(requests).set(replay, made),
        current: replay,
      }))
      await this.refresh()
    })
    this.store.setState({ planning: false })
  }

  async start(start: ReplayStart): Promise<void> {
    await this.#guarded(() => this.#connection.command('replay.start', start))
  }

  async pause(replay: string, paused: boolean): Promise<void> {
    await this.#guarded(() => this.#connection.command('replay.pause', { replay, paused }))
  }

  async stop(replay: string): Promise<void> {
    await this.#guarded(() => this.#connection.command('replay.stop', { replay }))
  }

  async close(replay: string): Promise<void> {
    await this.#guarded(() => this.#connection.command('replay.close', { replay }))
  }

  clearError(): void {
    this.store.setState({ error: null })
  }

  /** What is not here of a replay that another page, or this one before it was loaded anew, has begun. */
  async #load(id: string): Promise<void> {
    const { plans, reports, replays } = this.store.getState()
    const done = replays.find((each) => each.id === id)?.state === 'done'
    if (plans.has(id) && (!done || reports.has(id))) return
    await this.#guarded(async () => {
      const { plan, report } = await this.#connection.command('replay.show', { replay: id })
      this.store.setState((state) => ({
        plans: new Map(state.plans).set(id, plan),
        reports: report === null ? state.reports : new Map(state.reports).set(id, report),
      }))
    })
  }

  #take(replays: readonly ReplayStatus[]): void {
    this.store.setState((state) => {
      const has = (id: string) => replays.some((each) => each.id === id)
      const gone = state.replays.some(({ id }) => id === state.current && !has(id))
      const current = gone ? null : state.current
      return {
        replays,
        current,
        // One that was planned just now is not listed yet.
        plans: new Map([...state.plans].filter(([id]) => has(id) || id === current)),
        reports: new Map([...state.reports].filter(([id]) => has(id))),
        views: new Map([...state.views].filter(([id]) => has(id))),
      }
    })
    const { current } = this.store.getState()
    const status = replays.find(({ id }) => id === current)
    if (status !== undefined && status.state !== 'planning') void this.#load(status.id)
  }

  async #guarded(task: () => Promise<unknown>): Promise<void> {
    try {
      await task()
    } catch (reason) {
      this.store.setState({ error: toCommandError(reason) })
    }
  }
}
