import { memo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import type { Timeline } from '../../shared/capture/timeline'
import { formatOffset, plural } from '../text/format'
import type { Stretch } from './time-filter'
import styles from './timeline.module.css'

export interface TimelineStripProps {
  timeline: Timeline
  /** What the table is narrowed to; null when it shows all times. */
  stretch: Stretch | null
  onStretch: (stretch: Stretch | null) => void
}

const HEIGHT = 34
/** A drag of fewer pixels is a click, which shows all times again. */
const LEAST_DRAG = 3

/** All calls over time; dragging narrows the table to a stretch, a click or Esc shows all again. */
export function TimelineStrip({ timeline, stretch, onStretch }: TimelineStripProps) {
  const box = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<{ start: number; now: number } | null>(null)
  const { from, to, buckets, most } = timeline
  const width = buckets.length
  const place = (micros: number) => ((micros - from) / (to - from)) * width

  const timeAt = (event: PointerEvent): number => {
    const { left, width: pixels } = box.current?.getBoundingClientRect() ?? { left: 0, width: 1 }
    return from + Math.max(0, Math.min(1, (event.clientX - left) / pixels)) * (to - from)
  }
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ start: event.clientX, now: event.clientX })
  }
  const onPointerUp = (event: PointerEvent) => {
    if (drag === null) return
    setDrag(null)
    if (Math.abs(event.clientX - drag.start) < LEAST_DRAG) return onStretch(null)
    const end = timeAt(event)
    const begin = timeAt({ ...event, clientX: drag.start })
    onStretch({ from: Math.round(Math.min(begin, end)), to: Math.round(Math.max(begin, end)) })
  }
  /** One bucket at a time: the whole stretch, or with Shift its end. */
  const onKeyDown = (event: KeyboardEvent) => {
    const step = (buckets[0]?.to ?? to) - from
    const by = event.key === 'ArrowLeft' ? -step : event.key === 'ArrowRight' ? step : 0
    if (event.key === 'Escape' && stretch !== null) onStretch(null)
    else if (by === 0) return
    else {
      const now = stretch ?? { from: by > 0 ? from - step : to, to: by > 0 ? from : to + step }
      const next = event.shiftKey ? { from: now.from, to: now.to + by } : { from: now.from + by, to: now.to + by }
      const held = { from: Math.max(from, next.from), to: Math.min(to, next.to) }
      if (held.from < held.to) onStretch(held)
    }
    event.preventDefault()
    event.stopPropagation()
  }

  const shown = drag === null ? stretch : dragged(drag, box.current, timeline)
  return (
    <div className={styles.strip}>
      <div
        ref={box}
        className={styles.bars}
        role="slider"
        aria-label="calls over time: arrow keys choose a stretch, Shift changes its end, Escape shows all"
        aria-valuemin={0}
        aria-valuemax={Math.round((to - from) / 1_000)}
        aria-valuenow={Math.round(((shown?.from ?? from) - from) / 1_000)}
        aria-valuetext={shown === null ? 'all times' : `${formatOffset(shown.from)} to ${formatOffset(shown.to)}`}
        tabIndex={0}
        data-testid="timeline"
        onPointerDown={onPointerDown}
        onPointerMove={(event) => drag !== null && setDrag({ ...drag, now: event.clientX })}
        onPointerUp={onPointerUp}
        onPointerCancel={() => setDrag(null)}
        onKeyDown={onKeyDown}
      >
        <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
          <Bars timeline={timeline} />
          {shown !== null && (
            <>
              <rect className={styles.outside} x={0} y={0} width={Math.max(0, place(shown.from))} height={HEIGHT} />
              <rect
                className={styles.outside}
                x={place(shown.to)}
                y={0}
                width={Math.max(0, width - place(shown.to))}
                height={HEIGHT}
              />
            </>
          )}
        </svg>
      </div>
      <div className={styles.words} aria-hidden>
        <span>{formatOffset(from)}</span>
        <span>
          {shown === null
            ? `${plural(width, 'bar')}, at most ${plural(most, 'call')} each; drag to narrow`
            : `${formatOffset(shown.from)} – ${formatOffset(shown.to)}; click to show all`}
        </span>
        <span>{formatOffset(to)}</span>
      </div>
    </div>
  )
}

/** They are the same whatever is typed into the filter. */
const Bars = memo(function Bars({ timeline: { buckets, most } }: { timeline: Timeline }) {
  return buckets.map(({ from, calls, errors }, index) => {
    if (calls === 0) return null
    const high = Math.max(2, (calls / most) * (HEIGHT - 4))
    const bad = errors === 0 ? 0 : Math.max(2, (errors / most) * (HEIGHT - 4))
    return (
      <g key={from}>
        <rect className={styles.calls} x={index} y={HEIGHT - high} width={0.82} height={high} />
        {bad > 0 && <rect className={styles.errors} x={index} y={HEIGHT - bad} width={0.82} height={bad} />}
      </g>
    )
  })
})

function dragged(
  drag: { start: number; now: number },
  box: HTMLElement | null,
  { from, to }: Timeline,
): Stretch | null {
  if (box === null || Math.abs(drag.now - drag.start) < LEAST_DRAG) return null
  const { left, width } = box.getBoundingClientRect()
  const time = (x: number) => from + Math.max(0, Math.min(1, (x - left) / width)) * (to - from)
  return { from: time(Math.min(drag.start, drag.now)), to: time(Math.max(drag.start, drag.now)) }
}
