import type { CallEvent } from '../../shared/capture/events'
import type { CallSummary } from '../../shared/capture/summary'

/** Who watches a recorder. What a listener throws is its own fault, and is told to `failed`. */
export class Watchers {
  private readonly change = new Set<(calls: readonly CallSummary[]) => void>()
  private readonly status = new Set<() => void>()
  private readonly events = new Map<number, Set<(events: readonly CallEvent[]) => void>>()

  constructor(private readonly failed: (error: unknown) => void) {}

  onChange(listener: (calls: readonly CallSummary[]) => void): () => void {
    this.change.add(listener)
    return () => this.change.delete(listener)
  }

  onStatus(listener: () => void): () => void {
    this.status.add(listener)
    return () => this.status.delete(listener)
  }

  onEvents(call: number, listener: (events: readonly CallEvent[]) => void): () => void {
    let listeners = this.events.get(call)
    if (listeners === undefined) this.events.set(call, (listeners = new Set()))
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.events.get(call) === listeners) this.events.delete(call)
    }
  }

  /** True while somebody looks at the events of this call. */
  watches(call: number): boolean {
    return this.events.has(call)
  }

  tellChange(calls: readonly CallSummary[]): void {
    for (const listener of this.change) this.tell(() => listener(calls))
  }

  tellStatus(): void {
    for (const listener of this.status) this.tell(listener)
  }

  tellEvents(call: number, events: readonly CallEvent[]): void {
    for (const listener of this.events.get(call) ?? []) this.tell(() => listener(events))
  }

  private tell(task: () => void): void {
    try {
      task()
    } catch (error) {
      this.failed(error)
    }
  }
}
