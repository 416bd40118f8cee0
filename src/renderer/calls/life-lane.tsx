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
    <svg className={styles.lane} width={width} height={18} aria-hidden="true">
      <line x1={2} x2={width - 4} y1={MIDDLE} y2={MIDDLE} className={styles.rail} />
      <line x1={2} x2={life.length} y1={MIDDLE} y2={MIDDLE} className={styles.span} />
      {life.hatch !== null && (
        <rect x={life.hatch.from} y={4} width={life.hatch.to - life.hatch.from} height={10} fill="url(#hatch-fine)" />
      )}
      {life.marks.map((mark, index) => (
        <Mark key={index} {...mark} />
      ))}
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
      {life.end !== null && (
        <g className={styles[life.end.tone]}>
          <EndShapeMark x={life.end.x + 4} y={MIDDLE} size={8} shape={life.end.shape} />
        </g>
      )}
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

function Mark({ x, mark }: Life['marks'][number]) {
  switch (mark) {
    case 'progress':
      return <circle cx={x} cy={MIDDLE} r={2.5} className={styles.progress} fill="currentColor" />
    case 'log':
      return <path d={`M${x - 2.8} ${MIDDLE + 7.5}l2.8 -4.6 2.8 4.6z`} className={styles.log} fill="currentColor" />
    case 'ping':
      return <line x1={x} x2={x} y1={6} y2={12} className={styles.ping} stroke="currentColor" strokeWidth={1.5} />
    case 'withheld':
      return (
        <path
          d={`M${x - 3} ${MIDDLE}l3 -3.5 3 3.5 -3 3.5z`}
          className={styles.log}
          fill="none"
          stroke="currentColor"
          strokeWidth={1.2}
        />
      )
    case 'question':
    case 'answer':
      return (
        <path
          d={mark === 'question' ? `M${x - 3} 3.5h6l-3 4.5z` : `M${x - 3} 14.5h6l-3 -4.5z`}
          className={styles.round}
          fill={mark === 'question' ? 'none' : 'currentColor'}
          stroke="currentColor"
          strokeWidth={1.2}
        />
      )
    case 'notification':
      return (
        <circle cx={x} cy={MIDDLE} r={2} className={styles.sse} fill="none" stroke="currentColor" strokeWidth={1.2} />
      )
  }
}
