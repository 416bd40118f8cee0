import { useCallback, useEffect, useRef, useState } from 'react'

/** After so long without a change a table is read. */
const STILL_MS = 250

/** Whether nothing is being scrolled, which `onScroll` tells, and nothing has changed, which `revision` counts. */
export function useStillness(revision: number): { still: boolean; onScroll: () => void } {
  const [scrolling, setScrolling] = useState(false)
  const [settled, setSettled] = useState(revision)
  const timer = useRef<number | undefined>(undefined)
  const onScroll = useCallback(() => {
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setScrolling(false), STILL_MS)
    setScrolling(true)
  }, [])
  useEffect(() => () => window.clearTimeout(timer.current), [])
  useEffect(() => {
    if (settled === revision) return
    const timeout = window.setTimeout(() => setSettled(revision), STILL_MS)
    return () => window.clearTimeout(timeout)
  }, [revision, settled])
  return { still: !scrolling && settled === revision, onScroll }
}
