import type { CallSummary, LifeMark } from '../../shared/capture/summary'

/** How a call ended, as a shape. */
export type EndShape = 'square' | 'hollow' | 'cross' | 'diamond'
export type EndTone = 'ok' | 'round' | 'error' | 'dim'

/** Positions in pixels on the small lane of a row. */
export interface Life {
  /** Where the call's time ends: its end, or now. */
  length: number
  hatch: { from: number; to: number } | null
  commit: { x: number; tone: 'json' | 'sse' | 'error' } | null
  marks: { x: number; mark: LifeMark['mark'] }[]
  /** Where marks were that are not kept one by one, and how many. */
  more: { from: number; to: number; count: number } | null
  end: { x: number; shape: EndShape; tone: EndTone } | null
  now: number | null
}

const LEFT = 2
const RIGHT = 10
const SHORTEST = 18
const LONGEST_MS = 30_000

/**
 * The lane of a call at moment `now`. Within a row time is linear; the length of the lane grows with the logarithm of
 * the call's duration, so that 4 ms, 400 ms and 40 s can be told apart at a glance in one column.
 */
export function lifeOf(call: CallSummary, now: number, width: number): Life {
  const duration = Math.max(1, (call.endedAt ?? Math.max(now, call.receivedAt)) - call.receivedAt)
  const share = Math.log10(1 + duration / 1e4) / Math.log10(1 + LONGEST_MS / 10)
  const room = Math.max(SHORTEST, width - LEFT - RIGHT)
  const length = SHORTEST + (room - SHORTEST) * Math.min(1, share)
  const place = (sinceReceived: number) => LEFT + Math.min(1, Math.max(0, sinceReceived / duration)) * length
  const committed = call.committedAt === null ? null : call.committedAt - call.receivedAt
  const inFlight = call.outcome === null
  return {
    length: LEFT + length,
    hatch: hatchOf(call, committed, duration, place),
    commit: committed === null || call.answer === null ? null : { x: place(committed), tone: commitTone(call) },
    marks: spread(
      call.life.map(({ at, mark }) => ({ x: place(at), mark })),
      2,
    ),
    more: moreOf(call, place, LEFT + length),
    end: inFlight ? null : { x: LEFT + length, ...endMark(call) },
    now: inFlight ? LEFT + length : null,
  }
}

function hatchOf(
  call: CallSummary,
  committed: number | null,
  duration: number,
  place: (sinceReceived: number) => number,
): Life['hatch'] {
  const to = place(committed ?? Math.min(duration, call.deferralWindowMs * 1000))
  return to - LEFT < 1 ? null : { from: LEFT, to }
}

/** A row keeps its first marks; those after them are somewhere between the last one kept and the end. */
function moreOf(call: CallSummary, place: (sinceReceived: number) => number, end: number): Life['more'] {
  if (call.lifeDropped === 0) return null
  return { from: Math.min(end, place(call.life.at(-1)?.at ?? 0) + 4), to: end, count: call.lifeDropped }
}

function commitTone(call: CallSummary): 'json' | 'sse' | 'error' {
  if (call.answer === null) return 'json'
  return call.answer.status >= 400 ? 'error' : call.answer.form
}

/** The mark for how a call ended; its shape alone says it too. */
export function endMark(call: Pick<CallSummary, 'outcome'>): { shape: EndShape; tone: EndTone } {
  switch (call.outcome) {
    case 'error':
      return { shape: 'square', tone: 'error' }
    case 'tool-error':
      return { shape: 'hollow', tone: 'error' }
    case 'input-required':
      return { shape: 'diamond', tone: 'round' }
    case 'cancelled':
      return { shape: 'cross', tone: 'dim' }
    case 'task':
      return { shape: 'hollow', tone: 'ok' }
    case 'result':
    case null:
      return { shape: 'square', tone: 'ok' }
  }
}

/** Leaves out marks that would cover another of their kind. */
function spread(marks: Life['marks'], least: number): Life['marks'] {
  const last = new Map<string, number>()
  return marks.filter(({ x, mark }) => {
    const before = last.get(mark)
    if (before !== undefined && x - before < least) return false
    last.set(mark, x)
    return true
  })
}
