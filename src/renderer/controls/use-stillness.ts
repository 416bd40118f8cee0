import { useCallback, useEffect, useRef, useState } from 'react'

/** After so long without a scroll a table is read. */
const STILL_MS = 250

/** Whether nothing is being scrolled; `onScroll` says that something is. */
export function useStillness(): { still: boolean; onScroll: () => void } {
  const [still, setStill] = useState(true)
  const timer = useRef<number | undefined>(undefined)
  const onScroll = useCallback(() => {
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setStill(true), STILL_MS)
    setStill(false)
  }, [])
  useEffect(() => () => window.clearTimeout(timer.current), [])
  return { still, onScroll }
}
