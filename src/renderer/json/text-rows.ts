/** A stretch of a text, without its line feed. */
export interface TextRow {
  from: number
  to: number
}

const LONGEST_ROW = 2_000

/** Cuts a text at its line feeds, and longer lines into pieces, so that each can be drawn for itself. */
export function textRows(text: string): TextRow[] {
  const rows: TextRow[] = []
  let from = 0
  while (from <= text.length) {
    const feed = text.indexOf('\n', from)
    const end = feed < 0 ? text.length : feed
    do {
      let to = Math.min(end, from + LONGEST_ROW)
      // Not between the halves of a character.
      if (to < end && isHighSurrogate(text.charCodeAt(to - 1))) to++
      rows.push({ from, to })
      from = to
    } while (from < end)
    if (feed < 0) break
    from = feed + 1
  }
  return rows
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
