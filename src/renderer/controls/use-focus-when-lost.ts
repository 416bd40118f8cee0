import { useEffect, useRef, type RefObject } from 'react'

/**
 * Takes the focus when it appears in the place of what had it, as a report in the place of the button that began it. Where
 * something else has the focus it stays there.
 */
export function useFocusWhenLost<E extends HTMLElement>(): RefObject<E | null> {
  const element = useRef<E>(null)
  useEffect(() => {
    if (document.activeElement === document.body) element.current?.focus({ preventScroll: true })
  }, [])
  return element
}
