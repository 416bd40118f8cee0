/** How the numbers of a key are written. */
export interface NumberFormat {
  read(this: void, text: string): number | undefined
  /** Whether more typed after the text may make it a number, or another one. */
  begins(this: void, text: string): boolean
}

const UNITS: Readonly<Record<string, number>> = {
  us: 1,
  µs: 1,
  μs: 1,
  ms: 1_000,
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
  d: 86_400_000_000,
}

export const PLAIN_NUMBER: NumberFormat = {
  read: (text) => (/^\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : undefined),
  begins: (text) => /^(\d{1,15}(\.\d{0,9})?)?$/.test(text),
}

/** A time with its unit, in microseconds. */
export const DURATION: NumberFormat = {
  read(text) {
    const parts = /^(\d{1,12}(?:\.\d{1,9})?)(us|µs|μs|ms|s|m|h|d)$/.exec(text.toLowerCase())
    const unit = UNITS[parts?.[2] ?? '']
    return parts === null || unit === undefined ? undefined : Number(parts[1]) * unit
  },
  begins: (text) => /^(\d{1,12}(\.\d{0,9}|(\.\d{1,9})?[uµμm])?)?$/i.test(text),
}

/** `from..to`, or a number with or without a comparison: whether a number is within it; undefined when it is no range. */
export function readRange(value: string, number: NumberFormat): ((actual: number) => boolean) | undefined {
  const between = /^(.+)\.\.(.+)$/.exec(value)
  if (between !== null) {
    const low = number.read(between[1] ?? '')
    const high = number.read(between[2] ?? '')
    if (low === undefined || high === undefined || low > high) return undefined
    return (actual) => actual >= low && actual <= high
  }
  const compared = /^(>=|<=|>|<|=)?(.+)$/.exec(value)
  const limit = number.read(compared?.[2] ?? '')
  if (limit === undefined) return undefined
  switch (compared?.[1]) {
    case '>=':
      return (actual) => actual >= limit
    case '<=':
      return (actual) => actual <= limit
    case '>':
      return (actual) => actual > limit
    case '<':
      return (actual) => actual < limit
    default:
      return (actual) => actual === limit
  }
}

/** Whether more typed after a value may make it a range, as after `>`, `5s.` or `1s..2`. */
export function beginsRange(value: string, number: NumberFormat): boolean {
  const dots = value.indexOf('..')
  if (dots > 0) return number.read(value.slice(0, dots)) !== undefined && number.begins(value.slice(dots + 2))
  if (value.endsWith('.') && number.read(value.slice(0, -1)) !== undefined) return true
  return number.begins(value.replace(/^[<>]?=?/, ''))
}
