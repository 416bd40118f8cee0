/** Where the focus is, kept for when that is gone. */
export interface FocusPlace {
  element: HTMLElement
  /** What it is in, the innermost first. */
  ancestors: Element[]
  /** Everything that the Tab key reached then, in its order, and which of it the element is. */
  order: HTMLElement[]
  index: number
}

const REACHED = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]'

/** Where the keyboard begins in a part: what is chosen there, or what most is done with. */
const BEGINNINGS = [
  '[role=grid], [role=treegrid]',
  '[role=tab][aria-selected=true]',
  '[aria-current]',
  '[role=combobox]',
]

export function placeOf(element: HTMLElement, document: Document): FocusPlace {
  const ancestors: Element[] = []
  for (let at = element.parentElement; at !== null; at = at.parentElement) ancestors.push(at)
  const order = reachedIn(document)
  return { element, ancestors, order, index: order.indexOf(element) }
}

/**
 * What stands in for what is gone: the same control, drawn anew; the beginning of the part before one that is closed; or, in the innermost thing around it that is still there, a
 * table of calls, else that thing itself if it can have the focus, else what came after or before, else the first that can
 * have it. A view of which nothing can have it yet gets it itself.
 */
export function standIn({ element, ancestors, order, index }: FocusPlace, document: Document): HTMLElement | null {
  const anew = element.id === '' ? null : document.getElementById(element.id)
  if (anew !== null && takesFocus(anew)) return anew
  // A part that was closed gives it to the one before, at its beginning.
  if (ancestors.some((ancestor) => ancestor.matches('[data-part]') && !ancestor.isConnected)) {
    const before = order.slice(0, Math.max(0, index)).findLast(takesFocus)?.closest<HTMLElement>('[data-part]')
    const begin = before === null || before === undefined ? undefined : beginningOf(before)
    if (begin !== undefined) return begin
  }
  for (const ancestor of ancestors) {
    if (!ancestor.isConnected || !(ancestor instanceof HTMLElement)) continue
    const inside = (element: HTMLElement) => ancestor.contains(element) && takesFocus(element)
    const found =
      [...ancestor.querySelectorAll<HTMLElement>('[role=grid], [role=treegrid]')].find(takesFocus) ??
      (ancestor.hasAttribute('tabindex') && takesFocus(ancestor) ? ancestor : undefined) ??
      order.slice(index + 1).find(inside) ??
      order.slice(0, Math.max(0, index)).findLast(inside) ??
      reachedIn(ancestor).find(takesFocus)
    if (found !== undefined) return found
    if (ancestor.matches('main')) return madeFocusable(ancestor)
  }
  return reachedIn(document).find(takesFocus) ?? null
}

/** Only while it has the focus: a click into it shall not take the focus from elsewhere. */
function madeFocusable(element: HTMLElement): HTMLElement {
  element.tabIndex = -1
  element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  return element
}

/** Whether it is there, to be seen and enabled. */
export function takesFocus(element: HTMLElement): boolean {
  return (
    element.isConnected &&
    !element.matches(':disabled, [inert] *') &&
    element.checkVisibility({ visibilityProperty: true })
  )
}

/** What the Tab key reaches, in its order. */
export function reachedIn(parent: ParentNode): HTMLElement[] {
  return [...parent.querySelectorAll<HTMLElement>(REACHED)].filter((element) => element.tabIndex >= 0)
}

/** Where the keyboard begins in a part of the desk. */
export function beginningOf(part: HTMLElement): HTMLElement | undefined {
  for (const selector of BEGINNINGS) {
    const found = [...part.querySelectorAll<HTMLElement>(selector)].find(
      (each) => each.tabIndex >= 0 && takesFocus(each),
    )
    if (found !== undefined) return found
  }
  return reachedIn(part).find(takesFocus)
}
