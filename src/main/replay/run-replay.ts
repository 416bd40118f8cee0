import type { CompareRules } from '../../shared/replay/compare-rules'
import { DifferenceGroups } from '../../shared/replay/group-differences'
import type { PlannedOperation, ReplayPlan } from '../../shared/replay/plan'
import { MAX_REPORTED, type OperationReport, type ReplayReport } from '../../shared/replay/report'
import { OperationRun } from './operation-run'
import type { ReplayedCapture } from './recorded-rows'
import type { ReplayTarget } from './replay-target'
import { RunClock } from './run-clock'

export interface ReplayOptions {
  /** `in-order`: at most `concurrency` at once, as fast as they are answered. `captured`: each at its time. */
  pacing: 'in-order' | 'captured'
  /** 1 by default in order, 64 with the captured pacing. */
  concurrency?: number
  rules: CompareRules
  /** Whether an operation that needs consent may be sent. */
  consented: (operation: PlannedOperation) => boolean
  /** Of this Sluice, for requests that must name a client. */
  version: string
  /** How much longer than then an answer may take, in milliseconds. 60 s by default. */
  patienceMs?: number
  signal?: AbortSignal
}

export interface ReplayProgress {
  done: number
  total: number
  /** The one that has just ended. */
  operation: OperationReport
}

/** A replay under way. */
export interface ReplayRun {
  /** Never rejects. */
  readonly report: Promise<ReplayReport>
  readonly paused: boolean
  /** Begins no more operations; those under way go on. */
  pause(): void
  resume(): void
  /** Gives up what is under way; the report tells of what was done. */
  stop(): void
}

const DEFAULT_PATIENCE_MS = 60_000
const CAPTURED_CONCURRENCY = 64

/** Sends the operations of a plan again, and compares what comes back with what was recorded. */
export function runReplay(
  plan: ReplayPlan,
  parts: { capture: ReplayedCapture; target: ReplayTarget },
  options: ReplayOptions,
  onProgress: (progress: ReplayProgress) => void = () => undefined,
): ReplayRun {
  const clock = new RunClock()
  const abort = new AbortController()
  const stop = (): void => {
    abort.abort('the replay was stopped')
    clock.resume()
  }
  if (options.signal?.aborted === true) stop()
  else options.signal?.addEventListener('abort', stop, { once: true })
  const run = new Running(plan, parts, options, onProgress, clock, abort.signal)
  return {
    report: run.all().finally(() => options.signal?.removeEventListener('abort', stop)),
    get paused() {
      return clock.paused
    },
    pause: () => clock.pause(),
    resume: () => clock.resume(),
    stop,
  }
}

class Running {
  private readonly groups = new DifferenceGroups()
  private readonly operations: OperationReport[] = []
  private readonly same: OperationReport[] = []
  private readonly counts = { total: 0, same: 0, different: 0, failed: 0, 'not-sent': 0 }
  private more = 0
  private done = 0

  constructor(
    private readonly plan: ReplayPlan,
    private readonly parts: { capture: ReplayedCapture; target: ReplayTarget },
    private readonly options: ReplayOptions,
    private readonly onProgress: (progress: ReplayProgress) => void,
    private readonly clock: RunClock,
    private readonly signal: AbortSignal,
  ) {
    this.counts.total = plan.operations.length
  }

  async all(): Promise<ReplayReport> {
    const { rules, version, patienceMs = DEFAULT_PATIENCE_MS, pacing } = this.options
    const sender = new OperationRun({ ...this.parts, rules, version, patienceMs, signal: this.signal })
    const { concurrency = pacing === 'captured' ? CAPTURED_CONCURRENCY : 1 } = this.options
    const underWay = new Set<Promise<void>>()
    const first = Math.min(...this.plan.operations.flatMap(({ rounds }) => rounds.slice(0, 1).map(({ at }) => at)))
    for (const operation of this.ordered()) {
      const why = this.whyNot(operation)
      if (why !== undefined) {
        this.take(notSent(operation, why))
        continue
      }
      while (underWay.size >= Math.max(1, concurrency)) await Promise.race(underWay)
      const due = pacing === 'captured' ? ((operation.rounds[0]?.at ?? first) - first) / 1_000 : 0
      await this.clock.until(due, this.signal)
      const sending = (
        this.signal.aborted ? Promise.resolve(notSent(operation, 'the replay was stopped')) : sender.send(operation)
      )
        .then((report) => this.take(report))
        .finally(() => underWay.delete(sending))
      underWay.add(sending)
    }
    await Promise.all(underWay)
    await sender.close()
    return this.report()
  }

  private ordered(): PlannedOperation[] {
    if (this.options.pacing === 'in-order') return this.plan.operations
    const timeOf = ({ rounds }: PlannedOperation): number => rounds[0]?.at ?? 0
    return [...this.plan.operations].sort((a, b) => timeOf(a) - timeOf(b))
  }

  private whyNot(operation: PlannedOperation): string | undefined {
    if (operation.problem !== null) return operation.problem
    if (operation.consent === null || this.options.consented(operation)) return undefined
    return `it was not confirmed: ${operation.consent}`
  }

  private take(report: OperationReport): void {
    const { outcome, rounds, name, method } = report
    this.counts[outcome]++
    for (const { call, differences } of rounds)
      for (const difference of differences) this.groups.add({ ...difference, call, name: name ?? method })
    const kept = outcome === 'same' ? this.same : this.operations
    if (kept.length < MAX_REPORTED) kept.push(report)
    else this.more++
    this.done++
    this.onProgress({ done: this.done, total: this.counts.total, operation: report })
  }

  private report(): ReplayReport {
    const all = [...inOrder(this.operations), ...inOrder(this.same)]
    return {
      counts: { ...this.counts },
      groups: this.groups.list(),
      operations: all.slice(0, MAX_REPORTED),
      more: this.more + Math.max(0, all.length - MAX_REPORTED),
      stopped: this.signal.aborted,
      durationMs: Math.round(this.clock.elapsed()),
    }
  }
}

/** They ended in the order in which they were answered. */
function inOrder(operations: readonly OperationReport[]): OperationReport[] {
  return [...operations].sort((a, b) => a.index - b.index)
}

function notSent({ index, call, method, name, backend }: PlannedOperation, reason: string): OperationReport {
  return { index, call, method, name, backend, outcome: 'not-sent', reason, rounds: [] }
}
