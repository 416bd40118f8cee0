/** Characters of a backend's name at most. */
const MOST = 64

/** A name for a backend that plays what `wanted` said: that one, or where it is taken one that tells it from the live one. */
export function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted
  for (let number = 1; ; number++) {
    const ending = number === 1 ? '-recorded' : `-recorded-${number}`
    const tried = wanted.slice(0, MOST - ending.length) + ending
    if (!taken.includes(tried)) return tried
  }
}
