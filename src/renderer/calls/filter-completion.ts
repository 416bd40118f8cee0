import type { FilterKey } from '../../shared/capture/filter-types'
import { filterValue } from '../../shared/capture/filter-writing'
import type { CallSummary } from '../../shared/capture/summary'

export interface Completion {
  /** What takes the place of the text between `from` and `to`. */
  text: string
  label: string
  hint: string
}
export interface Completions {
  from: number
  to: number
  items: Completion[]
}

const MOST_ITEMS = 24
const MOST_CALLS_SEEN = 5_000

/** What could stand where the caret is: keys, or values of the key before it, fixed ones and those seen in the capture. */
export function completionsAt(
  text: string,
  caret: number,
  keys: readonly FilterKey[],
  calls: Iterable<CallSummary>,
): Completions {
  const word = wordBefore(text, caret)
  const negation = word.text.startsWith('-') ? 1 : 0
  const body = word.text.slice(negation)
  const colon = body.indexOf(':')
  if (colon < 0) {
    const typed = body.toLowerCase()
    const items = keys
      .filter(({ key }) => key.startsWith(typed))
      .map(({ key, hint }) => ({ text: `${key}:`, label: `${key}:`, hint }))
    return { from: word.from + negation, to: caret, items: items.slice(0, MOST_ITEMS) }
  }
  const key = keys.find((each) => each.key === body.slice(0, colon).toLowerCase())
  const from = word.from + negation + colon + 1
  if (key === undefined) return { from, to: caret, items: [] }
  const typed = body
    .slice(colon + 1)
    .replace(/^"/, '')
    .toLowerCase()
  const values = key.seen === undefined ? key.values : seenValues(key.seen, calls)
  const items = values
    .filter((value) => value.toLowerCase().includes(typed) && value.toLowerCase() !== typed)
    .sort((a, b) => Number(b.toLowerCase().startsWith(typed)) - Number(a.toLowerCase().startsWith(typed)))
    .map((value) => ({ text: `${filterValue(value)} `, label: value, hint: '' }))
  return { from, to: caret, items: items.slice(0, MOST_ITEMS) }
}

/** The word that ends at the caret; spaces inside quotes belong to it. */
function wordBefore(text: string, caret: number): { from: number; text: string } {
  let from = 0
  let quote = false
  for (let index = 0; index < caret; index++) {
    const char = text[index]
    if (char === '\\' && quote) index++
    else if (char === '"') quote = !quote
    else if (!quote && (char === ' ' || char === '\t')) from = index + 1
  }
  return { from, text: text.slice(from, caret) }
}

/** Values of the newest calls, the most frequent first. */
function seenValues(member: NonNullable<FilterKey['seen']>, calls: Iterable<CallSummary>): string[] {
  const counts = new Map<string, number>()
  let looked = 0
  for (const call of calls) {
    if (++looked > MOST_CALLS_SEEN) break
    const values = member === 'backend' ? (call.backend === null ? call.backends : [call.backend]) : [call[member]]
    for (const value of values) if (value !== null && value !== '') counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => value)
}
