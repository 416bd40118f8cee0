import type { CallRecord, ExchangeRecord, TimelineEntry, TimelineKind } from '../../shared/capture/record'
import { ProgressSteps } from './progress-steps'

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

export interface Lanes {
  client: LaneMark[]
  backends: BackendLane[]
  /** Lanes beyond the most that are drawn. */
  moreBackends: number
  /** Those of all backend lanes, as in `backends`. */
  backendMarks: LaneMark[][]
  links: Link[]
  progress: ProgressSteps
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

/**
 * What the lanes show of a call, of a record that grows in place. A frame costs the same in a call of thousands as in one
 * of ten: the lists of marks, links and steps are appended to, and stay the same ones.
 */
export class GrowingLanes {
  readonly #record: CallRecord
  readonly #client: LaneMark[] = []
  readonly #withheld: LaneMark[] = []
  readonly #links: Link[] = []
  readonly #progress = { client: new ProgressSteps(), backend: new ProgressSteps() }
  /** Marks of the backend lanes, and of each of them how many frames of its exchange are known. */
  readonly #marks: LaneMark[][] = []
  readonly #framesSeen: number[] = []
  readonly #laneOf = new Map<number, number>()
  readonly #frameAt = new Map<number, { lane: number; offset: number }>()
  #entriesSeen = 0
  #pointsSeen = 0

  constructor(record: CallRecord) {
    this.#record = record
  }

  /** Takes what has come since the last time. */
  grow(): Lanes {
    const { exchanges, timeline, progress, summary } = this.#record
    const drawn = exchanges.slice(0, MOST_LANES)
    for (const [lane, exchange] of drawn.entries()) this.#growExchange(lane, exchange)
    for (; this.#entriesSeen < timeline.length; this.#entriesSeen++) {
      const entry = timeline[this.#entriesSeen]
      if (entry !== undefined) this.#add(entry)
    }
    for (; this.#pointsSeen < progress.length; this.#pointsSeen++) {
      const point = progress[this.#pointsSeen]
      if (point !== undefined) this.#progress[point.leg].add(point)
    }
    const { client, backend } = this.#progress
    const passed = client.points.length > 0
    return {
      client: this.#client,
      backends: drawn.map((exchange, lane) => backendLane(exchange, summary.drivenRounds > 0, this.#marks[lane] ?? [])),
      moreBackends: exchanges.length - drawn.length,
      backendMarks: this.#marks,
      links: this.#links,
      progress: passed ? client : backend,
      progressWithheld: !passed && progress.length > 0,
      withheld: this.#withheld,
    }
  }

  #growExchange(lane: number, { exchange, frames }: ExchangeRecord): void {
    this.#laneOf.set(exchange, lane)
    this.#marks[lane] ??= []
    for (let at = this.#framesSeen[lane] ?? 0; at < frames.length; at++) {
      const frame = frames[at]
      if (frame !== undefined) this.#frameAt.set(frame.seq, { lane, offset: frame.offset })
    }
    this.#framesSeen[lane] = frames.length
  }

  #add(entry: TimelineEntry): void {
    const { kind, offset } = entry
    const mark: LaneMark = { seq: entry.seq, offset, kind, tip: `${kind} · ${entry.summary}` }
    if (entry.level !== undefined) mark.level = entry.level
    const lane = entry.exchange === undefined ? undefined : this.#laneOf.get(entry.exchange)
    const source = entry.from === undefined ? undefined : this.#frameAt.get(entry.from)
    if (kind === 'answer' && entry.exchange !== undefined) {
      // An answer goes on to the backend at once, or is given to it by the gateway.
      if (lane !== undefined) this.#marks[lane]?.push(mark)
      if (entry.leg !== 'client') return
      this.#client.push(mark)
      if (lane !== undefined) this.#links.push({ lane, from: offset, to: offset, kind })
    } else if (entry.leg === 'client' && ON_CLIENT_LANE.has(kind)) {
      this.#client.push(mark)
      if (source !== undefined) this.#links.push({ lane: source.lane, from: source.offset, to: offset, kind })
    } else if (entry.leg === 'backend' && lane !== undefined) {
      if (isFrame(kind)) this.#marks[lane]?.push(mark)
    } else if (kind === 'withheld') {
      this.#withheld.push({ ...mark, offset: source?.offset ?? offset, tip: `withheld · ${entry.summary}` })
    }
  }
}

function isFrame(kind: TimelineKind): boolean {
  return kind !== 'sent' && kind !== 'head' && kind !== 'exchange-ended'
}

function backendLane(exchange: ExchangeRecord, rounds: boolean, marks: LaneMark[]): BackendLane {
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
    marks,
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
