import { describeCause, describeEnd } from '../../shared/capture/describe'
import type { CallRecord } from '../../shared/capture/record'
import { EndShapeMark } from '../calls/end-shape'
import { endMark } from '../calls/life-geometry'
import { formatDuration, formatOffset, formatSetting } from '../text/format'
import { visibleString } from '../text/visible-text'
import { CHARACTER, LEFT } from './lanes-layout'
import styles from './lanes.module.css'

interface SignProps {
  record: CallRecord
  y: number
  x: (offset: number) => number
}
interface PlacedSignProps extends SignProps {
  /** Width of the lanes without their names. */
  room: number
  onSelect: (seq: number) => void
}

/** The closed deferral window: the time in which the answer could still have been plain JSON. */
export function DeferralBand({ record, y, x }: SignProps) {
  const { deferral } = record
  if (deferral.end === null) return null
  const from = x(deferral.start)
  return (
    <rect
      x={from}
      y={y - 14}
      width={Math.max(1, x(deferral.end) - from)}
      height={28}
      fill="url(#hatch)"
      className={styles.band}
    />
  )
}

/** What became of the window, in words: inside its band where they fit, else under it. */
export function DeferralNote({ record, y, x, room }: SignProps & { room: number }) {
  const { deferral, response } = record
  // With a fixed form, as for the stream of a session, there was nothing to decide.
  if (deferral.end === null || response.commit?.cause === 'mode') return null
  // On a zoomed axis it may be out of sight, and the words would stand at something else.
  if (x(deferral.end) < LEFT) return null
  const form = response.commit?.form
  const outcome = form === 'json' ? 'answered as JSON' : form === 'sse' ? 'JSON was possible' : 'nothing written'
  const spent = `deferral window ${formatDuration(deferral.end - deferral.start)}`
  const from = Math.max(LEFT, x(deferral.start))
  const band = Math.min(LEFT + room, x(deferral.end)) - from
  const words = `${spent} · ${outcome}`
  const inside = band > words.length * CHARACTER + 24
  return (
    <div
      className={styles.note}
      data-testid="deferral"
      data-open="false"
      data-inside={inside || undefined}
      title={`deferral window of ${formatSetting(deferral.windowMs)}; ${words}`}
      style={{ left: inside ? from + 10 : from, top: inside ? y - 3 : y + 19 }}
    >
      {room < 420 && !inside ? outcome : words}
    </div>
  )
}

/** The moment the response head was written: form, status and cause. */
export function CommitFlag({ record, y, x, room, onSelect }: PlacedSignProps) {
  const { commit } = record.response
  if (commit === null) return null
  const text = `${commit.form.toUpperCase()} ${commit.status} · ${describeCause(commit.cause)}`
  const width = text.length * CHARACTER + 12
  const at = x(commit.offset)
  // Near the right edge the flag flies to the left of its pole.
  const left = at + width > LEFT + room + 14
  const start = left ? at - width : at
  const tone = commit.status >= 400 || commit.cause === 'error' ? 'error' : commit.form
  return (
    <g
      className={styles.flag}
      role="img"
      aria-label={`committed at ${formatOffset(commit.offset)}: ${text}`}
      tabIndex={0}
      data-tone={tone}
      data-testid="commit-flag"
      data-form={commit.form}
      data-cause={commit.cause}
      data-tip={`committed at ${formatOffset(commit.offset)}`}
      onClick={() => onSelect(commit.seq)}
    >
      <rect x={start} y={y - 36} width={width} height={17} className={styles.cloth} />
      <path d={`M${at} ${y - 36}v50`} className={styles.pole} />
      <text x={start + 6} y={y - 24}>
        {text}
      </text>
    </g>
  )
}

/** How the call ended, and who ended it. */
export function EndMark({ record, y, x, room, onSelect }: PlacedSignProps) {
  const { ended } = record
  if (ended === null) return null
  const { shape, tone } = endMark(ended)
  const at = x(ended.offset)
  const words = `${ended.outcome} by ${ended.by}`
  const tip = visibleString(`${describeEnd(ended)} at ${formatOffset(ended.offset)}`)
  const fits = at + 14 + words.length * CHARACTER < LEFT + room + 14
  return (
    <g
      className={styles.end}
      role="img"
      aria-label={tip}
      tabIndex={0}
      data-tone={tone}
      data-testid="end-mark"
      data-outcome={ended.outcome}
      data-by={ended.by}
      data-tip={tip}
      onClick={() => onSelect(ended.seq)}
    >
      <EndShapeMark x={at} y={y} size={12} shape={shape} />
      <text x={fits ? at + 11 : at + 6} y={fits ? y + 4 : y + 28} textAnchor={fits ? 'start' : 'end'}>
        {words}
      </text>
    </g>
  )
}
