import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { CallRecord } from '../../shared/capture/record'
import { useSource } from '../stores/desk-context'
import { LEFT, type LanesLayout } from './lanes-layout'
import styles from './lanes.module.css'

interface LiveProps {
  record: CallRecord
  layout: LanesLayout
  x: (offset: number) => number
  /** The moment at which the picture stands still; null while it moves. */
  frozenAt: number | null
}

/** The line of now. It moves with the screen, by whole pixels, and nothing is drawn for it but itself. */
export function NowLine({ record, layout, x, frozenAt }: LiveProps) {
  const { clock } = useSource()
  const line = useRef<HTMLDivElement>(null)
  const drawn = useRef<string | null>(null)
  const move = useEffectEvent(() => {
    const element = line.current
    if (element === null) return
    const at = Math.round(x(Math.max(0, frozenAt ?? clock.now() - record.receivedAt)))
    // Outside of the lanes there is nothing to see of it.
    const place = at < LEFT - 1 ? 'none' : `translateX(${at}px)`
    if (place === drawn.current) return
    drawn.current = place
    element.style.visibility = place === 'none' ? 'hidden' : 'visible'
    element.style.transform = place
  })
  useLayoutEffect(() => move(), [x, frozenAt, record])
  useEffect(() => onEachFrame(() => move()), [])
  return (
    <div className={styles.nowClip} style={{ height: layout.height }} aria-hidden="true">
      <div ref={line} className={styles.now} style={{ top: 14, height: layout.height - 20 }}>
        <span className={styles.nowLabel}>now</span>
      </div>
    </div>
  )
}

/** The deferral window while it is open. */
export function OpenWindow({ record, layout, x, frozenAt }: LiveProps) {
  const now = useMoment(record, frozenAt)
  const { deferral } = record
  const y = layout.client
  const from = x(deferral.start)
  const to = x(Math.min(now, deferral.latest))
  const ahead = Math.max(0, x(deferral.latest) - to)
  return (
    <g aria-hidden="true">
      <rect x={to} y={y - 14} width={ahead} height={28} className={styles.bandAhead} />
      <rect x={from} y={y - 14} width={Math.max(1, to - from)} height={28} fill="url(#hatch)" className={styles.band} />
    </g>
  )
}

/** How long the answer can still be plain JSON. */
export function Countdown({ record, layout, x, frozenAt }: LiveProps) {
  const now = useMoment(record, frozenAt)
  const { deferral } = record
  const left = (deferral.latest - now) / 1e6
  return (
    <div
      className={styles.countdown}
      role="timer"
      data-testid="deferral"
      data-open="true"
      style={{ left: Math.max(LEFT, x(deferral.start)), top: layout.client + 17 }}
    >
      {left > 0 ? `plain JSON still possible, ${left.toFixed(1)} s` : 'the deferral window is over, about to commit'}
    </div>
  )
}

function useMoment(record: CallRecord, frozenAt: number | null): number {
  const { clock } = useSource()
  const [now, setNow] = useState(() => clock.now())
  const moving = frozenAt === null
  useEffect(() => (moving ? onEachFrame(() => setNow(clock.now())) : undefined), [clock, moving])
  return Math.max(0, frozenAt ?? now - record.receivedAt)
}

/** Runs `task` at every frame of the screen; four times a second for those who asked for less motion. Returns how to end it. */
function onEachFrame(task: () => void): () => void {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
    const timer = setInterval(task, 250)
    return () => clearInterval(timer)
  }
  let request = requestAnimationFrame(function frame() {
    task()
    request = requestAnimationFrame(frame)
  })
  return () => cancelAnimationFrame(request)
}
