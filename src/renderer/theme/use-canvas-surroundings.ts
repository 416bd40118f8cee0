import { useEffect, useState } from 'react'

export interface CanvasSurroundings {
  /** Pixels of the screen to one of CSS. */
  pixels: number
  /** Counts changes of the theme and of what the system says about colours. */
  theme: number
}

/** What a canvas has to be drawn anew for though nothing on it has changed. */
export function useCanvasSurroundings(): CanvasSurroundings {
  const [pixels, setPixels] = useState(window.devicePixelRatio)
  const [theme, setTheme] = useState(0)
  useEffect(() => {
    const query = window.matchMedia(`(resolution: ${pixels}dppx)`)
    const changed = () => setPixels(window.devicePixelRatio)
    query.addEventListener('change', changed)
    return () => query.removeEventListener('change', changed)
  }, [pixels])
  useEffect(() => {
    const changed = () => setTheme((before) => before + 1)
    const observer = new MutationObserver(changed)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) => window.matchMedia(query))
    for (const query of queries) query.addEventListener('change', changed)
    return () => {
      observer.disconnect()
      for (const query of queries) query.removeEventListener('change', changed)
    }
  }, [])
  return { pixels, theme }
}
