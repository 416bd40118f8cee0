import { memo } from 'react'
import type { CallRecord } from '../../shared/capture/record'
import { visibleString } from '../text/visible-text'
import { CHARACTER, LEFT, RIGHT, shorten, type LanesLayout } from './lanes-layout'
import type { Lanes } from './lanes-model'
import { useEndOrNow } from './live-layer'
import { place, ticks, type Span } from './time-scale'
import styles from './lanes.module.css'

/** Round moments. */
export const Axis = memo(function Axis({ from, to, room, height }: Span & { room: number; height: number }) {
  const span = { from, to }
  return (
    <g aria-hidden="true">
      {ticks(span, room).map((tick) => {
        const at = LEFT + place(span, room, tick.at)
        return (
          <g key={tick.at}>
            <line x1={at} x2={at} y1={16} y2={height - 4} className={styles.gridline} />
            <AxisLabel at={at} text={tick.label} end={LEFT + room + RIGHT} />
          </g>
        )
      })}
    </g>
  )
})

/** After its line; before it where there is no room for it. */
function AxisLabel({ at, text, end }: { at: number; text: string; end: number }) {
  const fits = at + 3 + text.length * CHARACTER <= end
  return (
    <text x={fits ? at + 3 : at - 3} y={12} textAnchor={fits ? 'start' : 'end'} className={styles.tick}>
      {text}
    </text>
  )
}

/** Names of the lanes. */
export function Labels({ lanes, layout }: { lanes: Lanes; layout: LanesLayout }) {
  return (
    <>
      <text x={12} y={layout.client + 4} className={styles.label}>
        client leg
      </text>
      {lanes.backends.map((lane, index) => (
        <g key={lane.exchange}>
          <text x={12} y={(layout.backends[index] ?? 0) + (lane.note === null ? 4 : -1)} className={styles.label}>
            {lanes.backends.length === 1 ? 'backend leg' : shorten(visibleString(lane.name ?? 'backend'), 13)}
            <title>{visibleString(lane.name ?? 'backend')}</title>
          </text>
          {lane.note !== null && (
            <text x={12} y={(layout.backends[index] ?? 0) + 12} className={styles.tick}>
              {lane.note}
            </text>
          )}
        </g>
      ))}
      {lanes.moreBackends > 0 && (
        <text x={12} y={layout.more} className={styles.tick}>
          and {lanes.moreBackends} more
        </text>
      )}
      {layout.progress !== null && (
        <text x={12} y={layout.progress + 36} className={styles.label}>
          progress
        </text>
      )}
    </>
  )
}

interface RailsProps {
  record: CallRecord
  lanes: Lanes
  layout: LanesLayout
  x: (offset: number) => number
  /** The moment at which the picture stands still; null while it moves. */
  frozenAt: number | null
}

/** The lanes themselves, as long as they were open. */
export function Rails({ record, lanes, layout, x, frozenAt }: RailsProps) {
  const end = useEndOrNow(record, frozenAt)
  return (
    <g aria-hidden="true">
      <line className={styles.rail} x1={x(0)} x2={x(end)} y1={layout.client} y2={layout.client} />
      {lanes.backends.map((lane, index) => {
        const y = layout.backends[index] ?? 0
        const to = lane.to ?? end
        return <line key={lane.exchange} className={styles.rail} x1={x(lane.from)} x2={x(to)} y1={y} y2={y} />
      })}
    </g>
  )
}
