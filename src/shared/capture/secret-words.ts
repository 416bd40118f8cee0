import type { TextEdit } from '../protocol/json-text'
import { skipValue } from './loose-json'
import { mergeEdits } from './merge-edits'
import { namesSecret, redactedMark } from './secret-keys'
import { valueEdits } from './secret-values'

/** By which names words are secrets. */
export interface SecretNames {
  /** Header fields, in lower case. */
  headers: ReadonlySet<string>
  /** Parameters, as `plainName` gives them. */
  parameters: ReadonlySet<string>
  /** Texts that are secret whatever stands before them. */
  values?: readonly string[]
}

/** Without one of these, none of the patterns fits. */
const SUSPICIOUS = /[=:@]|--|<\/|basic |bearer /i
/** Not of a challenge (`WWW-Authenticate`), which names no secret behind its scheme but parameters; nor of prose about the scheme. */
const BEARER =
  /\bBearer +(?!(?:realm|scope|charset|error|error_description|error_uri|resource_metadata|token) *=)(?!(?:tokens?|auth|authentication|authorization|scheme|header|headers|credentials?)\b)([A-Za-z0-9._~+/=-]{4,})/gi
const BASIC = /\bBasic +(?!(?:realm|charset) *=)([A-Za-z0-9+/=_-]{4,})/gi
/** What no base64 of a user and a password looks like: one word in lower case, or with a capital at its beginning. */
const WORD = /^[A-Z]?[a-z]+$/
const USER = /:\/\/([^/?#\s"'<>«]{1,1000})@/g
const SEPARATOR = /[=:]/g
/** A parameter of a command line whose value is the next one. */
const FLAG = /(?<![\w-])--([A-Za-z0-9-]{1,60}) {1,4}([^\s"'«-][^\s"'«]*)/g
const ELEMENT = /<([A-Za-z0-9_:.-]{1,60})>([^<>«]+)<\//g
/** A part of a form (RFC 7578). */
const FORM_PART = /\bname="([^"\r\n]{1,100})"[^\r\n]{0,200}\r?\n(?:[^\r\n]{1,200}\r?\n){0,4}\r?\n([^\r\n«]+)/g
const SCHEMES = /^(Basic|Bearer|Digest|DPoP|Negotiate|Token|ApiKey) +/i
/** What stands behind a name without being its value. */
const NO_VALUE = /^(?:null|none|nil|undefined|true|false|required|optional|string|number|boolean|object|array)\b/i
const MAX_NAME = 100
const MAX_SPACE = 4

/**
 * The edits that put marks in place of secrets in a text of any kind: credentials of HTTP, user information in URLs, and
 * what stands behind a secret name as in `token=…`, `"token": "…"`, `Cookie: …`, `--token …` and `<token>…</token>`. Time is
 * linear in the text.
 */
export function wordEdits(text: string, names: SecretNames): TextEdit[] {
  const edits: TextEdit[] = names.values === undefined ? [] : valueEdits(text, names.values)
  if (!SUSPICIOUS.test(text)) return mergeEdits(edits, [])
  const mark = (start: number, value: string): void => {
    if (value !== '') edits.push({ start, end: start + value.length, text: redactedMark(value.length) })
  }
  const behind = (match: RegExpMatchArray, value: string): number => (match.index ?? 0) + match[0].length - value.length
  // Looking for words first is many times cheaper than the patterns.
  const lower = text.toLowerCase()
  if (lower.includes('bearer ')) {
    for (const match of text.matchAll(BEARER)) mark(behind(match, match[1] ?? ''), match[1] ?? '')
  }
  if (lower.includes('basic ')) {
    for (const match of text.matchAll(BASIC)) {
      const value = match[1] ?? ''
      if (!WORD.test(value)) mark(behind(match, value), value)
    }
  }
  if (text.includes('@') && text.includes('://')) {
    for (const match of text.matchAll(USER)) mark((match.index ?? 0) + 3, match[1] ?? '')
  }
  // What stands in a value is not looked at again, so that no text makes this slow.
  let covered = 0
  for (const { index } of text.matchAll(SEPARATOR)) {
    const value = index < covered ? undefined : valueAt(text, index, names)
    if (value === undefined) continue
    covered = value.end
    mark(value.start, text.slice(value.start, value.end))
  }
  if (text.includes('--')) {
    for (const match of text.matchAll(FLAG)) {
      if (isName(match[1] ?? '', names)) mark(behind(match, match[2] ?? ''), match[2] ?? '')
    }
  }
  if (text.includes('</')) {
    for (const match of text.matchAll(ELEMENT)) {
      if (isName(match[1]?.split(':').at(-1) ?? '', names))
        mark((match.index ?? 0) + match[0].length - (match[2] ?? '').length - 2, match[2] ?? '')
    }
  }
  if (text.includes('name="')) {
    for (const match of text.matchAll(FORM_PART)) {
      if (isName(match[1] ?? '', names)) mark(behind(match, match[2] ?? ''), match[2] ?? '')
    }
  }
  return mergeEdits(edits, [])
}

function isName(name: string, { headers, parameters }: SecretNames): boolean {
  return namesSecret(name, parameters) || headers.has(name.toLowerCase())
}

interface Place {
  start: number
  end: number
}

/** Where the secret stands that the `=` or `:` at `separator` gives to a secret name. */
function valueAt(text: string, separator: number, names: SecretNames): Place | undefined {
  const name = nameBefore(text, separator)
  if (name.text === '' || !isName(decodedName(name.text), names)) return undefined
  const colon = text[separator] === ':'
  // `token::new` and `token://` name something else; `token := x` and `token => x` differ in what stands next.
  if (colon && (text[separator + 1] === ':' || text.startsWith('//', separator + 1))) return undefined
  let start = separator + (/[=>]/.test(text[separator + 1] ?? '') ? 2 : 1)
  for (let spaces = 0; spaces < MAX_SPACE && /[ \t]/.test(text[start] ?? ''); spaces++) start++
  const field = names.headers.has(name.text.toLowerCase())
  const opening = /^\\{0,15}["'`]/.exec(text.slice(start, start + 16))?.[0] ?? ''
  if (opening !== '' || (field && colon)) start += opening.length
  const scheme = field ? (SCHEMES.exec(text.slice(start, start + 16))?.[0].length ?? 0) : 0
  if (opening !== '' || (field && colon)) start += scheme
  const begin = text.slice(start, start + 16)
  if (begin === '' || begin.startsWith('«redacted ')) return undefined
  if (opening !== '') return place(start, closing(text, start, opening))
  if (field && colon) return place(start, endOf(END_OF_LINE, text, start))
  if (NO_VALUE.test(begin)) return undefined
  // Members of JSON that are no strings are found by their keys, and stay JSON.
  if (colon && name.quoted && /^[-\d[{]/.test(begin)) return undefined
  if (/^[[{]/.test(begin)) return place(start, skipValue(text, start))
  return word(text, start, colon)
}

function place(start: number, end: number): Place | undefined {
  return start < end ? { start, end } : undefined
}

/** The name that ends before the separator: in quotes or not, of a form (`user[token]`), of a place (`user.token`). */
function nameBefore(text: string, separator: number): { text: string; quoted: boolean } {
  let end = separator
  for (let spaces = 0; spaces < MAX_SPACE && text[end - 1] === ' '; spaces++) end--
  const last = text[end - 1]
  const quoted = last === '"'
  if (quoted || last === "'" || last === '`' || last === ']') end--
  while (end > 0 && text[end - 1] === '\\' && separator - end < 16) end--
  let start = end
  while (start > 0 && end - start < MAX_NAME && isOfName(text.charCodeAt(start - 1))) start--
  while (text[start] === '-') start++
  return { text: text.slice(start, end), quoted }
}

/** A letter, a digit, `_`, `-` or `%`. */
function isOfName(code: number): boolean {
  if (code >= 0x61) return code <= 0x7a
  if (code >= 0x41) return code <= 0x5a || code === 0x5f
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x25
}

/** A name of a parameter as a server reads it. */
export function decodedName(name: string): string {
  if (!name.includes('%')) return name
  try {
    return decodeURIComponent(name)
  } catch {
    // Not decodable is not secret by any name that a server could read.
    return name
  }
}

/** Where the quotes close that `opening` opened: with another number of backslashes before it a quote is part of the value. */
function closing(text: string, start: number, opening: string): number {
  let end = text.indexOf(opening, start)
  while (end > start && text[end - 1] === '\\') end = text.indexOf(opening, end + opening.length)
  return end === -1 ? text.length : end
}

/** A header field ends with its line, or with the quotes around it. */
const END_OF_LINE = /[\r\n"'`<]/g
const END_OF_WORD = /[\s&"'`<>«]|\\["'nrt]/g

function word(text: string, start: number, colon: boolean): Place | undefined {
  let end = endOf(END_OF_WORD, text, start)
  while (end > start && /[),;.\]}]/.test(text[end - 1] ?? '')) end--
  // `token: to` is a sentence.
  return colon && end - start < 4 ? undefined : place(start, end)
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.exec(text)?.index ?? text.length
}
