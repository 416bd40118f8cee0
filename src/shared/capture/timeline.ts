import type { CallSummary } from './summary'

/** Calls that began in one stretch of the time axis. */
export interface TimelineBucket {
  /** Microseconds since the capture began; `to` is exclusive. */
  from: number
  to: number
  calls: number
  /** Ended with an error of any leg, or a tool's own. */
  errors: number
  /** Answered as an event stream. */
  streams: number
}

export interface Timeline {
  /** Microseconds since the capture began: the first call and the end of the last bucket. */
  from: number
  to: number
  buckets: TimelineBucket[]
  /** The most calls that one bucket has. */
  most: number
}

/** Widths that read well on an axis, in microseconds. */
const WIDTHS = [
  1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1e6, 2e6, 5e6, 10e6, 15e6, 30e6, 60e6, 120e6,
  300e6, 600e6, 900e6, 1_800e6, 3_600e6, 7_200e6, 21_600e6, 43_200e6, 86_400e6,
]

/** All calls by when they began, in at most `most` (2 or more) buckets of equal width; null when there is no call. `calls` may be in any order. */
export function timelineOf(calls: readonly CallSummary[], most: number): Timeline | null {
  let first = Infinity
  let last = -Infinity
  for (const { receivedAt } of calls) {
    if (receivedAt < first) first = receivedAt
    if (receivedAt > last) last = receivedAt
  }
  if (last === -Infinity) return null
  const fits = (width: number): boolean => Math.floor(last / width) - Math.floor(first / width) + 1 <= most
  const width = WIDTHS.find(fits) ?? Math.ceil((last - first + 1) / (most - 1))
  const from = Math.floor(first / width) * width
  const buckets = Array.from({ length: Math.floor((last - from) / width) + 1 }, (_, at): TimelineBucket => {
    return { from: from + at * width, to: from + (at + 1) * width, calls: 0, errors: 0, streams: 0 }
  })
  for (const call of calls) {
    const bucket = buckets[Math.floor((call.receivedAt - from) / width)]
    if (bucket === undefined) continue
    bucket.calls++
    if (call.outcome === 'error' || call.outcome === 'tool-error') bucket.errors++
    if (call.answer?.form === 'sse') bucket.streams++
  }
  const highest = buckets.reduce((so, { calls }) => Math.max(so, calls), 0)
  return { from, to: buckets[buckets.length - 1]?.to ?? from, buckets, most: highest }
}
