import { useEffect, useState } from 'react'
import type { CallRecord } from '../../shared/capture/record'
import { useDesk } from '../stores/desk-context'
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
  const moving = useFrameNow(frozenAt === null) - record.receivedAt
  const now = Math.max(0, frozenAt ?? moving)
  const { deferral } = record
  const left = (deferral.latest - now) / 1e6
  const y = layout.client
  const from = x(deferral.start)
  const to = x(Math.min(now, deferral.latest))
  return (
    <g>
      {deferral.open && (
        <g data-testid="deferral" data-open="true">
          <rect
            x={to}
            y={y - 14}
            width={Math.max(0, x(deferral.latest) - to)}
            height={28}
            className={styles.bandAhead}
          />
          <rect x={from} y={y - 14} width={Math.max(1, to - from)} height={28} fill="url(#hatch)" className={styles.band} />
          <text x={Math.max(LEFT, from)} y={y + 28} className={styles.countdown}>
            {left > 0 ? `plain JSON still possible, ${left.toFixed(1)} s` : 'the deferral window is over, about to commit'}
          </text>
        </g>
      )}
      <line className={styles.now} x1={x(now)} x2={x(now)} y1={14} y2={layout.height - 6} />
      <text x={x(now) + 5} y={y - 40 + 16} className={styles.nowLabel}>
        now
      </text>
    </g>
  )
}

/** The capture's time at every frame of the screen; four times a second for those who asked for less motion. */
function useFrameNow(active: boolean): number {
  const { clock } = useDesk()
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
