import { beginningOf } from './focus-place'

/**
 * Brings the keyboard to the next part of the desk: the header, the rail, the table or each pane of a view, the detail, and
 * around again. Parts are marked with `data-part`; of parts in parts the inner ones count.
 */
export function goToNextPart(document: Document): void {
  const all = [...document.querySelectorAll<HTMLElement>('[data-part]')]
  const parts = all.filter((part) => !all.some((other) => other !== part && part.contains(other)))
  const at = parts.findIndex((part) => part.contains(document.activeElement))
  for (let step = 1; step <= parts.length; step++) {
    const part = parts[(at + step) % parts.length]
    const begin = part === undefined ? undefined : beginningOf(part)
    if (begin !== undefined) return begin.focus()
  }
}
