/**
 * Twenty drawings a second, every third frame of the screen, look live, and leave it time for scrolling and for the line of
 * now in between. What is newest is drawn as soon as with thirty, at which the feeds come.
 */
const REST_MS = 34
/** A page that is not drawn gets no frames of the screen, and goes on at this pace. */
const HIDDEN_PAGE_MS = 100

/** How to run tasks some time after now, all that came meanwhile in one go, so that the page is drawn once for them. */
export function drawnTogether(
  frame: (task: () => void) => void,
  later: (task: () => void, delayMs: number) => void,
): (task: () => void) => void {
  let waiting: (() => void)[] = []
  const run = (): void => {
    const tasks = waiting
    waiting = []
    for (const task of tasks) task()
  }
  return (task) => {
    waiting.push(task)
    if (waiting.length > 1) return
    let due = true
    const once = (): void => {
      if (due) run()
      due = false
    }
    later(() => frame(once), REST_MS)
    later(once, HIDDEN_PAGE_MS)
  }
}
