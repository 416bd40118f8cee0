import type { CallRecord, ExchangeRecord, ProgressPoint, TimelineKind } from '../../shared/capture/record'

/** A mark on a lane. `offset` in microseconds since the call was received. */
export interface LaneMark {
  seq: number
  offset: number
  kind: TimelineKind
  level?: string
  /** What it is, in a line; hostile text. */
  tip: string
}

export interface BackendLane {
  exchange: number
  /** Name of the backend; null when it was not recorded. */
  name: string | null
  /** Said under the name: `stdio`, `unasked`, or which round of a call it is. */
  note: string | null
  from: number
  /** What was sent at `from`, in words. */
  sentTip: string
  /** Moments at which more was sent: the same once more, or what resumes a stream. */
  again: { offset: number; tip: string }[]
  /** Null while the exchange is open. */
  to: number | null
  head: { seq: number; offset: number; text: string } | null
  ended: { seq: number; offset: number; tip: string; clean: boolean } | null
  marks: LaneMark[]
}

/** A frame on its way from one lane to the other. */
export interface Link {
  lane: number
  from: number
  to: number
  kind: TimelineKind
}

export interface ProgressStep {
  offset: number
  /** 0 to 1. */
  level: number
  seq: number
  label: string
}

export interface Lanes {
  client: LaneMark[]
  backends: BackendLane[]
  /** Lanes beyond the most that are drawn. */
  moreBackends: number
  links: Link[]
  progress: ProgressStep[]
  /** True when the steps are those of the backend, since none was passed on. */
  progressWithheld: boolean
  withheld: LaneMark[]
}

const MOST_LANES = 5
const ON_CLIENT_LANE: ReadonlySet<TimelineKind> = new Set([
  'progress',
  'log',
  'notification',
  'ping',
  'result',
  'error',
  'server-request',
  'answer',
  'unreadable',
])

/** What the lanes show of a call. */
export function lanesOf(record: CallRecord): Lanes {
  const drawn = record.exchanges.slice(0, MOST_LANES)
  const laneOf = new Map<number, number>()
  const frameAt = new Map<number, { lane: number; offset: number }>()
  const backends = drawn.map((exchange, lane) => {
    laneOf.set(exchange.exchange, lane)
    for (const frame of exchange.frames) frameAt.set(frame.seq, { lane, offset: frame.offset })
    return backendLane(exchange, record.summary.drivenRounds > 0)
  })
  const client: LaneMark[] = []
  const withheld: LaneMark[] = []
  const links: Link[] = []
  for (const entry of record.timeline) {
    const mark: LaneMark = {
      seq: entry.seq,
      offset: entry.offset,
      kind: entry.kind,
      tip: `${entry.kind} · ${entry.summary}`,
    }
    if (entry.level !== undefined) mark.level = entry.level
    if (entry.kind === 'answer' && entry.exchange !== undefined) {
      // An answer goes on to the backend at once, or is given to it by the gateway.
      const lane = laneOf.get(entry.exchange)
      if (lane !== undefined) backends[lane]?.marks.push(mark)
      if (entry.leg !== 'client') continue
      client.push(mark)
      if (lane !== undefined) links.push({ lane, from: entry.offset, to: entry.offset, kind: entry.kind })
    } else if (entry.leg === 'client' && ON_CLIENT_LANE.has(entry.kind)) {
      client.push(mark)
      const source = entry.from === undefined ? undefined : frameAt.get(entry.from)
      if (source !== undefined)
        links.push({ lane: source.lane, from: source.offset, to: entry.offset, kind: entry.kind })
    } else if (entry.leg === 'backend' && entry.exchange !== undefined) {
      const lane = laneOf.get(entry.exchange)
      if (lane !== undefined && isFrame(entry.kind)) backends[lane]?.marks.push(mark)
    } else if (entry.kind === 'withheld') {
      const source = entry.from === undefined ? undefined : frameAt.get(entry.from)
      withheld.push({ ...mark, offset: source?.offset ?? entry.offset, tip: `withheld · ${entry.summary}` })
    }
  }
  const passed = record.progress.some((point) => point.leg === 'client')
  return {
    client,
    backends,
    moreBackends: record.exchanges.length - drawn.length,
    links,
    progress: progressSteps(record.progress.filter((point) => point.leg === (passed ? 'client' : 'backend'))),
    progressWithheld: !passed && record.progress.length > 0,
    withheld,
  }
}

function isFrame(kind: TimelineKind): boolean {
  return kind !== 'sent' && kind !== 'head' && kind !== 'exchange-ended'
}

