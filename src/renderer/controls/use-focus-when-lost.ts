import { useEffect, useRef, useState, type RefObject } from 'react'

/**
 * Takes the focus when it appears in the place of what had it, as a report in the place of the button that began it. Where
 * something else has the focus it stays there. `wanted`: looked at once, when it appears.
 */
export function useFocusWhenLost<E extends HTMLElement>(wanted = true): RefObject<E | null> {
  const element = useRef<E>(null)
  const [takes] = useState(wanted)
  useEffect(() => {
    if (takes && document.activeElement === document.body) element.current?.focus({ preventScroll: true })
  }, [takes])
  return element
}
