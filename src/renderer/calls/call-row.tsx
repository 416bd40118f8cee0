import { memo, type MouseEvent, type ReactNode } from 'react'
import { MessageSquareText, Pin } from 'lucide-react'
import type { Annotation } from '../../shared/capture/annotation'
import type { CallSummary } from '../../shared/capture/summary'
import { MarkShape } from '../annotations/mark-shape'
import { formatClock, formatCount, formatDuration, formatEras, plural, roundMark } from '../text/format'
import { Visible } from '../text/visible'
import { isPlain, visibleString } from '../text/visible-text'
import { answerTag } from './answer'
import type { Column, ColumnId } from './columns'
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
      {columns.map((column) => cellOf(column.id, props))}
    </div>
  )
})

const PLAIN = styles.cell
const DIM = `${styles.cell ?? ''} ${styles.dim ?? ''}`
const MONO = `${styles.cell ?? ''} ${styles.mono ?? ''}`
const NUMBER = `${styles.cell ?? ''} ${styles.number ?? ''}`
const DIM_NUMBER = `${NUMBER} ${styles.dim ?? ''}`
const RUNNING = `${NUMBER} ${styles.running ?? ''}`
/** Several things beside one another. */
const PARTS = `${styles.cell ?? ''} ${styles.parts ?? ''}`
const NUMBER_PARTS = `${PARTS} ${styles.number ?? ''}`

/**
 * A cell is no component of its own, and one element where it can be: with all rows of a table new at a keystroke, they
 * are most of what it costs.
 */
function cellOf(id: ColumnId, { call, rounds, now, startedAt, lifeWidth }: CallRowProps) {
  switch (id) {
    case 'call':
      return numberCell(call)
    case 'time':
      return cell(id, DIM, formatClock(startedAt, call.receivedAt))
    case 'method':
      return textCell(id, methodWords(call), call.method === null ? DIM : PLAIN)
    case 'target':
      return targetCell(call, rounds)
    case 'backend':
      return backendCell(call)
    case 'era':
      return cell(id, DIM, formatEras(call), ERAS)
    case 'answer':
      return cell(id, PLAIN, answer(call, now))
    case 'frames':
      return cell(id, call.frames === 0 ? DIM_NUMBER : NUMBER, formatCount(call.frames))
    case 'duration': {
      const { receivedAt, endedAt } = call
      return cell(id, endedAt === null ? RUNNING : NUMBER, formatDuration((endedAt ?? now) - receivedAt))
    }
    case 'life':
      return cell(id, PLAIN, <LifeLane call={call} now={now} width={lifeWidth} />)
  }
}
const ERAS = 'era of the client leg → era of the backend leg (M modern, L legacy, * several)'

function cell(id: ColumnId, className: string | undefined, content: ReactNode, title?: string) {
  return (
    <div key={id} role="gridcell" className={className} title={title}>
      {content}
    </div>
  )
}

/** What a client or server has named; a dash where it has not. */
function textCell(id: ColumnId, text: string | null, className: string | undefined) {
  return text === null ? cell(id, DIM, '—') : cell(id, className, visible(text), visibleString(text))
}

function visible(text: string) {
  return isPlain(text) ? text : <Visible text={text} />
}

function numberCell({ call, annotation, findings }: CallSummary) {
  const mark = annotation?.mark ?? null
  if (mark === null && findings === 0) return cell('call', DIM_NUMBER, call)
  return (
    <div key="call" role="gridcell" className={NUMBER_PARTS}>
      {mark !== null && (
        <span className={styles.mark}>
          <MarkShape mark={mark} size={11} title={`marked ${mark}`} />
        </span>
      )}
      {findings > 0 && (
        <span className={styles.findings} title={plural(findings, 'finding')}>
          {findings}
        </span>
      )}
      <span className={styles.dim}>{call}</span>
    </div>
  )
}

function targetCell(call: CallSummary, rounds: number) {
  const { target, annotation } = call
  const tag = roundTag(call, rounds)
  if (tag === null && annotation === null) return textCell('target', target, MONO)
  return (
    <div key="target" role="gridcell" className={PARTS}>
      {target === null ? (
        <span className={styles.dim}>—</span>
      ) : (
        <span className={styles.name} title={visibleString(target)}>
          {visible(target)}
        </span>
      )}
      {tag !== null && (
        <span className={styles.round} title={tag.title} aria-label={tag.title} role="img">
          {tag.text}
        </span>
      )}
      {annotation !== null && <Note annotation={annotation} />}
    </div>
  )
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

/** The round of a call within its operation, or what was asked within it; null where there is nothing to say. */
function roundTag(call: CallSummary, rounds: number): { text: string; title: string } | null {
  if (call.drivenRounds > 0 || call.asked > 0) return askedTag(call)
  const asks = call.outcome === 'input-required'
  if (rounds < 2 && !asks && !call.input) return null
  const total = Math.max(rounds, call.round)
  return {
    text: `${roundMark(call.round)}${total > 1 ? `/${total}` : ''}${asks && call.round === total ? ' input' : ''}`,
    title: `round ${call.round} of ${total}${asks ? ', asks the client for input' : ''}`,
  }
}

/** What was asked of a legacy client in the middle of the call. */
function askedTag(call: CallSummary): { text: string; title: string } {
  const asked = `the client was asked ${call.asked === 1 ? 'once' : `${call.asked} times`} within this call`
  const driven = call.drivenRounds > 0 ? `${plural(call.drivenRounds, 'round')} driven by Sluice: ` : ''
  const last = call.outcome === null && call.life.findLast(({ mark }) => mark === 'question' || mark === 'answer')
  const waits = last !== false && last !== undefined && last.mark === 'question'
  const words =
    call.drivenRounds > 0 ? `${roundMark(call.drivenRounds)} driven` : `asked${call.asked > 1 ? ` ${call.asked}×` : ''}`
  return { text: `${words}${waits ? ', waits' : ''}`, title: `${driven}${asked}` }
}

function backendCell({ backend, backends }: CallSummary) {
  if (backend !== null) return textCell('backend', backend, PLAIN)
  if (backends.length === 0) return cell('backend', DIM, '—', 'answered by the gateway itself')
  return cell('backend', PLAIN, plural(backends.length, 'backend'), visibleString(backends.join(', ')))
}

function answer(call: CallSummary, now: number) {
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
