import { createStore, type StoreApi } from 'zustand/vanilla'

export const TABS = ['stream', 'rounds', 'request', 'response', 'headers', 'findings', 'raw'] as const
export type Tab = (typeof TABS)[number]

export const VIEWS = ['calls', 'subscriptions', 'statistics', 'findings', 'compose', 'settings'] as const
export type View = (typeof VIEWS)[number]

/** What is looked at: calls or subscriptions, a call or a backend, and within a call a tab and one event. Changed by the user alone. */
export interface Selection {
  view: View
  call: number | null
  backend: string | null
  tab: Tab
  /** The event that is lit on the lanes and open beside them. */
  seq: number | null
}

export type SelectionStore = StoreApi<Selection>

export function createSelectionStore(): SelectionStore {
  return createStore<Selection>(() => ({ view: 'calls', call: null, backend: null, tab: 'stream', seq: null }))
}

export function selectCall(store: SelectionStore, call: number | null): void {
  const { call: current, backend } = store.getState()
  if (call === current && backend === null) return
  store.setState({ call, backend: null, ...(call === current ? {} : { seq: null }) })
}
