import { TABS, type Selection } from './selection-store'

const KEY = 'sluice.selection'

/** What is kept of a selection while a page is loaded again; the lit event is not, frames may have come meanwhile. */
export type RememberedSelection = Pick<Selection, 'view' | 'call' | 'backend' | 'tab'>

/** Keeps what is looked at in this run of Sluice. A full or forbidden storage costs only the remembering. */
export function rememberSelection(storage: Pick<Storage, 'setItem'>, startedAt: string, selection: Selection): void {
  const { view, call, backend, tab } = selection
  try {
    storage.setItem(KEY, JSON.stringify({ startedAt, view, call, backend, tab }))
  } catch (error) {
    console.warn('The desk could not remember what is selected:', error)
  }
}

/** What was looked at when the page was left; null when nothing is known, or of another run, whose calls are others. */
export function rememberedSelection(storage: Pick<Storage, 'getItem'>, startedAt: string): RememberedSelection | null {
  const stored = readStored(storage)
  if (typeof stored !== 'object' || stored === null) return null
  const { startedAt: run, view, call, backend, tab } = stored as Record<string, unknown>
  if (run !== startedAt) return null
  return {
    view: view === 'subscriptions' || view === 'compose' ? view : 'calls',
    call: typeof call === 'number' && Number.isSafeInteger(call) && call > 0 ? call : null,
    backend: typeof backend === 'string' ? backend : null,
    tab: TABS.find((each) => each === tab) ?? 'stream',
  }
}

function readStored(storage: Pick<Storage, 'getItem'>): unknown {
  try {
    return JSON.parse(storage.getItem(KEY) ?? 'null')
  } catch (error) {
    console.warn('What was selected cannot be read and is set aside:', error)
    return null
  }
}
