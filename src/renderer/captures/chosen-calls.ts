import { useCalls, useSelection, useSource } from '../stores/desk-context'

/** Which calls a command is about. */
export type Scope = 'all' | 'filtered' | 'selected'

export interface ScopeChoice {
  scope: Scope
  /** For people. */
  label: string
  /** Null: all of them. */
  calls: () => number[] | null
  /** By what they were chosen. */
  filter?: string
}

/** The calls of the source that is looked at: the selected one, those that pass the filter, or all. */
export function useScopes(): ScopeChoice[] {
  const { calls } = useSource()
  const total = useCalls((state) => state.total)
  const filterText = useCalls((state) => state.filterText)
  const matching = useCalls((state) => state.matching)
  const selected = useSelection((selection) => selection.call)
  const choices: ScopeChoice[] = [{ scope: 'all', label: `all ${total.toLocaleString('en')} calls`, calls: () => null }]
  if (filterText.trim() !== '') {
    const label = `the ${matching.toLocaleString('en')} that pass the filter`
    choices.unshift({ scope: 'filtered', label, calls: () => calls.matching(), filter: filterText })
  }
  if (selected !== null && calls.get(selected) !== undefined)
    choices.push({ scope: 'selected', label: `call #${selected}`, calls: () => [selected] })
  return choices
}
