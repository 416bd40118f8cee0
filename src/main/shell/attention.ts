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

/** What a notification says of a replay that has ended. Names in it are as they were chosen on this machine. */
export function replayNotice({ name, state, stopped, problem, counts }: ReplayStatus): { title: string; body: string } {
  if (state !== 'done') return { title: 'Replay failed', body: `“${name}”: ${problem ?? 'it did not end well'}` }
  const { different, failed, same } = counts
  const compared = different + failed + same
  const found = [
    ...(different > 0 ? [`${different} of ${compared} operations differ`] : []),
    ...(failed > 0 ? [`${failed} of ${compared} failed`] : []),
  ]
  const words = compared === 0 ? 'nothing was compared' : found.join(', ') || `no differences in ${compared}`
  return { title: stopped ? 'Replay stopped' : 'Replay finished', body: `“${name}”: ${words}` }
}

function isRunning(state: ReplayStatus['state']): boolean {
  return state === 'running' || state === 'paused'
}
