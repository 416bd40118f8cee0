import type { JsonValue } from '../../shared/protocol/json-rpc'

/** Longer values are shown with their beginning. */
const LONGEST = 400

/** One side of a difference in a line; `absent` when there was nothing. */
export function valueText(value: JsonValue | undefined): string {
  if (value === undefined) return 'absent'
  const text = JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

/** What a difference is about, of its pointer: the root of the compared document says the kind. */
export function placeWords(path: string): string {
  if (path === '/outcome') return 'outcome'
  if (path === '/status') return 'HTTP status'
  if (path.startsWith('/frames')) return `frame ${path.slice('/frames'.length) || ''}`.trim()
  if (path.startsWith('/error')) return `error ${path.slice('/error'.length)}`.trim()
  return path.startsWith('/result') ? path.slice('/result'.length) || 'the whole result' : path
}
