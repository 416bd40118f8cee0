export interface Size {
  width: number
  height: number
}
export interface Box extends Size {
  left: number
  top: number
}

/** Between the card and what it points at. */
const GAP = 10
/** Between the card and the edges of the window. */
const MARGIN = 8

/** Height of the bar at the top of the window. */
const BAR = 48

/** Where a card stands: beside, below or above the box that it points at, or in its lower right corner where it has no room. */
export function placeBeside(box: Box, card: Size, window: Size): { left: number; top: number } {
  const right = box.left + box.width
  const bottom = box.top + box.height
  const within = (at: number, size: number, room: number): number =>
    Math.max(MARGIN, Math.min(at, room - size - MARGIN))
  const top = within(box.top, card.height, window.height)
  const left = within(box.left, card.width, window.width)
  // What is in the bar at the top has its neighbours beside it.
  if (bottom < BAR && bottom + GAP + card.height + MARGIN <= window.height) return { left, top: bottom + GAP }
  if (right + GAP + card.width + MARGIN <= window.width) return { left: right + GAP, top }
  if (bottom + GAP + card.height + MARGIN <= window.height) return { left, top: bottom + GAP }
  if (box.top - GAP - card.height >= MARGIN) return { left, top: box.top - GAP - card.height }
  if (box.left - GAP - card.width >= MARGIN) return { left: box.left - GAP - card.width, top }
  return {
    left: within(right - card.width - GAP, card.width, window.width),
    top: within(bottom - card.height - GAP, card.height, window.height),
  }
}
