import { performance } from 'node:perf_hooks'
import type { CallEvent } from '../../shared/capture/events'
import { CallFold } from '../../shared/capture/fold'
import { FINDING_RULES, findingsBy } from '../../shared/findings'

export interface FindingsQueueOptions {
  /** The events of a call that are in memory, if they are all. */
  inMemory: (call: number) => readonly CallEvent[] | undefined
  /** The events of a call, from wherever they are. */
  read: (call: number) => Promise<CallEvent[]>
  /** False when what is slow had better wait, since calls come. */
  calm: () => boolean
  onFindings: (call: number, count: number) => void
  /** Something unexpected in a call; it is passed over. */
  onFault: (error: unknown) => void
}

/** Calls with more events are looked at in slices, with the relay in between. */
const SMALL_CALL_EVENTS = 500
const SLICE_EVENTS = 500
/** When so many calls wait, at hand or to be read, the oldest are not looked at. As many as an index keeps. */
const MAX_WAITING = 100_000
/** What is left of them then. */
const KEPT_SHARE = 0.9
/** Calls with more events are not looked at. */
const MAX_EVENTS = 200_000

/**
 * Counts the findings of ended calls, off the way of the relay: small calls that are in memory within a time budget, others
 * one at a time while it is calm, large ones in slices.
 */
export class FindingsQueue {
  private readonly ready = new Set<number>()
  /** Calls that are large, or no longer in memory. */
  private readonly slow = new Set<number>()
  private busy: Promise<void> | null = null
  /** Somebody waits for the last one, so that nothing else is minded. */
  private awaited = 0

  constructor(private readonly options: FindingsQueueOptions) {}

  get waiting(): number {
    return this.ready.size + this.slow.size
  }

  ended(call: number): void {
    enter(call, this.ready)
  }

  /** Looks at calls for at most `budgetMs`, and sees to it that slow ones are looked at. */
  work(budgetMs: number): void {
    const until = performance.now() + budgetMs
    for (const call of this.ready) {
      this.ready.delete(call)
      try {
        const events = this.options.inMemory(call)
        if (events !== undefined && events.length <= SMALL_CALL_EVENTS)
          this.options.onFindings(call, countFindings(events))
        else enter(call, this.slow)
      } catch (error) {
        this.options.onFault(error)
      }
      if (performance.now() >= until) break
    }
    if (this.slow.size > 0) {
      this.busy ??= this.workSlow()
        .catch(this.options.onFault)
        .finally(() => (this.busy = null))
    }
  }

  /** What waits is not looked at any more. */
  forget(): void {
    this.ready.clear()
    this.slow.clear()
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    this.awaited++
    while (this.waiting > 0 || this.busy !== null) {
      this.work(Infinity)
      await this.busy
    }
    this.awaited--
  }

  private async workSlow(): Promise<void> {
    for (const call of this.slow) {
      if (this.awaited === 0 && !this.options.calm()) return
      this.slow.delete(call)
      const events = await this.options.read(call)
      // Of a call whose beginning is nowhere any more, rules would complain of what is only not there.
      if (events.length > MAX_EVENTS || events[0]?.kind !== 'call.received') continue
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

function enter(call: number, waiting: Set<number>): void {
  waiting.add(call)
  if (waiting.size <= MAX_WAITING) return
  // Many at once: a set walks over what was taken from its front to find the oldest.
  const most = MAX_WAITING * KEPT_SHARE
  for (const oldest of waiting) {
    if (waiting.size <= most) return
    waiting.delete(oldest)
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
