import { createStore, type StoreApi } from 'zustand/vanilla'
import type { CommandError, DeskStatus } from '../../shared/api/contract'

export interface StatusState {
  /** Null until the first answer. */
  status: DeskStatus | null
  connected: boolean
  error: CommandError | null
  /** True once the server said that this page may not speak to it. */
  unauthorized: boolean
}

export type StatusStore = StoreApi<StatusState>

export function createStatusStore(): StatusStore {
  return createStore<StatusState>(() => ({ status: null, connected: true, error: null, unauthorized: false }))
}
