/** A page that is not drawn gets no frames of the screen, and goes on at this pace. */
const HIDDEN_PAGE_MS = 100

/** How to run a task when the screen is next drawn, so that what came in between is drawn together. */
export function nextFrame(
  frame: (task: () => void) => void,
  later: (task: () => void, delayMs: number) => void,
): (task: () => void) => void {
  return (task) => {
    let due = true
    const once = (): void => {
      if (!due) return
      due = false
      task()
    }
    frame(once)
    later(once, HIDDEN_PAGE_MS)
  }
}