function backendLane(exchange: ExchangeRecord, rounds: boolean): BackendLane {
  const { sent, sentAgain, head, ended, frames } = exchange
  const first = sent?.offset ?? head?.offset ?? frames[0]?.offset ?? ended?.offset ?? 0
  const type = head?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  return {
    exchange: exchange.exchange,
    name: exchange.backend,
    note: noteOf(exchange, rounds),
    sentTip:
      sent === null
        ? 'nothing was sent'
        : `sent to ${exchange.backend ?? 'backend'}: ${sent.http.method} ${sent.http.url}`,
    again: sentAgain.map(({ offset, again }) => ({
      offset,
      tip: again === 'resume' ? 'asked to go on with the stream that broke' : 'sent once more, in a new session',
    })),
    from: first,
    to: ended?.offset ?? null,
    head: head && { seq: head.seq, offset: head.offset, text: `${head.status} ${shortType(type)}`.trim() },
    ended: ended && {
      seq: ended.seq,
      offset: ended.offset,
      tip: `exchange ${ended.reason}${ended.detail === null ? '' : `: ${ended.detail}`}`,
      clean: ended.reason === 'complete',
    },
    marks: [],
  }
}

function noteOf({ sent, route }: ExchangeRecord, rounds: boolean): string | null {
  if (rounds && route !== null) return `round ${route.round}`
  if (sent === null) return 'unasked'
  return sent.http.method === 'stdio' ? 'stdio' : null
}

function shortType(contentType: string): string {
  if (contentType.startsWith('text/event-stream')) return 'SSE'
  if (contentType.startsWith('application/json')) return 'JSON'
  return contentType.split(';')[0] ?? ''
}

/** Progress as heights; without totals, in proportion to the highest value seen. */
export function progressSteps(points: readonly ProgressPoint[]): ProgressStep[] {
  const highest = points.reduce((most, point) => Math.max(most, point.progress), 0)
  return points.map((point) => {
    const whole = point.total !== null && point.total > 0 ? point.total : highest
    const level = whole > 0 ? Math.min(1, Math.max(0, point.progress / whole)) : 0
    const share = point.total !== null && point.total > 0 ? ` · ${Math.round(level * 100)} %` : ''
    const value = point.total === null ? `${point.progress}` : `${point.progress}/${point.total}`
    const message = point.message === null ? '' : ` “${point.message}”`
    return { offset: point.offset, level, seq: point.seq, label: `${value}${share}${message}` }
  })
}

/** Pixels: marks are three times as wide, and nearer to each other they are a band anyway. */
const LEAST_BETWEEN_MARKS = 3
/** Leaves one of the marks that would be drawn on the same spot, the first, and tells how many it stands for. */
export function thinOut<T extends { offset: number; kind: string; seq: number }>(
  marks: readonly T[],
  x: (offset: number) => number,
  width: number,
  keep: number | null,
): (T & { stands: number })[] {
  const kept: (T & { stands: number })[] = []
  const lastOfKind = new Map<string, number>()
  for (const mark of marks) {
    const at = x(mark.offset)
    if (at < -10 || at > width + 10) continue
    const index = lastOfKind.get(mark.kind)
    const before = index === undefined ? undefined : kept[index]
    if (
      index !== undefined &&
      before !== undefined &&
      at - x(before.offset) < LEAST_BETWEEN_MARKS &&
      mark.seq !== keep
    ) {
      before.stands++
    } else {
      lastOfKind.set(mark.kind, kept.length)
      kept.push({ ...mark, stands: 1 })
    }
  }
  return kept
}

const LEAST_BETWEEN_LINKS = 5
/** Leaves out links that would grow together to a block, and those that are not in sight. */
export function thinLinks(links: readonly Link[], x: (offset: number) => number, width: number): Link[] {
  let last = Number.NEGATIVE_INFINITY
  return links.filter((link) => {
    const at = x(link.to)
    if (at < -10 || at > width + 10 || at - last < LEAST_BETWEEN_LINKS) return false
    last = at
    return true
  })
}

/** The step line of progress as an SVG path, from the first moment to `end`. */
export function stepPath(
  steps: readonly ProgressStep[],
  x: (offset: number) => number,
  base: number,
  height: number,
  end: number,
): string {
  if (steps.length === 0) return ''
  const y = (level: number) => round(base - level * height)
  let path = `M${round(x(0))} ${y(0)}`
  let lastX = Number.NEGATIVE_INFINITY
  for (const step of steps) {
    const at = round(x(step.offset))
    // Several steps within a pixel are one.
    if (at - lastX >= 1) path += `H${at}`
    path += `V${y(step.level)}`
    lastX = at
  }
  return `${path}H${round(Math.max(lastX, x(end)))}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
