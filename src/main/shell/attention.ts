import type { ReplayStatus } from '../../shared/api/replay'
import type { CallSummary } from '../../shared/capture/summary'

/** What is worth the attention of a user who looks elsewhere. */
export class Attention {
  readonly #withFindings = new Set<number>()
  #seen = 0
  readonly #running = new Set<string>()

  /** Calls with findings since the user looked last. */
  get unseen(): number {
    return this.#withFindings.size - this.#seen
  }

  calls(summaries: readonly CallSummary[]): void {
    for (const { call, findings } of summaries) if (findings > 0) this.#withFindings.add(call)
  }

  /** Replays that have just ended. */
  replays(statuses: readonly ReplayStatus[]): ReplayStatus[] {
    const ended = statuses.filter(({ id, state }) => !isRunning(state) && this.#running.has(id))
    this.#running.clear()
    for (const { id, state } of statuses) if (isRunning(state)) this.#running.add(id)
    return ended
  }

  /** The user looks at the desk. */
  looked(): void {
    this.#seen = this.#withFindings.size
  }
}

function isRunning(state: ReplayStatus['state']): boolean {
  return state === 'running' || state === 'paused'
}
