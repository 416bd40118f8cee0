import { MAX_PLANNED, type ReplayStart, type ReplayStatus, type ShownPlan } from '../../shared/api/replay'
import { partsBy } from '../../shared/capture/call-selection'
import { parseFilter, type FilterContext } from '../../shared/capture/filter'
import { compareRules } from '../../shared/replay/compare-rules'
import type { ReplayPlan } from '../../shared/replay/plan'
import type { OperationReport, ReplayReport } from '../../shared/replay/report'
import { currentTools } from '../replay/current-tools'
import { planReplay } from '../replay/plan-replay'
import type { ReplayedCapture } from '../replay/recorded-rows'
import type { ReplayTarget } from '../replay/replay-target'
import { runReplay, type ReplayRun } from '../replay/run-replay'
import { keepAnswers } from '../replay/update-capture'
import type { OpenedCapture } from '../capture/opened/open-capture'
import { CommandFailure } from './command-failure'

/** The calls are chosen already: only what a filter says of backends counts here. */
const NO_CONTEXT: FilterContext = { now: 0, bodyHits: new Map() }
/** Older ones are forgotten, those that are done first. */
const MAX_REPLAYS = 8
/** Desks are told of progress at most so often. */
const PROGRESS_MS = 100

/** What a replay is made of. */
export interface ReplaySource {
  capture: string | null
  name: string
  view: ReplayedCapture
}

interface Entry {
  status: ReplayStatus
  source: ReplaySource
  planning: AbortController
  plan: ReplayPlan | null
  run: ReplayRun | null
  report: ReplayReport | null
  /** Of every operation; the report has those that it shows. */
  operations: OperationReport[]
}

/** The replays of this run of Sluice, for all desks together. */
export class Replays {
  readonly #entries = new Map<string, Entry>()
  readonly #listeners = new Set<() => void>()
  #next = 1
  #toldAt = 0

  constructor(
    readonly target: ReplayTarget,
    readonly version: string,
  ) {}

