import { visibleString } from '../text/visible-text'
import { LEFT, type LanesLayout } from './lanes-layout'
import type { Lanes } from './lanes-model'
import styles from './lanes.module.css'

interface BackendSignsProps {
  lanes: Lanes
  layout: LanesLayout
  x: (offset: number) => number
  room: number
  selected: number | null
  onSelect: (seq: number) => void
}

/** What went to the backends, and what came of it, beside frames. */
export function BackendSigns({ lanes, layout, x, room, selected, onSelect }: BackendSignsProps) {
  return (
    <>
      {lanes.backends.map((lane, index) => {
        const y = layout.backends[index] ?? 0
        return (
          <g key={lane.exchange}>
            <path d={`M${x(lane.from)} ${y - 7}v14`} className={styles.sent} data-tip={visibleString(lane.sentTip)} />
            {lane.again.map((again) => (
              <path
                key={again.offset}
                d={`M${x(again.offset)} ${y - 7}v14`}
                className={styles.again}
                data-tip={again.tip}
              />
            ))}
            {lane.head !== null && (
              <HeadFlag
                head={lane.head}
                x={x(lane.head.offset)}
                y={y}
                edge={LEFT + room + 14}
                lit={lane.head.seq === selected}
                onSelect={onSelect}
              />
            )}
            {lane.ended !== null && (
              <path
                d={`M${x(lane.ended.offset)} ${y - 7}v14`}
                className={lane.ended.clean ? styles.sent : styles.broken}
                data-tip={visibleString(lane.ended.tip)}
              />
            )}
          </g>
        )
      })}
    </>
  )
}

function HeadFlag(props: {
  head: { seq: number; text: string }
  x: number
  y: number
  edge: number
  lit: boolean
  onSelect: (seq: number) => void
}) {
  const { head, x, y, edge, lit, onSelect } = props
  const text = visibleString(head.text)
  const width = text.length * 6.4 + 12
  // Near the right edge the flag flies to the left of its pole.
  const start = x + width > edge ? x - width : x
  return (
    <g
      className={styles.head}
      data-lit={lit || undefined}
      data-tip={`response head ${text}`}
      onClick={() => onSelect(head.seq)}
    >
      <rect x={start} y={y - 22} width={width} height={14} />
      <path d={`M${x} ${y}v-22`} />
      <text x={start + 6} y={y - 11.5}>
        {text}
      </text>
    </g>
  )
}
