import { useEffect, useState } from 'react'
import type { Box } from './place-beside'
import type { TourPlace } from './tour-steps'

/** Where the first of `places` that is on screen stands, followed while it moves, comes or goes; null while none is there. */
export function usePointedAt(places: readonly TourPlace[]): Box | null {
  const [box, setBox] = useState<Box | null>(null)
  useEffect(() => {
    let element: Element | null = null
    const measure = (): void => {
      const rect = element?.getBoundingClientRect()
      setBox((before) => {
        if (rect === undefined || rect.width === 0) return null
        const { left, top, width, height } = rect
        const same = before?.left === left && before.top === top && before.width === width && before.height === height
        return same ? before : { left, top, width, height }
      })
    }
    const sizes = new ResizeObserver(measure)
    const find = (): void => {
      const found = places
        .map((place) => document.querySelector(`[data-tour="${place}"]`))
        .find((each) => each !== null)
      if (found === element) return
      sizes.disconnect()
      element = found ?? null
      element?.scrollIntoView({ block: 'nearest' })
      sizes.observe(document.documentElement)
      if (element !== null) sizes.observe(element)
      measure()
    }
    // Parts of the desk come when they are shown, and move when others come.
    const changes = new MutationObserver(() => {
      find()
      measure()
    })
    changes.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('scroll', measure, { capture: true, passive: true })
    find()
    return () => {
      sizes.disconnect()
      changes.disconnect()
      document.removeEventListener('scroll', measure, { capture: true })
    }
  }, [places])
  return box
}
