import { applyTextEdits, type TextEdit } from '../protocol/json-text'
import { decoded, skipSpace, skipValue, stringEnd } from './loose-json'

/** What stands for a secret: how long it was, to the next power of two, and nothing of what it was. */
export function redactedMark(length: number): string {
  let bound = 1
  while (bound < length) bound *= 2
  return `«redacted ${bound}»`
}

const MAX_NESTED_TEXT = 8

/**
 * The edits that put marks in place of the values of `keys` (lower case) in a JSON text, at any depth, and in JSON that
 * is carried as a string inside it (tools repeat structured content as text). Reads by tokens and not by grammar, so
 * that torn and broken JSON gives no secret away; linear in the text.
 */
export function secretEdits(text: string, keys: ReadonlySet<string>, depth = 0): TextEdit[] {
  const edits: TextEdit[] = []
  let at = text.indexOf('"')
  while (at !== -1) {
    const end = stringEnd(text, at)
    const colon = skipSpace(text, end)
    if (text.charCodeAt(colon) === 0x3a && keys.has(decoded(text, at, end).toLowerCase())) {
      const start = skipSpace(text, colon + 1)
      const valueEnd = skipValue(text, start)
      const edit = start === valueEnd ? undefined : secretEdit(text, start, valueEnd)
      if (edit !== undefined) edits.push(edit)
      at = text.indexOf('"', valueEnd)
      continue
    }
    if (depth < MAX_NESTED_TEXT) {
      const nested = nestedEdit(text, at, end, keys, depth)
      if (nested !== undefined) edits.push(nested)
    }
    at = text.indexOf('"', end)
  }
  return edits
}

/** The text with marks in place of the values of `keys` (lower case). */
export function redactJson(text: string, keys: ReadonlySet<string>): string {
  return applyTextEdits(text, secretEdits(text, keys))
}

/** Null is no secret; a value that is a mark already stays as it is. */
export function secretEdit(text: string, start: number, end: number): TextEdit | undefined {
  const raw = text.slice(start, Math.min(end, start + 12))
  if (raw === 'null' || raw.startsWith('"«redacted ')) return undefined
  const length = raw.startsWith('"') ? end - start - 2 : end - start
  return { start, end, text: JSON.stringify(redactedMark(Math.max(length, 1))) }
}

function nestedEdit(
  text: string,
  start: number,
  end: number,
  keys: ReadonlySet<string>,
  depth: number,
): TextEdit | undefined {
  const literal = text.slice(start, end)
  // A key inside a JSON string has its quotes escaped: `\"key\"`.
  if (!literal.includes('\\"') && !literal.includes('\\u0022')) return undefined
  const inner = decoded(text, start, end)
  const edits = secretEdits(inner, keys, depth + 1)
  return edits.length === 0 ? undefined : { start, end, text: JSON.stringify(applyTextEdits(inner, edits)) }
}
