import type { BackendActivity, Feeds } from '../../shared/api/contract'

/** Of lines that wait for a desk the newest of each backend are kept. */
export const MAX_WAITING = 500

/** Lines of backends on their way to one desk, gathered until it takes them. */
export class ActivityFeed {
  readonly #waiting = new Map<string, { lines: BackendActivity[]; skipped: number }>()

  constructor(private readonly schedule: () => void) {}

  get due(): boolean {
    return this.#waiting.size > 0
  }

  add(backend: string, line: BackendActivity): void {
    let waiting = this.#waiting.get(backend)
    if (waiting === undefined) this.#waiting.set(backend, (waiting = { lines: [], skipped: 0 }))
    waiting.lines.push(line)
    // Trimmed now and then, not at every line.
    if (waiting.lines.length >= 2 * MAX_WAITING) trim(waiting)
    this.schedule()
  }

  flush(push: (value: Feeds['activity']) => void): void {
    for (const [backend, waiting] of this.#waiting) {
      trim(waiting)
      push({ backend, ...waiting })
    }
    this.#waiting.clear()
  }
}

function trim(waiting: { lines: BackendActivity[]; skipped: number }): void {
  const over = waiting.lines.length - MAX_WAITING
  if (over <= 0) return
  waiting.lines = waiting.lines.slice(over)
  waiting.skipped += over
}
