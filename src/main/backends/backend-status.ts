import type { Era } from '../../shared/protocol/revisions'
import type { Activity, BackendState } from './backend'

/** The state of a backend and what happens to it, for those who watch. Silent once closed. */
export class BackendStatus {
  #state: BackendState
  #closed = false
  readonly #stateListeners = new Set<(state: BackendState) => void>()
  readonly #activityListeners = new Set<(activity: Activity) => void>()

  constructor(era: Era | null) {
    this.#state = { health: 'starting', era, changedAt: Date.now() }
  }

  get state(): BackendState {
    return this.#state
  }

  get closed(): boolean {
    return this.#closed
  }

  onState(listener: (state: BackendState) => void): () => void {
    this.#stateListeners.add(listener)
    return () => this.#stateListeners.delete(listener)
  }

  onActivity(listener: (activity: Activity) => void): () => void {
    this.#activityListeners.add(listener)
    return () => this.#activityListeners.delete(listener)
  }

  /** What was last known of the server (its name, its discovery) stays known while it says nothing new. */
  set(next: Omit<BackendState, 'changedAt'>): void {
    if (this.#closed) return
    const before = this.#state
    const changed = before.health !== next.health || before.reason !== next.reason
    this.#state = {
      ...(before.serverInfo === undefined ? {} : { serverInfo: before.serverInfo }),
      ...(before.discovered === undefined || next.era === 'legacy' ? {} : { discovered: before.discovered }),
      ...(before.initialized === undefined || next.era === 'modern' ? {} : { initialized: before.initialized }),
      ...next,
      changedAt: changed ? Date.now() : before.changedAt,
    }
    const news = next.discovered !== undefined || next.initialized !== undefined
    if (changed || news || before.era !== next.era) for (const listener of this.#stateListeners) listener(this.#state)
  }

  report(kind: Activity['kind'], text: string): void {
    for (const listener of this.#activityListeners) listener({ kind, text })
  }

  /** No state is announced any more; activities still are, so that the end of a process is seen. */
  close(): void {
    this.#closed = true
  }
}
