import { createStore, type StoreApi } from 'zustand/vanilla'
import { ACTION_IDS, type ActionId } from './catalog'

/** What can be done now. */
export type Doable = Partial<Record<ActionId, () => void>>

/**
 * The actions of everything on screen. Of two that offer the same one, the one that came last does it: a dialog stands
 * above the pane that opened it.
 */
export class ActionsStore {
  /** Counts changes, for those who list the actions. */
  readonly changes: StoreApi<{ count: number }> = createStore(() => ({ count: 0 }))
  readonly #offers: { current: Doable }[] = []

  /** `offer.current` is read when an action is done, so that it may be renewed at any time. */
  add(offer: { current: Doable }): () => void {
    this.#offers.push(offer)
    this.changed()
    return () => {
      const at = this.#offers.indexOf(offer)
      if (at !== -1) this.#offers.splice(at, 1)
      this.changed()
    }
  }

  find(action: ActionId): (() => void) | undefined {
    for (let at = this.#offers.length - 1; at >= 0; at--) {
      const doIt = this.#offers[at]?.current[action]
      if (doIt !== undefined) return doIt
    }
    return undefined
  }

  /** Those that can be done, in the order of the catalog. */
  doable(): ActionId[] {
    return ACTION_IDS.filter((id) => this.find(id) !== undefined)
  }

  /** Something else can be done now than before. */
  changed(): void {
    this.changes.setState(({ count }) => ({ count: count + 1 }))
  }
}
