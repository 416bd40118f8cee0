import type { TextEdit } from '../protocol/json-text'
import { redactedMark } from './secret-keys'

/** Shorter texts stand everywhere by chance. */
export const LEAST_SECRET_LENGTH = 4
/** A line of a secret with several lines; servers print lines. */
const LEAST_LINE_LENGTH = 12

/**
 * How secrets are spelt where they turn up: as they are, inside a JSON string, in JSON inside one, in a URL, and line by line. Longest
 * first, so that a part does not hide the whole.
 */
export function spellingsOf(values: readonly string[]): string[] {
  const spellings = values.flatMap((value) => {
    const lines = value.split(/\r?\n/)
    return [value, ...(lines.length > 1 ? lines.filter((line) => line.length >= LEAST_LINE_LENGTH) : [])]
  })
  const all = spellings.flatMap((text) => [text, inJson(text), inJson(inJson(text)), uriSpelling(text)])
  return [...new Set(all)].filter((text) => text.length >= LEAST_SECRET_LENGTH).sort((a, b) => b.length - a.length)
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function uriSpelling(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    // Half of a surrogate pair has no spelling in a URL.
    return text
  }
}

/** The edits that put marks in place of secrets, whatever stands around them. */
export function valueEdits(text: string, spellings: readonly string[]): TextEdit[] {
  const edits: TextEdit[] = []
  for (const spelling of spellings) {
    for (let start = text.indexOf(spelling); start !== -1; start = text.indexOf(spelling, start + spelling.length))
      edits.push({ start, end: start + spelling.length, text: redactedMark(spelling.length) })
  }
  return edits
}

export function holdsValue(text: string, spellings: readonly string[]): boolean {
  return spellings.some((spelling) => text.includes(spelling))
}

/** The value with marks in place of secrets in all of its texts; the value itself when it holds none. */
export function withoutValues<T>(value: T, spellings: readonly string[]): T {
  return (spellings.length === 0 ? value : plain(value, spellings)) as T
}

function plain(value: unknown, spellings: readonly string[]): unknown {
  if (typeof value === 'string') {
    if (!holdsValue(value, spellings)) return value
    return spellings.reduce((text, spelling) => text.replaceAll(spelling, redactedMark(spelling.length)), value)
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => plain(item, spellings))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const entries = Object.entries(value)
  const members = entries.map(([key, member]) => [plain(key, spellings), plain(member, spellings)])
  const same = members.every(([key, member], index) => key === entries[index]?.[0] && member === entries[index]?.[1])
  return same ? value : Object.fromEntries(members)
}
