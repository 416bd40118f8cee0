/** True when `text` is `pattern`, where `*` stands for any text, also for none. At most pattern × text steps. */
export function matchesPattern(pattern: string, text: string): boolean {
  let at = 0
  let inText = 0
  let star = -1
  let resume = 0
  while (inText < text.length) {
    if (at < pattern.length && pattern[at] === '*') {
      star = at++
      resume = inText
    } else if (at < pattern.length && pattern[at] === text[inText]) {
      at++
      inText++
    } else if (star >= 0) {
      at = star + 1
      inText = ++resume
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
