import { memo, useMemo } from 'react'
import { visibleString } from '../text/visible-text'
import type { LaneMark, Link } from './lanes-model'
import { ThinLinks, ThinMarks, type Drawing, type Thinned } from './thinning'
import styles from './lanes.module.css'

interface MarksProps {
  marks: readonly LaneMark[]
  leg: 'client' | 'backend'
  y: number
  drawing: Drawing
  onSelect: (seq: number) => void
}

/** The frames on a lane, which grows in place. */
export function Marks({ marks, drawing, ...lane }: MarksProps) {
  const thin = useMemo(() => new ThinMarks(marks, drawing), [marks, drawing])
  return thin.grow().map((chunk, index) => (
    // Chunks come at the end only.
    <MarkChunk key={index} marks={chunk} x={drawing.x} selected={drawing.keep} {...lane} />
  ))
}

interface MarkChunkProps extends Omit<MarksProps, 'marks' | 'drawing'> {
  marks: readonly Thinned<LaneMark>[]
  x: (offset: number) => number
  selected: number | null
}

/** With every frame that comes, of thousands on the lanes only the last are drawn again. */
const MarkChunk = memo(function MarkChunk({ marks, x, selected, ...lane }: MarkChunkProps) {
  // By their places: on another axis other marks are drawn, by the same elements.
  return marks.map((mark, index) => (
    <Mark key={index} mark={mark} x={x(mark.offset)} lit={mark.seq === selected} {...lane} />
  ))
})

interface LinksProps {
  links: readonly Link[]
  drawing: Drawing
  /** Middles of the lanes. */
  client: number
  backends: readonly number[]
}

/** Frames on their way between the lanes. */
export function Links({ links, drawing, client, backends }: LinksProps) {
  const thin = useMemo(() => new ThinLinks(links, drawing), [links, drawing])
  const middles = backends.join(' ')
  return thin
    .grow()
    .map((chunk, index) => <LinkChunk key={index} links={chunk} x={drawing.x} client={client} middles={middles} />)
}

interface LinkChunkProps {
  links: readonly Link[]
  x: (offset: number) => number
  client: number
  /** Those of the backend lanes, as a text, by which they are compared. */
  middles: string
}

const LinkChunk = memo(function LinkChunk({ links, x, client, middles }: LinkChunkProps) {
  const backends = middles.split(' ').map(Number)
  return links.map((link, index) => (
    <line
      key={index}
      className={styles.link}
      data-kind={link.kind}
      x1={x(link.from)}
      y1={(backends[link.lane] ?? 0) - 6}
      x2={x(link.to)}
      y2={client + 6}
    />
  ))
})

interface MarkProps {
  mark: Thinned<LaneMark>
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
const Mark = memo(function Mark({ mark, leg, x, y, lit, onSelect }: MarkProps) {
  const many = mark.stands > 1 ? `${mark.stands} × ` : ''
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
})

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
