import type { BackendActivity } from '../../shared/api/contract'

export const KINDS = ['all', 'stderr', 'noise', 'process'] as const
export type OutputKind = (typeof KINDS)[number]

const SHOWN: Record<OutputKind, ReadonlySet<BackendActivity['kind']> | null> = {
  all: null,
  stderr: new Set(['stderr']),
  noise: new Set(['noise']),
  process: new Set(['started', 'restarted', 'exited', 'state']),
}

/** The lines of the kind in which `text` occurs, in any case. */
export function shownLines(
  lines: readonly BackendActivity[],
  kind: OutputKind,
  text: string,
): readonly BackendActivity[] {
  const kinds = SHOWN[kind]
  const wanted = text.toLowerCase()
  if (kinds === null && wanted === '') return lines
  return lines.filter(
    (line) => (kinds === null || kinds.has(line.kind)) && (wanted === '' || line.text.toLowerCase().includes(wanted)),
  )
}

/** A text in pieces, those that were looked for marked. */
export function matchParts(text: string, wanted: string): { text: string; match: boolean }[] {
  const parts: { text: string; match: boolean }[] = []
  const lower = text.toLowerCase()
  // A letter whose small form is longer moves all places after it; such a line is shown without marks.
  const place = lower.length === text.length ? wanted.toLowerCase() : ''
  let from = 0
  for (let at = place === '' ? -1 : lower.indexOf(place); at >= 0; at = lower.indexOf(place, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), match: false })
    from = at + place.length
    parts.push({ text: text.slice(at, from), match: true })
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from), match: false })
  return parts
}
