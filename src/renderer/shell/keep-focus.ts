import { placeOf, standIn, takesFocus, type FocusPlace } from './focus-place'

/** A command that is over sooner than this takes the focus of its button only for so long, unseen. */
const SOON_MS = 120

/** What takes the keyboard while it is open, and gives it back. */
const LAYER = 'dialog, [role=dialog], [role=menu], [data-gives-back]'

/**
 * Keeps the keyboard somewhere: when what has the focus is removed, hidden or disabled, the focus goes to what is nearest to
 * its place, and out of a closed dialog, menu or editor to where it was before. Without this a browser gives it to the document, where
 * neither an arrow key nor a screen reader finds anything (WCAG 2.4.3). A control that was only disabled for a moment gets it
 * back. Returns what ends it.
 */
export function keepFocus(document: Document): () => void {
  let last: FocusPlace | null = null
  /** From where a layer was opened. */
  const openedFrom = new WeakMap<Element, FocusPlace>()
  let stopWaiting: () => void = () => undefined
  /** Who points sees where they are: nothing is scrolled for them. */
  let byPointer = false

  const lost = () => document.activeElement === null || document.activeElement === document.body

  const repair = (place: FocusPlace, depth = 0): HTMLElement | null => {
    const layer = place.ancestors.find((ancestor) => ancestor.matches(LAYER))
    if (layer !== undefined && !layer.isConnected) {
      const opener = openedFrom.get(layer)
      if (opener !== undefined && depth < 4) {
        return takesFocus(opener.element) ? opener.element : repair(opener, depth + 1)
      }
    }
    return standIn(place, document)
  }

  const settle = (place: FocusPlace) => {
    if (!lost() || takesFocus(place.element)) return
    const found = repair(place)
    if (found === null) return
    found.focus({ preventScroll: byPointer })
    if (place.element.isConnected && place.element.matches(':disabled')) giveBack(place.element, found)
  }

  /** To a control that is disabled while its command runs, unless the focus was moved meanwhile. */
  const giveBack = (element: HTMLElement, from: HTMLElement) => {
    const observer = new MutationObserver(() => {
      if (element.matches(':disabled') && element.isConnected) return
      stopWaiting()
      if (document.activeElement === from && takesFocus(element)) element.focus()
    })
    observer.observe(element, { attributes: true, attributeFilter: ['disabled'] })
    stopWaiting = () => observer.disconnect()
  }

  const onFocusIn = (event: FocusEvent) => {
    if (!(event.target instanceof HTMLElement || event.target instanceof SVGElement)) return
    const before = last
    last = placeOf(event.target as HTMLElement, document)
    const layer = event.target.closest(LAYER)
    if (layer !== null && before !== null && !layer.contains(before.element) && !openedFrom.has(layer)) {
      openedFrom.set(layer, before)
    }
  }
  const onFocusOut = (event: FocusEvent) => {
    if (event.relatedTarget !== null || last === null || event.target !== last.element) return
    const place = last
    stopWaiting()
    requestAnimationFrame(() => {
      if (!lost() || takesFocus(place.element)) return
      if (!place.element.isConnected || !place.element.matches(':disabled')) return settle(place)
      const timer = setTimeout(() => {
        if (lost() && takesFocus(place.element)) place.element.focus()
        else settle(place)
      }, SOON_MS)
      stopWaiting = () => clearTimeout(timer)
    })
  }

  const onPointer = () => (byPointer = true)
  const onKey = () => (byPointer = false)
  document.addEventListener('pointerdown', onPointer, { capture: true })
  document.addEventListener('keydown', onKey, { capture: true })
  document.addEventListener('focusin', onFocusIn)
  document.addEventListener('focusout', onFocusOut)
  return () => {
    stopWaiting()
    document.removeEventListener('pointerdown', onPointer, { capture: true })
    document.removeEventListener('keydown', onKey, { capture: true })
    document.removeEventListener('focusin', onFocusIn)
    document.removeEventListener('focusout', onFocusOut)
  }
}
