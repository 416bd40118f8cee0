import { useCallback, useId, useMemo, useRef, useState } from 'react'
import type { CallRecord } from '../../shared/capture/record'
import { useElementWidth } from '../controls/use-element-width'
import { useSource } from '../stores/desk-context'
import { visibleString } from '../text/visible-text'
import { BackendSigns } from './backend-signs'
import { CommitFlag, DeferralBand, DeferralNote, EndMark } from './client-signs'
import { Axis, Labels, Rails } from './lane-backdrop'
import { LaneCanvas } from './lane-canvas'
import { REACH, SHAPES } from './lane-looks'
import { MarkInHand, tipOf, WithheldMarks } from './lane-mark'
import { LanePicture, PICTURE_LEFT, pictureWidth, PROGRESS_HEIGHT, type PlacedMark } from './lane-picture'
import { LanesInWords } from './lanes-in-words'
import { CHARACTER, layoutOf, LEFT, RIGHT, shorten, type LanesLayout } from './lanes-layout'
import { GrowingLanes, type Lanes } from './lanes-model'
import { Countdown, NowLine, OpenWindow, useGrowingEnd } from './live-layer'
import type { Drawing } from './thinning'
import { fitSpan, place, type Span } from './time-scale'
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

/** Above the drawing, in pixels. */
const PADDING = 4

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
  const { clock } = useSource()
  const [holder, width] = useElementWidth<HTMLDivElement>()
  const [frozen, setFrozen] = useState<Frozen | null>(null)
  const [tip, setTip] = useState<Tip | null>(null)
  const inFlight = record.ended === null
  const shownRevision = frozen?.revision ?? revision
  const lanes = useLanes(record, shownRevision)
  const layout = useLayoutOf(lanes)
  const grown = useRef(0)
  const growsTo = useGrowingEnd(record, frozen?.now ?? null, until)
  const whole = useMemo<Span>(() => {
    if (record.ended !== null) return fitSpan(Math.max(record.ended.offset, grown.current / 1.06, until))
    grown.current = growsTo
    return { from: 0, to: growsTo }
  }, [record.ended, growsTo, until])
  const room = Math.max(50, width - LEFT - RIGHT)
  const { span, zoomed, handlers } = useZoom(holder, whole, room)
  const { from, to } = span
  // Far outside is as good as just outside, and keeps coordinates drawable.
  const x = useCallback(
    (offset: number) => LEFT + Math.min(room + 500, Math.max(-500, place({ from, to }, room, offset))),
    [from, to, room],
  )
  const drawing = useMemo(() => ({ x, width: room + LEFT }), [x, room])
  const picture = usePicture(lanes, layout, drawing)
  const [words] = useState(() => new LanesInWords())
  const [hand, setHand] = useState<PlacedMark | null>(null)
  const held = hand && stillThere(hand, x(hand.mark.offset))
  const lit = selected === null ? null : picture.markOf(selected)

  const showTip = (target: EventTarget) => {
    const mark = target instanceof Element ? target.closest<SVGElement>('[data-tip]') : null
    const box = holder.current?.getBoundingClientRect()
    if (mark === null || box === undefined) {
      setTip(null)
      return
    }
    const at = mark.getBoundingClientRect()
    const scrolled = holder.current?.scrollTop ?? 0
    setTip({ x: at.left + at.width / 2 - box.left, y: at.top - box.top + scrolled, text: mark.dataset.tip ?? '' })
  }

  const shownTip = held === null ? tip : { x: held.x, y: held.y + SHAPES[held.look].top + PADDING, text: tipOf(held) }

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
        if (inFlight) setFrozen({ revision, now: clock.now() - record.receivedAt })
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
              <rect x={PICTURE_LEFT} y={0} width={pictureWidth(room)} height={layout.height} />
            </clipPath>
          </defs>
          <Axis from={from} to={to} room={room} height={layout.height} />
          <Labels lanes={lanes} layout={layout} />
          <g clipPath={`url(#${clip})`}>
            <Rails record={record} lanes={lanes} layout={layout} x={x} frozenAt={frozen?.now ?? null} />
            <DeferralBand record={record} y={layout.client} x={x} />
          </g>
        </svg>
      )}
      {width > 0 && (
        <LaneCanvas
          picture={picture}
          label={words.of(lanes)}
          room={room}
          height={layout.height}
          record={record}
          frozenAt={frozen?.now ?? null}
          held={held}
          onHold={setHand}
          onSelect={onSelect}
        />
      )}
      {width > 0 && (
        <svg width={width} height={layout.height} className={styles.front} role="group" aria-label="signs on the lanes">
          <g clipPath={`url(#${clip})`}>
            <BackendSigns lanes={lanes} layout={layout} x={x} room={room} selected={selected} onSelect={onSelect} />
            <WithheldMarks
              marks={lanes.withheld}
              drawing={drawing}
              y={layout.client}
              selected={selected}
              onSelect={onSelect}
            />
            {lit !== null && <MarkInHand mark={lit} lit />}
            {held !== null && held.mark !== lit?.mark && <MarkInHand mark={held} lit={false} />}
            <ProgressWords lanes={lanes} layout={layout} picture={picture} x={x} room={room} />
            <CommitFlag record={record} y={layout.client} x={x} room={room} onSelect={onSelect} />
            <EndMark record={record} y={layout.client} x={x} room={room} onSelect={onSelect} />
            {inFlight && record.deferral.open && (
              <OpenWindow record={record} layout={layout} x={x} frozenAt={frozen?.now ?? null} />
            )}
          </g>
        </svg>
      )}
      {width > 0 && inFlight && (
        <NowLine record={record} layout={layout} span={span} room={room} frozenAt={frozen?.now ?? null} />
      )}
      {width > 0 && <DeferralNote record={record} y={layout.client} x={x} room={room} />}
      {width > 0 && inFlight && record.deferral.open && (
        <Countdown record={record} layout={layout} x={x} frozenAt={frozen?.now ?? null} />
      )}
      {frozen !== null && <span className={styles.badge}>paused while the pointer is here</span>}
      {zoomed && <span className={styles.badge}>zoomed · 0 fits</span>}
      {shownTip !== null && <TipBox tip={shownTip} width={width} />}
    </div>
  )
}

