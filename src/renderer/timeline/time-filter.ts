import { narrowed, withoutKey } from '../../shared/capture/filter-writing'

/** A stretch of time in microseconds since the capture began; `to` is exclusive. */
export interface Stretch {
  from: number
  to: number
}

/** The filter with only calls that began within `stretch`; with all of them when it is null. Other terms stay. */
export function withStretch(text: string, stretch: Stretch | null): string {
  const rest = withoutKey(text, 'at')
  if (stretch === null) return rest
  return narrowed(rest, `at:${shownTime(stretch.from)}..${shownTime(Math.max(stretch.from, stretch.to - 1))}`)
}

/** The stretch that the filter names, as `withStretch` writes it. */
export function stretchOf(text: string): Stretch | null {
  const found = /(?:^|\s)at:(\d+)us\.\.(\d+)us(?:\s|$)/.exec(text)
  return found === null ? null : { from: Number(found[1]), to: Number(found[2]) + 1 }
}

function shownTime(micros: number): string {
  return `${Math.round(micros)}us`
}
