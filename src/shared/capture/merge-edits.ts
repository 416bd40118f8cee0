import type { TextEdit } from '../protocol/json-text'

/** Both lists as one without overlaps: what lies within another edit is covered by it. Of two for the same place the first list's counts. */
export function mergeEdits(first: readonly TextEdit[], second: readonly TextEdit[]): TextEdit[] {
  const ordered = [...first, ...second].sort((a, b) => a.start - b.start || b.end - a.end)
  const merged: TextEdit[] = []
  for (const edit of ordered) {
    const last = merged.at(-1)
    if (last === undefined || edit.start >= last.end) merged.push(edit)
    else if (edit.end > last.end) merged[merged.length - 1] = { ...last, end: edit.end }
  }
  return merged
}
