/**
 * How well what was typed fits an entry of the palette, from 0 (not at all) to 1. `texts`: its title first, then other
 * words to find it by. The beginning of the title counts most, then that of a word, then any place, then the other words,
 * and least the letters in order (`ncl` for “Next call”).
 */
export function matchScore(typed: string, texts: readonly string[]): number {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return 1
  const [title = '', ...others] = texts.map((text) => text.toLowerCase())
  if (title.startsWith(wanted)) return 1
  if (beginsWord(title, wanted)) return 0.8
  if (title.includes(wanted)) return 0.6
  if (others.some((text) => text.startsWith(wanted) || beginsWord(text, wanted))) return 0.4
  if (others.some((text) => text.includes(wanted))) return 0.3
  return hasInOrder(title, wanted) ? 0.1 : 0
}

function beginsWord(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true
  }
  return false
}

function hasInOrder(text: string, wanted: string): boolean {
  let at = 0
  for (const letter of wanted) {
    at = text.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}
