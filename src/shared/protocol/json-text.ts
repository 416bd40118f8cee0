/**
 * Reading and editing JSON by position. A proxy for debugging must not re-print what it carries (number spelling, key
 * order, duplicate keys and white space survive), so it looks for the few members that it must edit and leaves every
 * other character alone.
 *
 * All functions expect text that `JSON.parse` accepts; on other text they throw `JsonTextError`.
 */
export class JsonTextError extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(`${message} at offset ${offset}`)
    this.name = 'JsonTextError'
  }
}

/** Where a value stands: `text.slice(start, end)` is its raw JSON. */
export interface Span {
  start: number
  end: number
}

/** A member of an object: its decoded key, where the key's string literal begins, and where its value stands. */
export interface MemberSpan extends Span {
  key: string
  keyStart: number
}

/** Replaces `text.slice(start, end)` by `text`. */
export interface TextEdit extends Span {
  text: string
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

/** The members of the object whose `{` is the first character at or after `start`; duplicates in order. Undefined when another value stands there. */
export function objectMembers(text: string, start = 0): MemberSpan[] | undefined {
  let at = skipSpace(text, start)
  if (text.charCodeAt(at) !== OPEN_BRACE) return undefined
  const members: MemberSpan[] = []
  at = skipSpace(text, at + 1)
  if (text.charCodeAt(at) === CLOSE_BRACE) return members
  for (;;) {
    const keyStart = at
    const keyEnd = skipString(text, at)
    at = skipSpace(text, keyEnd)
    if (text.charCodeAt(at) !== COLON) throw new JsonTextError('expected ":"', at)
    const valueStart = skipSpace(text, at + 1)
    const valueEnd = skipValue(text, valueStart)
    members.push({ key: decodeKey(text, keyStart, keyEnd), keyStart, start: valueStart, end: valueEnd })
    at = skipSpace(text, valueEnd)
    const code = text.charCodeAt(at)
    if (code === CLOSE_BRACE) return members
    if (code !== COMMA) throw new JsonTextError('expected "," or "}"', at)
    at = skipSpace(text, at + 1)
  }
}

/** The items of the array whose `[` is the first character at or after `start`. Undefined when another value stands there. */
export function arrayItems(text: string, start = 0): Span[] | undefined {
  let at = skipSpace(text, start)
  if (text.charCodeAt(at) !== OPEN_BRACKET) return undefined
  const items: Span[] = []
  at = skipSpace(text, at + 1)
  if (text.charCodeAt(at) === CLOSE_BRACKET) return items
  for (;;) {
    const end = skipValue(text, at)
    items.push({ start: at, end })
    at = skipSpace(text, end)
    const code = text.charCodeAt(at)
    if (code === CLOSE_BRACKET) return items
    if (code !== COMMA) throw new JsonTextError('expected "," or "]"', at)
    at = skipSpace(text, at + 1)
  }
}

/** The value of the last member `key` (the one that `JSON.parse` takes), or undefined. */
export function memberOf(members: readonly MemberSpan[] | undefined, key: string): MemberSpan | undefined {
  if (members === undefined) return undefined
  for (let index = members.length - 1; index >= 0; index--) {
    const member = members[index]
    if (member?.key === key) return member
  }
  return undefined
}

/** Applies edits that do not overlap, in any order. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  if (edits.length === 0) return text
  const ordered = edits.length === 1 ? edits : [...edits].sort((a, b) => a.start - b.start || a.end - b.end)
  let result = ''
  let from = 0
  for (const edit of ordered) {
    if (edit.start < from) throw new RangeError('edits overlap')
    result += text.slice(from, edit.start) + edit.text
    from = edit.end
  }
  return result + text.slice(from)
}

/** The edit that inserts `"key":value` as last member of the object that begins at `objectStart`. */
export function insertMember(text: string, objectStart: number, key: string, value: string): TextEdit {
  const members = objectMembers(text, objectStart)
  if (members === undefined) throw new JsonTextError('expected an object', objectStart)
  const last = members[members.length - 1]
  const at = last === undefined ? skipSpace(text, objectStart) + 1 : last.end
  return { start: at, end: at, text: `${last === undefined ? '' : ','}${JSON.stringify(key)}:${value}` }
}

/** The edit that removes `members[index]` together with one comma. */
export function removeMember(members: readonly MemberSpan[], index: number): TextEdit {
  const member = members[index]
  if (member === undefined) throw new RangeError(`no member ${index}`)
  const next = members[index + 1]
  if (next !== undefined) return { start: member.keyStart, end: next.keyStart, text: '' }
  const previous = members[index - 1]
  return { start: previous === undefined ? member.keyStart : previous.end, end: member.end, text: '' }
}

function decodeKey(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1)
  return raw.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : raw
}

function skipSpace(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) at++
    else return at
  }
}

/** Position after the string literal that begins at `at`. `indexOf` finds the closing quote much faster than a loop. */
function skipString(text: string, at: number): number {
  if (text.charCodeAt(at) !== QUOTE) throw new JsonTextError('expected a string', at)
  let quote = text.indexOf('"', at + 1)
  while (quote !== -1) {
    let backslashes = 0
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return quote + 1
    quote = text.indexOf('"', quote + 1)
  }
  throw new JsonTextError('string does not end', at)
}

/** Position after the value that begins at `at`. Iterative, so that hostile nesting cannot exhaust the stack. */
function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start)
  if (first === QUOTE) return skipString(text, start)
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return skipScalar(text, start)
  let depth = 0
  let at = start
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = skipString(text, at)
      continue
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth--
      if (depth === 0) return at + 1
    }
    at++
  }
  throw new JsonTextError('value does not end', start)
}

function skipScalar(text: string, start: number): number {
  let at = start
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code <= 0x20) break
    at++
  }
  if (at === start) throw new JsonTextError('expected a value', start)
  return at
}
