/** What stands in a capture for a secret (capture/secret-keys), as a whole value or inside a text. */
const MARK = /«redacted \d+»/
const WHOLE_MARK = /^«redacted \d+»$/

/** True when nothing of a value is known but that it was there. */
export function isRedacted(value: unknown): boolean {
  return typeof value === 'string' && WHOLE_MARK.test(value)
}

/** True when a text holds a mark, as JSON that is carried as text does. */
export function holdsMark(value: unknown): boolean {
  return typeof value === 'string' && MARK.test(value)
}

/** The text with all marks alike, whatever the length of what they stand for. */
export function withEqualMarks(text: string): string {
  return text.split(MARK).join('«redacted»')
}

/**
 * True when `text` is `redacted` with anything in the places of its marks. Takes time in proportion to both texts,
 * whatever they hold: each piece between two marks is looked for once, where the one before it ended.
 */
export function fitsMarks(redacted: string, text: string): boolean {
  const pieces = redacted.split(MARK)
  const [first = '', ...others] = pieces
  const last = others.pop()
  if (last === undefined) return redacted === text
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const piece of others) {
    const found = indexOf(piece, text, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

/** `String.indexOf` may take the product of both lengths; this takes their sum (Knuth, Morris and Pratt). */
function indexOf(piece: string, text: string, from: number): number {
  if (piece === '') return from
  const borders = bordersOf(piece)
  let matched = 0
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    while (matched > 0 && piece.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0
    if (piece.charCodeAt(matched) === unit) matched++
    if (matched === piece.length) return at - matched + 1
  }
  return -1
}

/** For each beginning of `piece`: how long the longest shorter beginning is that it ends with. */
function bordersOf(piece: string): Uint32Array {
  const borders = new Uint32Array(piece.length)
  let length = 0
  for (let at = 1; at < piece.length; at++) {
    const unit = piece.charCodeAt(at)
    while (length > 0 && piece.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0
    if (piece.charCodeAt(length) === unit) length++
    borders[at] = length
  }
  return borders
}
