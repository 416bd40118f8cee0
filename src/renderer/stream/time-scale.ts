/** A stretch of a call's time, in microseconds since it was received. */
export interface Span {
  from: number
  to: number
}
export interface Tick {
  at: number
  label: string
}

const LEAST_SPAN = 200
/** 1, 2 and 5 of every power of ten, from microseconds on. */
const STEPS = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat()
const ROOM_PER_TICK = 90

export function place(span: Span, width: number, at: number): number {
  return ((at - span.from) / (span.to - span.from)) * width
}

/** What is shown when nothing is zoomed: the whole call with a little room after its end. */
export function fitSpan(end: number): Span {
  return { from: 0, to: Math.max(LEAST_SPAN, end * 1.06) }
}

/**
 * The same for a call in flight: the end moves in steps, so that the picture stands still between them and only the
 * "now" line moves.
 */
export function growingSpan(now: number): Span {
  const least = Math.max(1_000_000, now * 1.04)
  const power = 10 ** Math.floor(Math.log10(least))
  const digit = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((each) => each * power >= least) ?? 10
  return { from: 0, to: digit * power }
}

/** Zooms by `factor` (below 1: closer), keeping the moment at `share` (0 to 1) of the width where it is. */
export function zoom(span: Span, factor: number, share: number, whole: Span): Span {
  const length = Math.max(LEAST_SPAN, (span.to - span.from) * factor)
  if (length >= whole.to - whole.from) return whole
  const at = span.from + (span.to - span.from) * share
  return within({ from: at - length * share, to: at + length * (1 - share) }, whole)
}

export function pan(span: Span, by: number, whole: Span): Span {
  return within({ from: span.from + by, to: span.to + by }, whole)
}

function within(span: Span, whole: Span): Span {
  const length = span.to - span.from
  const from = Math.min(Math.max(span.from, whole.from), whole.to - length)
  return { from, to: from + length }
}

/** Round moments at which the axis has a line and a label. */
export function ticks(span: Span, width: number): Tick[] {
  const wanted = (span.to - span.from) / Math.max(1, Math.floor(width / ROOM_PER_TICK))
  const step = STEPS.find((each) => each >= wanted) ?? wanted
  const result: Tick[] = []
  for (let at = Math.ceil(span.from / step) * step; at <= span.to; at += step) {
    result.push({ at, label: tickLabel(at, step) })
  }
  return result
}

function tickLabel(at: number, step: number): string {
  if (at === 0) return '0'
  if (step >= 1_000_000) return `${Math.round(at / 1e6)} s`
  if (step >= 1_000) {
    const decimals = step >= 100_000 ? 1 : step >= 10_000 ? 2 : 3
    return at >= 1_000_000 ? `${(at / 1e6).toFixed(decimals)} s` : `${Math.round(at / 1e3)} ms`
  }
  const decimals = step >= 100 ? 1 : step >= 10 ? 2 : 3
  return `${(at / 1e3).toFixed(decimals)} ms`
}
