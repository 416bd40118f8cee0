import { useEffect, useState } from 'react'
import type { CallRecord } from '../../shared/capture/record'
import { useSource } from '../stores/desk-context'
import { LEFT, type LanesLayout } from './lanes-layout'
import styles from './lanes.module.css'

interface LiveLayerProps {
  record: CallRecord
  layout: LanesLayout
  x: (offset: number) => number
  /** The moment at which the picture stands still; null while it moves. */
  frozenAt: number | null
}

/** What moves with every frame of the screen while a call is in flight: the "now" line and the open window. */
export function LiveLayer({ record, layout, x, frozenAt }: LiveLayerProps) {
  const now = useMoment(record, frozenAt)
  const { deferral } = record
  const y = layout.client
  const from = x(deferral.start)
  const to = x(Math.min(now, deferral.latest))
  const ahead = Math.max(0, x(deferral.latest) - to)
  return (
    <g aria-hidden="true">
      {deferral.open && (
        <>
          <rect x={to} y={y - 14} width={ahead} height={28} className={styles.bandAhead} />
          <rect
            x={from}
            y={y - 14}
            width={Math.max(1, to - from)}
            height={28}
            fill="url(#hatch)"
            className={styles.band}
          />
        </>
      )}
      <line className={styles.now} x1={x(now)} x2={x(now)} y1={14} y2={layout.height - 6} />
      <text x={x(now) + 5} y={layout.height - 8} className={styles.nowLabel}>
        now
      </text>
    </g>
  )
}

/** How long the answer can still be plain JSON. */
export function Countdown({ record, layout, x, frozenAt }: LiveLayerProps) {
  const now = useMoment(record, frozenAt)
  const { deferral } = record
  if (!deferral.open) return null
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
  const moving = useFrameNow(frozenAt === null) - record.receivedAt
  return Math.max(0, frozenAt ?? moving)
}

/** The capture's time at every frame of the screen; four times a second for those who asked for less motion. */
function useFrameNow(active: boolean): number {
  const { clock } = useSource()
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => {
    if (!active) return
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
      const timer = setInterval(() => setNow(clock.now()), 250)
      return () => clearInterval(timer)
    }
    let request = requestAnimationFrame(function frame() {
      setNow(clock.now())
      request = requestAnimationFrame(frame)
    })
    return () => cancelAnimationFrame(request)
  }, [clock, active])
  return now
}
