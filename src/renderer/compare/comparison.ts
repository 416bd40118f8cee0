import { createStore, type StoreApi } from 'zustand/vanilla'

/** A call of the live run (`capture` is null) or of an opened capture. */
export interface CallPlace {
  capture: string | null
  call: number
}

export interface ComparedCalls {
  was: CallPlace
  now: CallPlace
}

export interface ComparisonState {
  /** The call that waits for another one to be compared with. */
  chosen: CallPlace | null
  /** Two calls side by side; null while something else is looked at. */
  shown: ComparedCalls | null
}

/** Which two calls are looked at side by side. */
export class Comparison {
  readonly store: StoreApi<ComparisonState> = createStore<ComparisonState>(() => ({ chosen: null, shown: null }))

  show(calls: ComparedCalls): void {
    this.store.setState({ shown: calls, chosen: null })
  }

  close(): void {
    if (this.store.getState().shown !== null) this.store.setState({ shown: null })
  }

  /** Chooses the first call, lets it go again, or shows it beside the second. What was recorded counts as the earlier one. */
  choose(place: CallPlace): void {
    const { chosen } = this.store.getState()
    if (chosen === null) return this.store.setState({ chosen: place })
    if (isSamePlace(chosen, place)) return this.store.setState({ chosen: null })
    const turned = chosen.capture === null && place.capture !== null
    this.show(turned ? { was: place, now: chosen } : { was: chosen, now: place })
  }
}

export function isSamePlace(one: CallPlace, other: CallPlace): boolean {
  return one.capture === other.capture && one.call === other.call
}
