import { memo, useCallback, useId, useMemo, useRef, useState } from 'react'
import type { CallRecord } from '../../shared/capture/record'
import { useNow } from '../stores/desk-context'
import { visibleString } from '../text/visible-text'
import { CommitFlag, DeferralBand, DeferralNote, EndMark } from './client-signs'
import { CHARACTER, layoutOf, LEFT, RIGHT, type LanesLayout } from './lanes-layout'
import { GrowingLanes, type Lanes } from './lanes-model'
import { Links, Marks, WithheldMark } from './lane-mark'
import { Countdown, NowLine, OpenWindow } from './live-layer'
import { StepPath } from './progress-steps'
import { fitSpan, growingSpan, place, ticks, type Span } from './time-scale'
import { useElementWidth } from '../controls/use-element-width'
import { useZoom } from './use-zoom'
import styles from './lanes.module.css'

export interface LanesProps {
  record: CallRecord
  revision: number
  selected: number | null
  /** The axis reaches at least so far (microseconds), as where two calls share one. */
  until?: number
  onSelect: (seq: number) => void
}

interface Tip {
  x: number
  y: number
  text: string
}
/** What stands still while the pointer is on the lanes of a call in flight. */
interface Frozen {
  revision: number
  now: number
}

/** One call on one time axis: the client leg, the backend legs, progress. */
export function LanesView({ record, revision, selected, until = 0, onSelect }: LanesProps) {
  const clip = useId()
  const [holder, width] = useElementWidth<HTMLDivElement>()
  const [frozen, setFrozen] = useState<Frozen | null>(null)
  const [tip, setTip] = useState<Tip | null>(null)
  const inFlight = record.ended === null
  const clockNow = useNow(inFlight && frozen === null) - record.receivedAt
  const now = frozen?.now ?? clockNow
  const shownRevision = frozen?.revision ?? revision
  const lanes = useLanes(record, shownRevision)
  const layout = useMemo(() => layoutOf(lanes), [lanes])
  const grown = useRef(0)
  const whole = useMemo<Span>(() => {
    if (record.ended !== null) return fitSpan(Math.max(record.ended.offset, grown.current / 1.06, until))
    const span = growingSpan(Math.max(now, until))
    grown.current = span.to
    return span
  }, [record.ended, now, until])
  const room = Math.max(50, width - LEFT - RIGHT)
  const { span, zoomed, handlers } = useZoom(holder, whole, room)
  const { from, to } = span
  // Far outside is as good as just outside, and keeps coordinates drawable.
  const x = useCallback(
    (offset: number) => LEFT + Math.min(room + 500, Math.max(-500, place({ from, to }, room, offset))),
    [from, to, room],
  )
  const drawing = useMemo(() => ({ x, width: room + LEFT, keep: selected }), [x, room, selected])

  const showTip = (target: EventTarget) => {
    const mark = target instanceof Element ? target.closest<SVGElement>('[data-tip]') : null
    const box = holder.current?.getBoundingClientRect()
    if (mark === null || box === undefined) {
      setTip(null)
      return
    }
    const at = mark.getBoundingClientRect()
    setTip({ x: at.left + at.width / 2 - box.left, y: at.top - box.top, text: mark.dataset.tip ?? '' })
  }

  return (
    <div
      ref={holder}
      className={styles.lanes}
      data-zoomed={zoomed || undefined}
      tabIndex={0}
      role="group"
      aria-label={`time lanes of call ${record.call}; plus and minus zoom, 0 fits`}
      {...handlers}
      onPointerEnter={() => {
        if (inFlight) setFrozen({ revision, now })
      }}
      onPointerLeave={() => {
        setFrozen(null)
        setTip(null)
      }}
      onPointerOver={(event) => showTip(event.target)}
      onFocus={(event) => showTip(event.target)}
      onBlur={() => setTip(null)}
    >
      {width > 0 && (
        <svg width={width} height={layout.height} className={styles.svg} role="group" aria-label="lanes">
          <defs>
            <clipPath id={clip}>
              <rect x={LEFT - 1} y={0} width={room + 17} height={layout.height} />
            </clipPath>
          </defs>
          <Axis from={from} to={to} room={room} height={layout.height} />
          <Labels lanes={lanes} layout={layout} />
          <g clipPath={`url(#${clip})`}>
            <Rails record={record} lanes={lanes} layout={layout} x={x} now={now} />
            <DeferralBand record={record} y={layout.client} x={x} />
            <Links links={lanes.links} drawing={drawing} client={layout.client} backends={layout.backends} />
            <BackendSigns lanes={lanes} layout={layout} x={x} room={room} selected={selected} onSelect={onSelect} />
            <Marks marks={lanes.client} leg="client" y={layout.client} drawing={drawing} onSelect={onSelect} />
            {lanes.backends.map((lane, index) => (
              <Marks
                key={lane.exchange}
                marks={lane.marks}
                leg="backend"
                y={layout.backends[index] ?? 0}
                drawing={drawing}
                onSelect={onSelect}
              />
            ))}
            {lanes.withheld.map((mark) => (
              <WithheldMark
                key={mark.seq}
                mark={mark}
                x={x(mark.offset)}
                y={layout.client}
                lit={mark.seq === selected}
                onSelect={onSelect}
              />
            ))}
            <Progress lanes={lanes} layout={layout} x={x} room={room} end={record.ended?.offset ?? null} now={now} />
            <CommitFlag record={record} y={layout.client} x={x} room={room} onSelect={onSelect} />
            <EndMark record={record} y={layout.client} x={x} room={room} onSelect={onSelect} />
            {inFlight && record.deferral.open && (
              <OpenWindow record={record} layout={layout} x={x} frozenAt={frozen?.now ?? null} />
            )}
          </g>
        </svg>
      )}
      {width > 0 && inFlight && <NowLine record={record} layout={layout} x={x} frozenAt={frozen?.now ?? null} />}
      {width > 0 && <DeferralNote record={record} y={layout.client} x={x} room={room} />}
      {width > 0 && inFlight && record.deferral.open && (
        <Countdown record={record} layout={layout} x={x} frozenAt={frozen?.now ?? null} />
      )}
      {frozen !== null && <span className={styles.badge}>paused while the pointer is here</span>}
      {zoomed && <span className={styles.badge}>zoomed · 0 fits</span>}
      {tip !== null && <TipBox tip={tip} width={width} />}
    </div>
  )
}

