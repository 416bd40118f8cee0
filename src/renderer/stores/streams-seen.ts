import type { CallSummary } from '../../shared/capture/summary'

/** Calls that are streams of subscriptions, in the order in which they came. */
export class StreamsSeen {
  readonly #all = new Set<number>()
  readonly #open = new Set<number>()

  /** How many are written to and have not ended. */
  get open(): number {
    return this.#open.size
  }

  newest(): number[] {
    return [...this.#all].reverse()
  }

  note({ call, answer, endedAt }: CallSummary): void {
    this.#all.add(call)
    if (endedAt === null && answer?.form === 'sse') this.#open.add(call)
    else this.#open.delete(call)
  }

  clear(): void {
    this.#all.clear()
    this.#open.clear()
  }
}
