import { applyTextEdits, type TextEdit } from '../protocol/json-text'
import { decoded, skipSpace, skipValue, stringEnd } from './loose-json'

/** What stands for a secret: how long it was, to the next power of two, and nothing of what it was. */
export function redactedMark(length: number): string {
  let bound = 1
  while (bound < length) bound *= 2
  return `«redacted ${bound}»`
}

/** What spellings of a name have in common: `x-api-key`, `API_KEY` and `apiKey` are `apikey`. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^x[-_]/, '')
    .replace(/[-_]/g, '')
}

const MAX_NESTED_TEXT = 8

/** What to mark in a JSON text. */
export interface Secrets {
  /** Names of members, as `plainName` gives them. */
  keys: ReadonlySet<string>
  /** Marks what is secret in the value of any string. */
  words?: (text: string) => string
}

/**
 * The edits that put marks in place of the values of `keys` in a JSON text, at any depth, and in JSON that is carried as a
 * string inside it (tools repeat structured content as text). Reads by tokens and not by grammar, so that torn and broken
 * JSON gives no secret away; linear in the text.
 */
export function secretEdits(text: string, secrets: Secrets, depth = 0): TextEdit[] {
  const edits: TextEdit[] = []
  let at = text.indexOf('"')
  while (at !== -1) {
    const end = stringEnd(text, at)
    const colon = skipSpace(text, end)
    if (text.charCodeAt(colon) === 0x3a && secrets.keys.has(plainName(decoded(text, at, end)))) {
      const start = skipSpace(text, colon + 1)
      const valueEnd = skipValue(text, start)
      const edit = start === valueEnd ? undefined : secretEdit(text, start, valueEnd)
      if (edit !== undefined) edits.push(edit)
      at = text.indexOf('"', valueEnd)
      continue
    }
    const within = stringEdit(text, at, end, secrets, depth)
    if (within !== undefined) edits.push(within)
    at = text.indexOf('"', end)
  }
  return edits
}

/** The text with marks in place of the values of `keys` (as `plainName` gives them). */
export function redactJson(text: string, keys: ReadonlySet<string>): string {
  return applyTextEdits(text, secretEdits(text, { keys }))
}

/** Null is no secret; a value that is a mark already stays as it is. */
export function secretEdit(text: string, start: number, end: number): TextEdit | undefined {
  const raw = text.slice(start, Math.min(end, start + 12))
  if (raw === 'null' || raw.startsWith('"«redacted ')) return undefined
  const length = raw.startsWith('"') ? end - start - 2 : end - start
  return { start, end, text: JSON.stringify(redactedMark(Math.max(length, 1))) }
}

/** Where words may need marks, or escapes hide it. */
const WORDS = /[=@\\]|basic |bearer /i

function stringEdit(text: string, start: number, end: number, secrets: Secrets, depth: number): TextEdit | undefined {
  const literal = text.slice(start, end)
  // A key inside a JSON string has its quotes escaped: `\"key\"`.
  const nested = depth < MAX_NESTED_TEXT && (literal.includes('\\"') || literal.includes('\\u0022'))
  const words = WORDS.test(literal) ? secrets.words : undefined
  if (!nested && words === undefined) return undefined
  const inner = decoded(text, start, end)
  let redacted = nested ? applyTextEdits(inner, secretEdits(inner, secrets, depth + 1)) : inner
  if (words !== undefined) redacted = words(redacted)
  return redacted === inner ? undefined : { start, end, text: JSON.stringify(redacted) }
}
