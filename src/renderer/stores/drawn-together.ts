/**
 * Twenty drawings a second, every third frame of the screen, look live, and leave it time for scrolling and for the line of
 * now in between. What is newest is drawn as soon as with thirty, at which the feeds come.
 */
const REST_MS = 34
/** A page that is not drawn gets no frames of the screen, and goes on at this pace. */
const HIDDEN_PAGE_MS = 100

/** What is looked at is drawn at once; the table, and times that pass, a frame of the screen `after` it: two short halts for a long one. */
export type Turn = 'first' | 'after'
/** Runs a task soon, in one go with others. */
export type Together = (task: () => void, turn?: Turn) => void

/** How to run tasks some time after now, all that came meanwhile in one go, so that the page is drawn once for them. */
export function drawnTogether(
  frame: (task: () => void) => void,
  later: (task: () => void, delayMs: number) => void,
): Together {
  const waiting: Record<Turn, (() => void)[]> = { first: [], after: [] }
  const run = (turn: Turn): void => {
    for (const task of waiting[turn].splice(0)) task()
  }
  const atFrame = (task: () => void, delayMs: number): void => {
    let due = true
    const once = (): void => {
      if (!due) return
      due = false
      task()
    }
    later(() => frame(once), delayMs)
    later(once, HIDDEN_PAGE_MS)
  }
  let begun = false
  const begin = (): void => {
    begun = false
    const [first] = waiting.first
    if (first === undefined) return run('after')
    if (waiting.after.length > 0) atFrame(() => run('after'), 0)
    run('first')
  }
  return (task, turn = 'first') => {
    waiting[turn].push(task)
    if (begun) return
    begun = true
    atFrame(begin, REST_MS)
  }
}
