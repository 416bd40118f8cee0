import type { CallSummary } from '../../shared/capture/summary'

/**
 * What a row showed at moment `at` (microseconds since the capture began): the same as now for a call that had ended, else
 * without what came later. Counts are those of its marks, of which a row keeps the first ones only.
 */
export function summaryAt(summary: CallSummary, at: number): CallSummary {
  if (summary.endedAt !== null && summary.endedAt <= at) return summary
  const life = summary.life.filter((mark) => summary.receivedAt + mark.at <= at)
  const committed = summary.committedAt !== null && summary.committedAt <= at
  const count = (mark: CallSummary['life'][number]['mark']) => life.filter((each) => each.mark === mark).length
  const [progress, logs, pings, withheld] = [count('progress'), count('log'), count('ping'), count('withheld')]
  return {
    ...summary,
    life,
    lifeDropped: 0,
    progress,
    logs,
    pings,
    withheld,
    frames: Math.min(summary.frames, progress + logs + count('notification')),
    answer: committed ? summary.answer : null,
    committedAt: committed ? summary.committedAt : null,
    outcome: null,
    endedBy: null,
    endedAt: null,
    error: null,
    findings: 0,
    bytesOut: 0,
    lastProgress: progress === summary.progress ? summary.lastProgress : null,
  }
}

/** The last moment that a row tells of, in microseconds since the capture began. */
export function lastMoment(summary: CallSummary): number {
  const mark = summary.life.at(-1)
  return Math.max(
    summary.receivedAt,
    summary.committedAt ?? 0,
    summary.endedAt ?? 0,
    mark === undefined ? 0 : summary.receivedAt + mark.at,
  )
}
