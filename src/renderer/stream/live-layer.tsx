import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { CallRecord } from '../../shared/capture/record'
import { useNow, useSource } from '../stores/desk-context'
import { LEFT, type LanesLayout } from './lanes-layout'
import { growingSpan, place, type Span } from './time-scale'
import styles from './lanes.module.css'

/** Pixels that the line of now goes on beyond the axis, out of sight. */
const BEYOND = 60
/** Between two steps for those who asked for less motion. */
const CALM_STEP_MS = 250

interface LiveProps {
  record: CallRecord
  layout: LanesLayout
  x: (offset: number) => number
  /** The moment at which the picture stands still; null while it moves. */
  frozenAt: number | null
}

/** How a call in flight has come so far: its end, or now, in microseconds since it was received. */
export function useEndOrNow(record: CallRecord, frozenAt: number | null): number {
  const now = useNow(record.ended === null && frozenAt === null) - record.receivedAt
  return record.ended?.offset ?? frozenAt ?? Math.max(0, now)
}

/** The end of the axis of a call in flight, which grows in steps: nothing is drawn between them. */
export function useGrowingEnd(record: CallRecord, frozenAt: number | null, until: number): number {
  const { clock, ticks } = useSource()
  const endNow = () => growingSpan(Math.max(frozenAt ?? clock.now() - record.receivedAt, until)).to
  const [end, setEnd] = useState(endNow)
  const moving = record.ended === null && frozenAt === null
  const look = useEffectEvent(() => setEnd(endNow()))
  useEffect(() => {
    if (!moving) return
    look()
    return ticks.onTick(100, () => look())
  }, [ticks, moving, record, until])
  return end
}

interface NowLineProps extends Omit<LiveProps, 'x'> {
  span: Span
  /** Width of the axis. */
  room: number
}

/** The line of now. It moves by whole pixels, by itself: the page draws nothing for it, and may be busy meanwhile. */
export function NowLine({ record, layout, span: { from, to }, room, frozenAt }: NowLineProps) {
  const { clock, playback } = useSource()
  const line = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = line.current
    if (element === null) return
    const now = () => Math.round(place({ from, to }, room, Math.max(0, frozenAt ?? clock.now() - record.receivedAt)))
    const put = () => {
      element.style.transform = shiftedBy(now())
    }
    put()
    if (frozenAt !== null) return
    // A capture is played at a pace of its own, and stopped; and nothing moves by itself for those who asked for that.
    if (playback !== null || isCalm()) return onEachFrame(put)
    const begin = now()
    const across = Math.ceil(room) + BEYOND - begin
    if (across <= 0) return
    const moving = element.animate([{ transform: shiftedBy(begin) }, { transform: shiftedBy(begin + across) }], {
      duration: (across * (to - from)) / room / 1_000,
      easing: `steps(${across})`,
      fill: 'forwards',
    })
    return () => moving.cancel()
  }, [clock, playback, record, from, to, room, frozenAt])
  return (
    <div className={styles.nowClip} style={{ left: LEFT - 1, height: layout.height }} aria-hidden="true">
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
  if (isCalm()) {
    const timer = setInterval(task, CALM_STEP_MS)
    return () => clearInterval(timer)
  }
  let request = requestAnimationFrame(function frame() {
    task()
    request = requestAnimationFrame(frame)
  })
  return () => cancelAnimationFrame(request)
}

function shiftedBy(pixels: number): string {
  return `translateX(${pixels}px)`
}

/** Less motion was asked for. */
function isCalm(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches
}
