import { useEffect, useEffectEvent } from 'react'

/** What a key does; keys as in `KeyboardEvent.key`. */
export type KeyMap = Record<string, () => void>

/** Single keys of the whole desk. They rest while a text is being typed, a menu is open, or a modifier is held. */
export function useKeys(keys: KeyMap): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const action = keys[event.key]
    if (action === undefined) return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('input, textarea, select, [role=menu], dialog, [data-typing]') !== null
  )
}