  list(): ReplayStatus[] {
    return [...this.#entries.values()].map(({ status }) => status)
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Plans to send calls again; sends nothing of them. */
  async plan(
    source: ReplaySource,
    options: {
      calls?: readonly number[]
      filter?: string
      mapping?: Readonly<Record<string, string>>
      instead?: string
    },
  ): Promise<{ replay: string; plan: ShownPlan }> {
    if (options.instead !== undefined) this.close(options.instead)
    this.#makeRoom()
    const entry = this.#begin(source)
    const { status } = entry
    const chosen = options.calls === undefined ? undefined : new Set(options.calls)
    try {
      entry.plan = await planReplay({
        capture: source.view,
        selected: ({ call }) => chosen?.has(call) ?? true,
        ...(options.filter !== undefined && { isPart: partsBy(parseFilter(options.filter), NO_CONTEXT) }),
        ...(options.mapping === undefined ? {} : { mapping: options.mapping }),
        backends: this.target.backends(),
        tools: currentTools(this.target, this.version),
        signal: entry.planning.signal,
        onProgress: (done, total) => {
          Object.assign(status, { done, total })
          this.#progress()
        },
      })
    } catch (error) {
      this.#entries.delete(status.id)
      this.#changed()
      if (!entry.planning.signal.aborted) throw error
      throw new CommandFailure('failed', 'the plan was given up', 'begin again')
    }
    Object.assign(status, { state: 'planned', done: 0, total: entry.plan.counts.sent })
    this.#changed()
    return { replay: status.id, plan: this.#shown(entry.plan) }
  }

  show(replay: string): { plan: ShownPlan; report: ReplayReport | null } {
    const { plan, report } = this.#planned(replay)
    return { plan: this.#shown(plan), report }
  }

  /** Begins to send. Throws when the rules cannot be read, or it was begun before. */
  start({ replay, consented, pacing, ignore }: ReplayStart): void {
    const { entry, plan } = this.#planned(replay)
    const { status, source } = entry
    if (entry.run !== null) throw new CommandFailure('failed', 'this replay was begun already', 'plan another one')
    const read = compareRules({ ignore })
    if ('problem' in read) throw new CommandFailure('invalid-request', read.problem, 'write it as in "/content/0/text"')
    const allowed = consented === 'all' ? null : new Set(consented)
    const run = runReplay(
      plan,
      { capture: source.view, target: this.target },
      {
        pacing,
        rules: read.rules,
        version: this.version,
        consented: ({ index }) => allowed?.has(index) ?? true,
      },
      ({ done, total, operation }) => {
        status.counts[operation.outcome]++
        entry.operations.push(operation)
        Object.assign(status, { done, total })
        this.#progress()
      },
    )
    entry.run = run
    status.state = 'running'
    this.#changed()
    void run.report.then((report) => {
      entry.report = report
      const { total: _total, ...counts } = report.counts
      Object.assign(status, { state: 'done', stopped: report.stopped, counts })
      this.#changed()
    })
  }

  /** Keeps the new answers in the capture of the replay, which is written anew. Rejects in words. */
  keep(replay: string, capture: Pick<OpenedCapture, 'path' | 'index'>): Promise<{ updated: number; kept: number[] }> {
    const { entry, plan, report } = this.#planned(replay)
    if (report === null) throw new CommandFailure('failed', 'this replay is not done yet', 'wait for its report')
    return keepAnswers(capture, plan, entry.operations, this.target)
  }

  pause(replay: string, paused: boolean): void {
    const { entry } = this.#planned(replay)
    if (entry.run === null || entry.report !== null) return
    if (paused) entry.run.pause()
    else entry.run.resume()
    entry.status.state = entry.run.paused ? 'paused' : 'running'
    this.#changed()
  }

  stop(replay: string): void {
    const entry = this.#entries.get(replay)
    entry?.planning.abort()
    entry?.run?.stop()
  }

  close(replay: string): void {
    this.stop(replay)
    if (this.#entries.delete(replay)) this.#changed()
  }

  closeAll(): void {
    for (const id of [...this.#entries.keys()]) this.close(id)
  }

  #begin(source: ReplaySource): Entry {
    const id = `r${this.#next++}`
    const status: ReplayStatus = {
      id,
      capture: source.capture,
      name: source.name,
      state: 'planning',
      problem: null,
      done: 0,
      total: 0,
      stopped: false,
      counts: { same: 0, different: 0, failed: 0, 'not-sent': 0 },
    }
    const entry = {
      status,
      source,
      planning: new AbortController(),
      plan: null,
      run: null,
      report: null,
      operations: [],
    }
    this.#entries.set(id, entry)
    this.#changed()
    return entry
  }

  #makeRoom(): void {
    if (this.#entries.size < MAX_REPLAYS) return
    const all = [...this.#entries.values()]
    const over =
      all.find(({ status }) => status.state === 'done') ?? all.find(({ status }) => status.state === 'planned')
    if (over === undefined)
      throw new CommandFailure('failed', `${MAX_REPLAYS} replays are under way already`, 'stop one of them')
    this.close(over.status.id)
  }

  #planned(replay: string): { entry: Entry; plan: ReplayPlan; report: ReplayReport | null } {
    const entry = this.#entries.get(replay)
    if (entry?.plan) return { entry, plan: entry.plan, report: entry.report }
    throw new CommandFailure('not-found', 'there is no such replay', 'plan it again')
  }

  #shown({ mapping, operations, counts }: ReplayPlan): ShownPlan {
    const rank = (one: ReplayPlan['operations'][number]): number =>
      one.problem !== null ? 1 : one.consent !== null ? 0 : 2
    const sorted = [...operations].sort((a, b) => rank(a) - rank(b) || a.call - b.call)
    return {
      mapping,
      operations: sorted.slice(0, MAX_PLANNED),
      more: Math.max(0, sorted.length - MAX_PLANNED),
      counts,
      backends: this.target.backends(),
    }
  }

  #progress(): void {
    const now = Date.now()
    if (now - this.#toldAt < PROGRESS_MS) return
    this.#toldAt = now
    this.#changed()
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}
