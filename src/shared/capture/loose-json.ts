/**
 * Reading JSON by tokens and not by grammar: for text that may be torn or broken, in which secrets must be found all the
 * same. Nothing here throws; what does not end, ends with the text.
 */
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The content of the string literal at `start`; of one that cannot be decoded, its raw text. */
export function decoded(text: string, start: number, end: number): string {
  const closed = end - start >= 2 && text.charCodeAt(end - 1) === QUOTE
  const raw = text.slice(start + 1, closed ? end - 1 : end)
  if (!raw.includes('\\')) return raw
  try {
    const value: unknown = JSON.parse(`"${raw}"`)
    return typeof value === 'string' ? value : raw
  } catch {
    // A torn or invalid escape: the plain ones are undone, so that keys behind them are still seen.
    return raw.replace(/\\(["\\/])/g, '$1')
  }
}

/** Position after the string literal at `at`; the end of the text when it does not end. */
export function stringEnd(text: string, at: number): number {
  let quote = text.indexOf('"', at + 1)
  while (quote !== -1) {
    let backslashes = 0
    while (quote - 1 - backslashes > at && text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return quote + 1
    quote = text.indexOf('"', quote + 1)
  }
  return text.length
}

/** Position after the value at `start`. */
export function skipValue(text: string, start: number): number {
  const first = text[start]
  if (first === '"') return stringEnd(text, start)
  let at = start
  if (first !== '{' && first !== '[') {
    while (at < text.length && !/[,}\]\s"]/.test(text[at] ?? '')) at++
    return at
  }
  let depth = 0
  while (at < text.length) {
    const char = text[at]
    if (char === '"') {
      at = stringEnd(text, at)
      continue
    }
    if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
    at++
    if (depth === 0) return at
  }
  return at
}

/** Position of the next character that is no white space. */
export function skipSpace(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) at++
    else return at
  }
}
