import { createContext, useContext, useEffect, useEffectEvent, useRef } from 'react'
import type { ActionsStore } from './actions-store'
import { type Doable } from './actions-store'
import { actionOf, chordOf, isMac, type ChosenKeys } from './keymap'

const ActionsContext = createContext<ActionsStore | null>(null)
export const ActionsProvider = ActionsContext

export function useActionsStore(): ActionsStore {
  const store = useContext(ActionsContext)
  if (store === null) throw new Error('useActionsStore needs an ActionsProvider above it')
  return store
}

/** What can be done while the component is there: by its key, and in the palette. */
export function useActions(doable: Doable): void {
  const store = useActionsStore()
  const offer = useRef(doable)
  const ids = Object.entries(doable)
    .flatMap(([id, doIt]) => (doIt === undefined ? [] : id))
    .join(' ')
  useEffect(() => {
    offer.current = doable
  })
  useEffect(() => store.add(offer), [store])
  useEffect(() => store.changed(), [store, ids])
}

/**
 * Does what the pressed key means. Plain keys rest while a text is being typed or a menu or dialog is open; chords with ⌘ or
 * Ctrl do not.
 */
export function useActionKeys(chosen: ChosenKeys): void {
  const store = useActionsStore()
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return
    const chord = chordOf(event, isMac(navigator.platform))
    if (chord === undefined || (!chord.startsWith('Mod+') && isTyping(event.target))) return
    const action = actionOf(chord, chosen)
    const doIt = action === undefined ? undefined : store.find(action)
    if (doIt === undefined) return
    event.preventDefault()
    doIt()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], [role=menu], dialog, [data-typing]') !== null
  )
}
