import { createContext, useContext } from 'react'
import type { CommandError } from '../../shared/api/contract'
import { useStatus } from '../stores/desk-context'

/** What became of the last change. */
export type ChangeNotice = { kind: 'failed'; what: string; error: CommandError } | { kind: 'held'; why: string }

/** A backend that was taken out and can be put back. */
export interface Removal {
  name: string
  undo: string
}

/** What can be done with the backends of the configuration, wherever they are shown. */
export interface ChangeBackends {
  notice: ChangeNotice | null
  /** The last removal that was not undone; it stays whatever else is changed. */
  removal: Removal | null
  /** Grows with each change that was written. */
  changes: number
  /** A dialog about a backend is open, which another one would take the place of. */
  asking: boolean
  dismiss: () => void
  edit: (name: string) => void
  remove: (name: string) => void
  /**
   * Turns one on or off. What it starts is shown before, unless the reader has it in sight: `version` is that of the entry
   * that is shown.
   */
  turn: (name: string, on: boolean, version?: string) => void
  /** Undoes a removal. When that fails it can be tried again. */
  restore: (undo: string) => void
  /** A removal is not to be undone. */
  forget: (undo: string) => void
  /** A change was written; why it is not in force, if it is not. */
  written: (held: string | null) => void
}

const Context = createContext<ChangeBackends | null>(null)
export const ChangeBackendsProvider = Context

export function useChangeBackends(): ChangeBackends {
  const change = useContext(Context)
  if (change === null) throw new Error('useChangeBackends needs ChangeBackends above it')
  return change
}

/** Names that no new backend can have. */
export function useTakenNames(): string[] {
  const status = useStatus((state) => state.status)
  if (status === null) return []
  const { backends, off, waiting } = status
  return [...[...backends, ...off].map(({ name }) => name), ...waiting.map(({ backend }) => backend)]
}
