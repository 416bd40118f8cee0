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
 * Does what the pressed key means. Plain keys rest while a text is being typed or a menu or dialog is open, function keys
 * only for menus and dialogs; chords with ⌘ or Ctrl never do.
 */
export function useActionKeys(chosen: ChosenKeys): void {
  const store = useActionsStore()
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return
    const chord = chordOf(event, isMac(navigator.platform))
    if (chord === undefined || (!chord.startsWith('Mod+') && isTyping(event.target, chord))) return
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

/** What letters are typed into, or choose in. */
const WRITTEN = 'input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [contenteditable]'

/** What has keys of its own. */
const ABOVE = '[role=menu], dialog, [data-typing]'

function isTyping(target: EventTarget | null, chord: string): boolean {
  // A button that was pressed may be gone, and the focus with it: what is open still counts.
  if (document.querySelector('dialog[open]') !== null) return true
  if (!(target instanceof Element)) return false
  // Function keys write nothing.
  if (/^F\d+$/.test(chord)) return target.closest(ABOVE) !== null
  return target.closest(`${WRITTEN}, ${ABOVE}`) !== null
}
