import type { CallSummary } from './summary'

/** By what calls are put together. */
export const GROUPINGS = ['tool', 'backend', 'client', 'method', 'endpoint'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** Times are microseconds; null where no call of the group has one. */
export interface GroupStatistics {
  /** What its calls have in common; null for those that have none (a list names no tool). */
  name: string | null
  /** Of a tool: the backend that has it. */
  backend: string | null
  calls: number
  /** Still in flight. */
  open: number
  /** Ended with an error of any leg, or a tool's own. */
  errors: number
  cancelled: number
  p50: number | null
  p95: number | null
  p99: number | null
  /** Median time to the first frame that reached the client: a notification, or else the result. */
  firstFrame: number | null
  /** Notifications and terminal responses sent to clients. */
  frames: number
  bytesIn: number
  bytesOut: number
  findings: number
}

interface Gathering extends Omit<GroupStatistics, 'p50' | 'p95' | 'p99' | 'firstFrame'> {
  durations: number[]
  firstFrames: number[]
}

/**
 * Statistics of groups of calls, gathered a slice at a time, so that 100 000 calls need not be looked at in one go. A stream
 * of a subscription says nothing of times and is left out of them.
 */
export class Statistics {
  readonly #groups = new Map<string, Gathering>()

  constructor(readonly by: Grouping) {}

  add(call: CallSummary): void {
    const name = groupNameOf(call, this.by)
    const backend = this.by === 'tool' ? call.backend : null
    const key = `${backend ?? ''}\n${name ?? ''}\n${name === null}`
    let group = this.#groups.get(key)
    if (group === undefined) this.#groups.set(key, (group = emptyGroup(name, backend)))
    gather(group, call)
  }

  /** The groups, the one with the most calls first. */
  groups(): GroupStatistics[] {
    const groups = [...this.#groups.values()].map(settle)
    return groups.sort((one, other) => other.calls - one.calls || compareNames(one, other))
  }
}

/** What a call has in common with others; null when it has none of that (a list names no tool). */
export function groupNameOf(call: CallSummary, by: Grouping): string | null {
  switch (by) {
    case 'tool':
      return call.upstreamTarget ?? call.target
    case 'backend':
      return call.backend ?? (call.backends.length > 0 ? call.backends.join(', ') : null)
    case 'client':
      return call.client
    case 'method':
      return call.method
    case 'endpoint':
      return call.endpoint
  }
}

function gather(group: Gathering, call: CallSummary): void {
  group.calls++
  if (call.outcome === 'error' || call.outcome === 'tool-error') group.errors++
  if (call.outcome === 'cancelled') group.cancelled++
  group.frames += call.frames
  group.bytesIn += call.bytesIn
  group.bytesOut += call.bytesOut
  group.findings += call.findings
  if (call.endedAt === null) group.open++
  if (call.stream !== null) return
  // What the client broke off says how long it waited, not how long the answer takes.
  if (call.endedAt !== null && call.outcome !== 'cancelled') group.durations.push(call.endedAt - call.receivedAt)
  const first = firstFrameOf(call)
  if (first !== null) group.firstFrames.push(first)
}

function firstFrameOf(call: CallSummary): number | null {
  const mark = call.life.find(({ mark }) => mark !== 'ping' && mark !== 'withheld')
  if (mark !== undefined) return mark.at
  return call.endedAt === null || call.frames === 0 ? null : call.endedAt - call.receivedAt
}

function emptyGroup(name: string | null, backend: string | null): Gathering {
  return {
    name,
    backend,
    calls: 0,
    open: 0,
    errors: 0,
    cancelled: 0,
    frames: 0,
    bytesIn: 0,
    bytesOut: 0,
    findings: 0,
    durations: [],
    firstFrames: [],
  }
}

function settle({ durations, firstFrames, ...counts }: Gathering): GroupStatistics {
  const sorted = Float64Array.from(durations).sort()
  return {
    ...counts,
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
    firstFrame: quantile(Float64Array.from(firstFrames).sort(), 0.5),
  }
}

/** The smallest value that at least `share` of all do not exceed (nearest rank). */
function quantile(sorted: Float64Array, share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null
}

function compareNames(one: GroupStatistics, other: GroupStatistics): number {
  return (one.name ?? '').localeCompare(other.name ?? '') || (one.backend ?? '').localeCompare(other.backend ?? '')
}
