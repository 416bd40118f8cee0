import { memo } from 'react'
import { visibleString } from '../text/visible-text'
import type { LaneMark } from './lanes-model'
import styles from './lanes.module.css'

interface MarkProps {
  mark: LaneMark & { stands?: number }
  leg: 'client' | 'backend'
  x: number
  y: number
  lit: boolean
  onSelect: (seq: number) => void
}

const TEST_IDS: Partial<Record<LaneMark['kind'], string>> = {
  ping: 'ping-tick',
  comment: 'ping-tick',
  progress: 'progress-mark',
  log: 'log-mark',
  'server-request': 'question-mark',
  answer: 'answer-mark',
}

/** One frame on a lane. The list below the lanes is its keyboard way; here it answers to the pointer. */
export const Mark = memo(function Mark({ mark, leg, x, y, lit, onSelect }: MarkProps) {
  const many = (mark.stands ?? 1) > 1 ? `${mark.stands} × ` : ''
  return (
    <g
      className={styles.mark}
      data-kind={mark.kind}
      data-level={levelTone(mark.level)}
      data-leg={leg}
      data-lit={lit || undefined}
      data-testid={TEST_IDS[mark.kind]}
      data-tip={`${many}${visibleString(mark.tip)}`}
      onClick={() => onSelect(mark.seq)}
    >
      <MarkShape mark={mark} leg={leg} x={x} y={y} />
    </g>
  )
}, isDrawnAlike)

/** Marks are made anew with every frame that comes; of thousands on the lanes, most look as before. */
function isDrawnAlike(one: MarkProps, other: MarkProps): boolean {
  return (
    one.x === other.x &&
    one.y === other.y &&
    one.lit === other.lit &&
    one.leg === other.leg &&
    one.onSelect === other.onSelect &&
    one.mark.seq === other.mark.seq &&
    one.mark.stands === other.mark.stands &&
    one.mark.kind === other.mark.kind &&
    one.mark.level === other.mark.level &&
    one.mark.tip === other.mark.tip
  )
}

function MarkShape({ mark, leg, x, y }: { mark: LaneMark; leg: 'client' | 'backend'; x: number; y: number }) {
  switch (mark.kind) {
    case 'progress':
      return <circle cx={x} cy={y} r={4.5} />
    case 'ping':
    case 'comment':
      return <path d={`M${x} ${y - 8}v16`} className={styles.tickMark} />
    case 'log':
      // Beside the lane: servers like to log and report progress at the same moment.
      return <path d={`M${x - 4.5} ${leg === 'client' ? y - 7 : y + 15}l4.5 -8.5 4.5 8.5z`} />
    case 'server-request':
      return <path d={`M${x - 5.5} ${y - 5}h11l-5.5 10z`} />
    case 'answer':
      return <path d={`M${x - 5.5} ${y + 5}h11l-5.5 -10z`} />
    case 'result':
      return <rect x={x - 4.5} y={y - 4.5} width={9} height={9} rx={1.5} />
    case 'error':
    case 'unreadable':
      return <path d={`M${x - 4.5} ${y - 4.5}l9 9m0 -9l-9 9`} className={styles.crossMark} />
    default:
      return <circle cx={x} cy={y} r={4} className={styles.ringMark} />
  }
}

function levelTone(level: string | undefined): 'quiet' | 'warning' | 'error' | undefined {
  if (level === undefined) return undefined
  if (level === 'warning') return 'warning'
  return ['error', 'critical', 'alert', 'emergency'].includes(level) ? 'error' : 'quiet'
}

interface WithheldProps {
  mark: LaneMark
  x: number
  y: number
  lit: boolean
  onSelect: (seq: number) => void
}

/** What did not pass: a hollow mark where it would have been, its reason on hover and focus. */
export function WithheldMark({ mark, x, y, lit, onSelect }: WithheldProps) {
  const tip = visibleString(mark.tip)
  return (
    <g
      className={styles.withheld}
      role="img"
      aria-label={tip}
      tabIndex={0}
      data-lit={lit || undefined}
      data-testid="withheld-mark"
      data-tip={tip}
      onClick={() => onSelect(mark.seq)}
    >
      <path d={`M${x - 6} ${y}l6 -7 6 7 -6 7z`} />
    </g>
  )
}
