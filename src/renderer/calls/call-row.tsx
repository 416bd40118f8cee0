import { memo, type MouseEvent } from 'react'
import { MessageSquareText, Pin } from 'lucide-react'
import type { Annotation } from '../../shared/capture/annotation'
import type { CallSummary } from '../../shared/capture/summary'
import { MarkShape } from '../annotations/mark-shape'
import { formatClock, formatCount, formatDuration, formatEras, plural, roundMark } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import { answerTag } from './answer'
import type { Column } from './columns'
import { methodWords } from './method-words'
import { LifeLane } from './life-lane'
import styles from './calls-table.module.css'

export interface CallRowProps {
  call: CallSummary
  columns: readonly Column[]
  /** Highest round of the call's operation. */
  rounds: number
  selected: boolean
  /** Its level in a table with groups. */
  level: 1 | 2 | undefined
  /** Microseconds since the capture began; only looked at while the call is in flight. */
  now: number
  /** Unix milliseconds of the capture's beginning. */
  startedAt: number
  lifeWidth: number
  rowIndex: number
  onSelect: (call: number) => void
}

export const CallRow = memo(function CallRow(props: CallRowProps) {
  const { call, columns, selected, level, rowIndex, onSelect } = props
  const select = (event: MouseEvent) => {
    if (event.button === 0) onSelect(call.call)
  }
  return (
    <div
      id={`call-row-${call.call}`}
      className={styles.row}
      role="row"
      aria-level={level}
      aria-rowindex={rowIndex}
      aria-selected={selected}
      data-testid="call-row"
      data-call={call.call}
      data-outcome={call.outcome ?? 'in-flight'}
      onMouseDown={select}
    >
      {columns.map((column) => (
        <div key={column.id} role="gridcell" className={column.numeric ? styles.number : styles.cell}>
          <CellContent {...props} column={column} />
        </div>
      ))}
    </div>
  )
})

function CellContent({ call, column, rounds, now, startedAt, lifeWidth }: CallRowProps & { column: Column }) {
  const { annotation } = call
  switch (column.id) {
    case 'call':
      return (
        <>
          {annotation !== null && annotation.mark !== null && (
            <span className={styles.mark}>
              <MarkShape mark={annotation.mark} size={11} title={`marked ${annotation.mark}`} />
            </span>
          )}
          {call.findings > 0 && (
            <span className={styles.findings} title={plural(call.findings, 'finding')}>
              {call.findings}
            </span>
          )}
          <span className={styles.dim}>{call.call}</span>
        </>
      )
    case 'time':
      return <span className={styles.dim}>{formatClock(startedAt, call.receivedAt)}</span>
    case 'method':
      return <Method call={call} />
    case 'target':
      return (
        <>
          {call.target === null ? <span className={styles.dim}>—</span> : <Name text={call.target} mono />}
          <RoundTag call={call} rounds={rounds} />
          {annotation !== null && <Note annotation={annotation} />}
        </>
      )
    case 'backend':
      return <BackendName call={call} />
    case 'era':
      return (
        <span
          className={styles.dim}
          title="era of the client leg → era of the backend leg (M modern, L legacy, * several)"
        >
          {formatEras(call)}
        </span>
      )
    case 'answer':
      return <Answer call={call} now={now} />
    case 'frames':
      return call.frames === 0 ? <span className={styles.dim}>0</span> : formatCount(call.frames)
    case 'duration': {
      const duration = formatDuration((call.endedAt ?? now) - call.receivedAt)
      return call.endedAt === null ? <span className={styles.running}>{duration}</span> : duration
    }
    case 'life':
      return <LifeLane call={call} now={now} width={lifeWidth} />
  }
}

/** What a reader has put on the call beside its mark. */
function Note({ annotation: { pinned, comment } }: { annotation: Annotation }) {
  return (
    <>
      {pinned && <Pin size={11} className={styles.noteSign} role="img" aria-label="pinned" />}
      {comment !== null && (
        <span className={styles.note} title={visibleString(comment)} data-testid="row-comment">
          <MessageSquareText size={11} className={styles.noteSign} role="img" aria-label="comment" />
          <span className={styles.noteText}>
            <Visible text={comment.slice(0, MAX_NOTE)} />
          </span>
        </span>
      )}
    </>
  )
}
/** More has no room in a row; the detail has all of it. */
const MAX_NOTE = 120

function Method({ call }: { call: CallSummary }) {
  const words = methodWords(call)
  if (words === null) return <span className={styles.dim}>—</span>
  if (call.method !== null) return <Name text={words} />
  return (
    <span className={`${styles.name ?? ''} ${styles.dim ?? ''}`} title={words}>
      {words}
    </span>
  )
}

function Name({ text, mono = false }: { text: string; mono?: boolean }) {
  return (
    <span className={mono ? styles.monoName : styles.name} title={visibleString(text)}>
      <Visible text={text} />
    </span>
  )
}

function RoundTag({ call, rounds }: { call: CallSummary; rounds: number }) {
  if (call.drivenRounds > 0 || call.asked > 0) return <AskedTag call={call} />
  const asks = call.outcome === 'input-required'
  if (rounds < 2 && !asks && !call.input) return null
  const total = Math.max(rounds, call.round)
  const title = `round ${call.round} of ${total}${asks ? ', asks the client for input' : ''}`
  return (
    <span className={styles.round} title={title} aria-label={title} role="img">
      {roundMark(call.round)}
      {total > 1 ? `/${total}` : ''}
      {asks && call.round === total ? ' input' : ''}
    </span>
  )
}

/** What was asked of a legacy client in the middle of the call. */
function AskedTag({ call }: { call: CallSummary }) {
  const asked = `the client was asked ${call.asked === 1 ? 'once' : `${call.asked} times`} within this call`
  const driven = call.drivenRounds > 0 ? `${plural(call.drivenRounds, 'round')} driven by Sluice: ` : ''
  const title = `${driven}${asked}`
  const open = call.outcome === null && call.life.findLast(({ mark }) => mark === 'question' || mark === 'answer')
  return (
    <span className={styles.round} title={title} aria-label={title} role="img">
      {call.drivenRounds > 0
        ? `${roundMark(call.drivenRounds)} driven`
        : `asked${call.asked > 1 ? ` ${call.asked}×` : ''}`}
      {open !== undefined && open !== false && open.mark === 'question' ? ', waits' : ''}
    </span>
  )
}

function BackendName({ call }: { call: CallSummary }) {
  if (call.backend !== null) return <Name text={call.backend} />
  if (call.backends.length === 0)
    return (
      <span className={styles.dim} title="answered by the gateway itself">
        —
      </span>
    )
  return (
    <span className={styles.name} title={visibleString(call.backends.join(', '))}>
      {plural(call.backends.length, 'backend')}
    </span>
  )
}

function Answer({ call, now }: { call: CallSummary; now: number }) {
  const tag = answerTag(call, now)
  return (
    <span
      className={`${styles.tag ?? ''} ${styles[tag.tone] ?? ''} ${tag.open ? (styles.open ?? '') : ''}`}
      data-testid="answer-tag"
      title={tag.title}
    >
      {tag.text}
    </span>
  )
}