/** The lanes of a record that grows in place: its revision says when to look again. While frozen, nobody looks. */
function useLanes(record: CallRecord, revision: number): Lanes {
  const growing = useMemo(() => new GrowingLanes(record), [record])
  return useMemo(() => ({ revision, lanes: growing.grow() }), [growing, revision]).lanes
}

const Axis = memo(function Axis({ from, to, room, height }: Span & { room: number; height: number }) {
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

function Labels({ lanes, layout }: { lanes: Lanes; layout: LanesLayout }) {
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

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}

interface Drawn {
  lanes: Lanes
  layout: LanesLayout
  x: (offset: number) => number
}

function Rails({ record, lanes, layout, x, now }: Drawn & { record: CallRecord; now: number }) {
  const end = record.ended?.offset ?? now
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

interface Selectable {
  selected: number | null
  onSelect: (seq: number) => void
}

function BackendSigns({ lanes, layout, x, room, selected, onSelect }: Drawn & Selectable & { room: number }) {
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

function Progress({ lanes, layout, x, room, end, now }: Drawn & { room: number; end: number | null; now: number }) {
  const { progress } = lanes
  const last = progress.points.at(-1)
  const base = (layout.progress ?? 0) + 47
  const steps = useMemo(() => new StepPath(progress, x, base, 28), [progress, x, base])
  if (layout.progress === null || last === undefined) return null
  const path = steps.grow(end ?? now)
  const label = `${shorten(progress.label(last), 44)}${lanes.progressWithheld ? ' (withheld)' : ''}`
  // Near the right edge the words stand before their step.
  const before = x(last.offset) + 6 + label.length * 6.4 > LEFT + room + 14
  return (
    <g>
      <path d={`${path}V${base}H${x(0)}Z`} className={styles.area} />
      <path d={path} className={styles.steps} />
      <text
        className={styles.progressLabel}
        x={x(last.offset) + (before ? 0 : 6)}
        y={base - progress.level(last) * 28 - 5}
        textAnchor={before ? 'end' : 'start'}
      >
        {visibleString(label)}
      </text>
    </g>
  )
}

function TipBox({ tip, width }: { tip: Tip; width: number }) {
  const left = Math.min(Math.max(tip.x, 130), Math.max(130, width - 130))
  return (
    <div className={styles.tip} role="tooltip" style={{ left, top: tip.y - 8 }}>
      {tip.text}
    </div>
  )
}
