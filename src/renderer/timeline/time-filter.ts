/** A stretch of time in microseconds since the capture began; `to` is exclusive. */
export interface Stretch {
  from: number
  to: number
}

/** `at:` terms stand outside of quotes. */
const AT_TERM = /(^|\s)-?at:[^\s"]+/g
const ALTERNATIVES = /\s+OR\s+/

/** The filter with only calls that began within `stretch`; with all of them when it is null. Other terms stay. */
export function withStretch(text: string, stretch: Stretch | null): string {
  const alternatives = outsideQuotes(text, (part) => part.replace(AT_TERM, '$1'))
    .split(ALTERNATIVES)
    .map((part) => part.trim().replace(/\s{2,}/g, ' '))
  if (stretch === null) return alternatives.filter((part) => part !== '').join(' OR ')
  const term = `at:${shownTime(stretch.from)}..${shownTime(Math.max(stretch.from, stretch.to - 1))}`
  return alternatives.map((part) => (part === '' ? term : `${part} ${term}`)).join(' OR ')
}

/** The stretch that the filter names, as `withStretch` writes it. */
export function stretchOf(text: string): Stretch | null {
  const found = /(?:^|\s)at:(\d+)us\.\.(\d+)us(?:\s|$)/.exec(text)
  return found === null ? null : { from: Number(found[1]), to: Number(found[2]) + 1 }
}

function shownTime(micros: number): string {
  return `${Math.round(micros)}us`
}

function outsideQuotes(text: string, change: (part: string) => string): string {
  return text
    .split(/("[^"]*"?)/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
}
