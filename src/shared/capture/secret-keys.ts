import { applyTextEdits, type TextEdit } from '../protocol/json-text'
import { decoded, skipSpace, skipValue, stringEnd } from './loose-json'
import { SchemaNesting, schemaOf, type PropertySchema } from './property-schema'
import { mergeEdits } from './merge-edits'

/** What stands for a secret: how long it was, to the next power of two, and nothing of what it was. */
export function redactedMark(length: number): string {
  let bound = 1
  while (bound < length) bound *= 2
  return `«redacted ${bound}»`
}

/** A whole value as a mark; a mark stays as it is. */
export function marked(value: string): string {
  return /^«redacted \d+»$/.test(value) ? value : redactedMark(value.length)
}

/** What spellings of a name have in common: `x-api-key`, `API_KEY` and `apiKey` are `apikey`. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^x[-_]/, '')
    .replace(/[-_]/g, '')
}

/** An environment variable says in its last words what it is: `OPENAI_API_KEY`, `GITHUB_TOKEN`. */
const VARIABLE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+){1,15}$/

/** True when `name` is one of `names` (as `plainName` gives them) in any spelling, or a variable of the environment that ends with one. */
export function namesSecret(name: string, names: ReadonlySet<string>): boolean {
  if (names.has(plainName(name))) return true
  if (!VARIABLE.test(name)) return false
  const parts = name.split('_')
  return parts.some((_part, index) => names.has(plainName(parts.slice(index).join('_'))))
}

const MAX_NESTED_TEXT = 8

/** What to mark in a JSON text. */
export interface Secrets {
  /** Names of members, as `plainName` gives them. */
  keys: ReadonlySet<string>
  /** Names of header fields, in lower case. */
  fields?: ReadonlySet<string>
  /** What is secret in the value of any string, and in text that is no JSON. */
  words?: (text: string) => TextEdit[]
}

/**
 * The edits that put marks in place of the values of `keys` in a JSON text, at any depth, and in JSON that is carried as a
 * string inside it (tools repeat structured content as text). Reads by tokens and not by grammar, so that torn and broken
 * JSON gives no secret away, and text that is no JSON is searched as such; linear in the text. The schema of an argument
 * that has the name of a secret stays, without its examples.
 */
export function secretEdits(text: string, secrets: Secrets, depth = 0): TextEdit[] {
  const edits: TextEdit[] = []
  const nesting = new SchemaNesting()
  let plain = true
  let from = 0
  let at = text.indexOf('"')
  while (at !== -1) {
    plain = between(text, from, at, nesting) && plain
    const end = stringEnd(text, at)
    const colon = skipSpace(text, end)
    from = end
    if (text.charCodeAt(colon) === 0x3a) {
      const name = decoded(text, at, end)
      nesting.key = name
      if (namesSecret(name, secrets.keys) || secrets.fields?.has(name.toLowerCase()) === true) {
        const start = skipSpace(text, colon + 1)
        from = skipValue(text, start)
        const schema = nesting.inProperties && depth < MAX_NESTED_TEXT ? schemaOf(text, start, from) : undefined
        if (schema !== undefined) edits.push(...schemaEdits(schema, start, secrets, depth))
        else if (start !== from) edits.push(...secretEdit(text, start, from))
      }
    } else {
      const within = stringEdit(text, at, end, secrets, depth)
      if (within !== undefined) edits.push(within)
    }
    at = text.indexOf('"', from)
  }
  plain = between(text, from, text.length, nesting) && plain
  if (plain || secrets.words === undefined || depth > 0) return edits
  return mergeEdits(edits, secrets.words(text))
}

const LITERALS: readonly string[] = ['true', 'false', 'null']

/** True when what stands between two strings may be JSON: no other words. */
function between(text: string, from: number, to: number, nesting: SchemaNesting): boolean {
  let json = true
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x7b || code === 0x5b) nesting.open(code === 0x7b)
    else if (code === 0x7d || code === 0x5d) nesting.close()
    else if (code > 0x40 && json) {
      const literal = LITERALS.find((word) => text.startsWith(word, at))
      const exponent = (code === 0x65 || code === 0x45) && isDigit(text.charCodeAt(at - 1))
      json = literal !== undefined || exponent
      if (literal !== undefined) at += literal.length - 1
    }
  }
  return json
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Null is no secret; a value that is a mark already stays as it is. */
export function secretEdit(text: string, start: number, end: number): TextEdit[] {
  const raw = text.slice(start, Math.min(end, start + 12))
  if (raw === 'null' || raw.startsWith('"«redacted ')) return []
  const length = raw.startsWith('"') ? end - start - 2 : end - start
  return [{ start, end, text: JSON.stringify(redactedMark(Math.max(length, 1))) }]
}

function schemaEdits({ text, samples }: PropertySchema, start: number, secrets: Secrets, depth: number): TextEdit[] {
  const marked = samples.flatMap((sample) =>
    secretEdit(text, sample.start, sample.end).map((edit) => listed(text, edit)),
  )
  return mergeEdits(marked, secretEdits(text, secrets, depth + 1)).map((edit) => ({
    ...edit,
    start: edit.start + start,
    end: edit.end + start,
  }))
}

/** `enum` and `examples` of a schema have to stay lists. */
function listed(text: string, edit: TextEdit): TextEdit {
  return text[edit.start] === '[' ? { ...edit, text: `[${edit.text}]` } : edit
}

function stringEdit(text: string, start: number, end: number, secrets: Secrets, depth: number): TextEdit | undefined {
  const literal = text.slice(start, end)
  // A key inside a JSON string has its quotes escaped: `\"key\"`.
  const nested = depth < MAX_NESTED_TEXT && (literal.includes('\\"') || literal.includes('\\u0022'))
  const { words } = secrets
  if (!nested && words === undefined) return undefined
  const inner = decoded(text, start, end)
  let redacted = nested ? applyTextEdits(inner, secretEdits(inner, secrets, depth + 1)) : inner
  if (words !== undefined) redacted = applyTextEdits(redacted, words(redacted))
  return redacted === inner ? undefined : { start, end, text: JSON.stringify(redacted) }
}
