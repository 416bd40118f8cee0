/** Rows stay in memory: a name or a message of a megabyte must not. */
const MAX_TEXT = 300
export function shorten<T extends string | null>(text: T): T | string {
  if (text === null || text.length <= MAX_TEXT) return text
  // Taken apart and joined, since a plain slice would keep the whole text alive.
  return `${text
    .slice(0, MAX_TEXT - 1)
    .split('')
    .join('')}…`
}
