import { performance } from 'node:perf_hooks'
import type { CallEvent } from '../../shared/capture/events'
import { CallFold } from '../../shared/capture/fold'
import { FINDING_RULES, findingsBy } from '../../shared/findings'

export interface FindingsQueueOptions {
  /** The events of an ended call that are in memory, if they are all. */
  inMemory: (call: number) => readonly CallEvent[] | undefined
  /** The events of a call, from wherever they are. */
  read: (call: number) => Promise<CallEvent[]>
  onFindings: (call: number, count: number) => void
  /** Something unexpected in a large call; it is passed over. */
  onFault: (error: unknown) => void
}

/** Calls with more events are looked at in slices, with the relay in between. */
const SMALL_CALL_EVENTS = 500
const SLICE_EVENTS = 500
/** When so many calls wait, the machine has better things to do: the oldest are not looked at. */
const MAX_WAITING = 20_000
/** Calls with more events are not looked at. */
const MAX_EVENTS = 200_000

/** Counts the findings of ended calls, off the way of the relay: small calls within a time budget, large ones one at a time in slices. */
export class FindingsQueue {
  private readonly small = new Map<number, readonly CallEvent[]>()
  private readonly large = new Set<number>()
  private busy: Promise<void> | null = null

  constructor(private readonly options: FindingsQueueOptions) {}

  get waiting(): number {
    return this.small.size + this.large.size
  }

  ended(call: number): void {
    const events = this.options.inMemory(call)
    if (events !== undefined && events.length <= SMALL_CALL_EVENTS) this.small.set(call, events)
    else this.large.add(call)
    for (const waiting of [this.small, this.large]) {
      if (waiting.size <= MAX_WAITING) continue
      for (const oldest of waiting.keys()) {
        waiting.delete(oldest)
        break
      }
    }
  }

  /** Looks at small calls for at most `budgetMs`, and sees to it that large ones are looked at. */
  work(budgetMs: number): void {
    const until = performance.now() + budgetMs
    for (const [call, events] of this.small) {
      this.small.delete(call)
      this.count(call, events)
      if (performance.now() >= until) break
    }
    if (this.large.size > 0) {
      this.busy ??= this.workLarge()
        .catch(this.options.onFault)
        .finally(() => (this.busy = null))
    }
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    while (this.waiting > 0 || this.busy !== null) {
      this.work(Infinity)
      await this.busy
    }
  }

  private count(call: number, events: readonly CallEvent[]): void {
    this.options.onFindings(call, countFindings(events))
  }

  private async workLarge(): Promise<void> {
    for (const call of this.large) {
      this.large.delete(call)
      const events = await this.options.read(call)
      if (events.length > MAX_EVENTS) continue
      const fold = new CallFold(undefined, false)
      for (let at = 0; at < events.length; at++) {
        const event = events[at]
        if (event !== undefined && isJudged(event)) fold.add(event)
        if (at % SLICE_EVENTS === SLICE_EVENTS - 1) await breath()
      }
      let count = 0
      for (const rule of FINDING_RULES) {
        count += findingsBy(rule, fold.record).length
        if (events.length > SMALL_CALL_EVENTS) await breath()
      }
      this.options.onFindings(call, count)
    }
  }
}

/** How many findings a call of few events has. */
export function countFindings(events: readonly CallEvent[]): number {
  const fold = new CallFold(undefined, false)
  for (const event of events) if (isJudged(event)) fold.add(event)
  let count = 0
  for (const rule of FINDING_RULES) count += findingsBy(rule, fold.record).length
  return count
}

/** Rules do not look at what the gateway sends (`JudgedCall`), so it is not read. */
function isJudged(event: CallEvent): boolean {
  return !event.kind.startsWith('response.')
}

function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