/** The mark at its new place, on another axis; null where that is another than under the pointer, which has not moved. */
function stillThere(mark: PlacedMark, x: number): PlacedMark | null {
  return Math.abs(x - mark.x) > REACH ? null : { ...mark, x }
}

/** The lanes of a record that grows in place: its revision says when to look again. While frozen, nobody looks. */
function useLanes(record: CallRecord, revision: number): Lanes {
  const growing = useMemo(() => new GrowingLanes(record), [record])
  return useMemo(() => ({ revision, lanes: growing.grow() }), [growing, revision]).lanes
}

/** Another one only when lanes come. */
function useLayoutOf(lanes: Lanes): LanesLayout {
  const backends = lanes.backends.length
  const isMore = lanes.moreBackends > 0
  const hasProgress = lanes.progress.points.length > 0
  return useMemo(() => layoutOf(backends, isMore, hasProgress), [backends, isMore, hasProgress])
}

/** Another one on another axis; the lists of a call stay the same, and grow. */
function usePicture(lanes: Lanes, layout: LanesLayout, drawing: Drawing): LanePicture {
  const { client, backendMarks, links, progress } = lanes
  return useMemo(
    () => new LanePicture({ client, backendMarks, links, progress }, layout, drawing),
    [client, backendMarks, links, progress, layout, drawing],
  )
}

interface ProgressWordsProps {
  lanes: Lanes
  layout: LanesLayout
  picture: LanePicture
  x: (offset: number) => number
  room: number
}

/** What the last step says. */
function ProgressWords({ lanes, layout, picture, x, room }: ProgressWordsProps) {
  const { progress } = lanes
  const last = progress.points.at(-1)
  if (layout.progress === null || picture.base === null || last === undefined) return null
  const label = `${shorten(progress.label(last), 44)}${lanes.progressWithheld ? ' (withheld)' : ''}`
  // Near the right edge the words stand before their step.
  const before = x(last.offset) + 6 + label.length * CHARACTER > LEFT + room + 14
  return (
    <text
      className={styles.progressLabel}
      x={x(last.offset) + (before ? 0 : 6)}
      y={picture.base - progress.level(last) * PROGRESS_HEIGHT - 5}
      textAnchor={before ? 'end' : 'start'}
    >
      {visibleString(label)}
    </text>
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
