import { useEffect, useState } from 'react'
import { timelineOf, type Timeline } from '../../shared/capture/timeline'
import { useElementWidth } from '../controls/use-element-width'
import { useCalls, useSource } from '../stores/desk-context'
import { stretchOf, withStretch } from './time-filter'
import { TimelineStrip } from './timeline-strip'

/** Pixels that a bar takes at least. */
const BAR = 6
const AGAIN_MS = 1_000

/** All calls of what is looked at over time, renewed once a second; a stretch of it narrows the table. */
export function TimelinePane() {
  const { calls } = useSource()
  const filterText = useCalls((state) => state.filterText)
  const empty = useCalls((state) => state.total === 0)
  const [holder, width] = useElementWidth<HTMLDivElement>()
  const [timeline, setTimeline] = useState<Timeline | null>(null)
  const most = Math.max(2, Math.floor(width / BAR))
  useEffect(() => {
    if (empty || width === 0) return
    let counted = -1
    const renew = () => {
      const { changes } = calls.store.getState()
      if (changes === counted) return
      counted = changes
      setTimeline(timelineOf(calls.ordered(), most))
    }
    renew()
    const timer = setInterval(renew, AGAIN_MS)
    return () => clearInterval(timer)
  }, [calls, most, empty, width])
  return (
    <div ref={holder}>
      {timeline !== null && !empty && (
        <TimelineStrip
          timeline={timeline}
          stretch={stretchOf(filterText)}
          onStretch={(stretch) => calls.setFilter(withStretch(filterText, stretch))}
        />
      )}
    </div>
  )
}
