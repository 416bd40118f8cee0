import { memo } from 'react'
import type { CallSummary } from '../../shared/capture/summary'
import { EndShapeMark } from './end-shape'
import { lifeOf, type Life } from './life-geometry'
import styles from './life-lane.module.css'

const MIDDLE = 9

/** The small picture of a call in its row: window, commit, frames, end. */
export const LifeLane = memo(function LifeLane({
  call,
  now,
  width,
}: {
  call: CallSummary
  now: number
  width: number
}) {
  const life = lifeOf(call, now, width)
  return (
    <svg
      className={`${styles.lane ?? ''} ${life.end === null ? '' : (styles[life.end.tone] ?? '')}`}
      width={width}
      height={18}
      aria-hidden="true"
    >
      <line x1={2} x2={width - 4} y1={MIDDLE} y2={MIDDLE} className={styles.rail} />
      <line x1={2} x2={life.length} y1={MIDDLE} y2={MIDDLE} className={styles.span} />
      {life.hatch !== null && (
        <rect x={life.hatch.from} y={4} width={life.hatch.to - life.hatch.from} height={10} fill="url(#hatch-fine)" />
      )}
      <Marks marks={life.marks} />
      {life.more !== null && <More {...life.more} />}
      {life.commit !== null && (
        <path
          className={styles[life.commit.tone]}
          d={`M${life.commit.x} 1.5h6.5l-2 2.75 2 2.75h-6.5v9.5`}
          fill="currentColor"
          stroke="currentColor"
          strokeLinejoin="round"
        />
      )}
      {life.end !== null && <EndShapeMark x={life.end.x + 4} y={MIDDLE} size={8} shape={life.end.shape} />}
      {life.now !== null && <line x1={life.now} x2={life.now} y1={2} y2={16} className={styles.now} />}
    </svg>
  )
})

/** Marks that are not kept one by one, as a dense row and their number. */
function More({ from, to, count }: NonNullable<Life['more']>) {
  return (
    <g className={styles.dim}>
      <line
        x1={from}
        x2={Math.max(from, to - 5)}
        y1={MIDDLE}
        y2={MIDDLE}
        className={styles.dense}
        stroke="currentColor"
      />
      <text x={to - 7} y={17} className={styles.more} fill="currentColor">
        +{count}
      </text>
    </g>
  )
}

type Mark = Life['marks'][number]['mark']

/** One path for all marks of a kind: a table of long calls has thousands of marks in sight. */
function Marks({ marks }: Pick<Life, 'marks'>) {
  const paths = new Map<Mark, string>()
  for (const { x, mark } of marks) paths.set(mark, (paths.get(mark) ?? '') + OUTLINES[mark](x))
  return [...paths].map(([mark, path]) => (
    <path
      key={mark}
      d={path}
      className={styles[TONES[mark]]}
      fill={OPEN.has(mark) ? 'none' : 'currentColor'}
      stroke={OPEN.has(mark) || mark === 'answer' ? 'currentColor' : undefined}
      strokeWidth={mark === 'ping' ? 1.5 : 1.2}
    />
  ))
}

const TONES: Record<Mark, string> = {
  progress: 'progress',
  log: 'log',
  ping: 'ping',
  withheld: 'log',
  question: 'round',
  answer: 'round',
  notification: 'sse',
}
/** Lines only. */
const OPEN: ReadonlySet<Mark> = new Set<Mark>(['ping', 'withheld', 'question', 'notification'])
const OUTLINES: Record<Mark, (x: number) => string> = {
  progress: (x) => circle(x, 2.5),
  log: (x) => `M${x - 2.8} ${MIDDLE + 7.5}l2.8 -4.6 2.8 4.6z`,
  ping: (x) => `M${x} 6v6`,
  withheld: (x) => `M${x - 3} ${MIDDLE}l3 -3.5 3 3.5 -3 3.5z`,
  question: (x) => `M${x - 3} 3.5h6l-3 4.5z`,
  answer: (x) => `M${x - 3} 14.5h6l-3 -4.5z`,
  notification: (x) => circle(x, 2),
}

function circle(x: number, radius: number): string {
  const arc = `a${radius} ${radius} 0 1 0`
  return `M${x - radius} ${MIDDLE}${arc} ${2 * radius} 0${arc} ${-2 * radius} 0z`
}
