import type { CallSummary } from './summary'

/** What a capture is about, in numbers. */
export interface CaptureInfo {
  calls: number
  /** Calls by outcome; those without an end are `open`. */
  outcomes: Record<string, number>
  /** Calls by JSON-RPC method, most frequent first; `…` for methods beyond the first twenty. */
  methods: Record<string, number>
  /** Calls by backend; `(gateway)` for those that no single backend answered. */
  backends: Record<string, number>
  eras: Record<string, number>
  operations: number
  findings: number
  /** Microseconds from the first call to the last that was seen of one. */
  duration: number
  bytesIn: number
  bytesOut: number
}

const MAX_NAMES = 20

export function captureInfo(rows: Iterable<CallSummary>): CaptureInfo {
  const outcomes = new Tally()
  const methods = new Tally()
  const backends = new Tally()
  const eras = new Tally()
  const operations = new Set<string>()
  const sums = { calls: 0, findings: 0, bytesIn: 0, bytesOut: 0 }
  let first = Infinity
  let last = 0
  for (const row of rows) {
    sums.calls++
    sums.findings += row.findings
    sums.bytesIn += row.bytesIn
    sums.bytesOut += row.bytesOut
    first = Math.min(first, row.receivedAt)
    last = Math.max(last, row.endedAt ?? row.committedAt ?? row.receivedAt)
    outcomes.add(row.outcome ?? 'open')
    methods.add(row.method ?? '(none)')
    backends.add(row.backend ?? '(gateway)')
    eras.add(row.era)
    if (row.operation !== null) operations.add(row.operation)
  }
  return {
    ...sums,
    outcomes: outcomes.largest(),
    methods: methods.largest(),
    backends: backends.largest(),
    eras: eras.largest(),
    operations: operations.size,
    duration: Math.max(0, last - Math.min(first, last)),
  }
}

/** Counts by names, which may be any text. */
class Tally {
  private readonly counts = new Map<string, number>()

  add(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }

  largest(): Record<string, number> {
    const sorted = [...this.counts].sort((a, b) => b[1] - a[1])
    const rest = sorted.slice(MAX_NAMES).reduce((sum, [, count]) => sum + count, 0)
    return Object.fromEntries([...sorted.slice(0, MAX_NAMES), ...(rest > 0 ? [['…', rest] as const] : [])])
  }
}
