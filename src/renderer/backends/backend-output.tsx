import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { BackendActivity, BackendStatus } from '../../shared/api/contract'
import controls from '../controls/controls.module.css'
import { CopyButton } from '../controls/copy-button'
import { DynamicRows } from '../controls/dynamic-rows'
import { Failure } from '../controls/failure'
import { Segments } from '../controls/segments'
import { ActivityLog } from '../stores/activity-log'
import { useDesk, useStatus } from '../stores/desk-context'
import { formatClock, formatCount, plural } from '../text/format'
import { Visible } from '../text/visible'
import { KINDS, matchParts, shownLines, type OutputKind } from './output-lines'
import styles from './backend-output.module.css'

/** What a backend prints and how its process fares, live, with search. */
export function BackendOutput({ backend }: { backend: BackendStatus }) {
  const { connection } = useDesk()
  const [log, setLog] = useState<ActivityLog | null>(null)
  useEffect(() => {
    const opened = new ActivityLog(backend.name, connection)
    setLog(opened)
    return () => opened.close()
  }, [backend.name, connection])
  return log === null ? null : <Lines log={log} process={backend.restartable === true} />
}

function Lines({ log, process }: { log: ActivityLog; process: boolean }) {
  const { lines, status, error, skipped } = useStore(log.store)
  const [kind, setKind] = useState<OutputKind>('all')
  const [text, setText] = useState('')
  const startedAt = useStatus((state) => state.status?.startedAt)
  const shown = shownLines(lines, kind, text)
  const { scroller, onScroll } = useEndInSight(shown)
  const start = startedAt === undefined ? 0 : Date.parse(startedAt)
  return (
    <div className={styles.output} data-testid="backend-output">
      <div className={styles.bar}>
        {process && (
          <Segments
            label="kind of lines"
            value={kind}
            options={KINDS.map((value) => ({ value, label: value }))}
            onChange={setKind}
          />
        )}
        <input
          className={`${controls.input ?? ''} ${styles.search ?? ''}`}
          type="search"
          value={text}
          placeholder="search lines"
          aria-label="search lines"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
        <span className={styles.count} role="status">
          {shown.length === lines.length
            ? plural(lines.length, 'line')
            : `${formatCount(shown.length)} of ${plural(lines.length, 'line')}`}
          {skipped > 0 ? `, ${formatCount(skipped)} were too fast to be shown` : ''}
        </span>
        <CopyButton
          text={() => Promise.resolve(shown.map((line) => line.text).join('\n'))}
          what="these lines"
          label="copy"
        />
      </div>
      {error !== null && (
        <Failure what="Its lines could not be loaded." error={error} onRetry={() => void log.load()} />
      )}
      {shown.length === 0 && status === 'ready' ? (
        <p className={styles.empty}>{lines.length === 0 ? emptyWords(process) : 'No line matches.'}</p>
      ) : (
        <DynamicRows
          className={styles.lines}
          elementRef={scroller}
          onScroll={onScroll}
          count={shown.length}
          rowHeight={19}
          rowKey={(index) => shown[index]?.seq ?? index}
          role="log"
          aria-label="output of the backend"
          tabIndex={0}
          renderRow={(index) => {
            const line = shown[index]
            return line === undefined ? null : <Line line={line} wanted={text} start={start} />
          }}
        />
      )}
    </div>
  )
}

function emptyWords(process: boolean): string {
  return process
    ? 'It has printed nothing yet: no line on stderr, no noise on stdout.'
    : 'Nothing happened to it yet. Only changes of its state are shown here: a backend over HTTP has no output of its own.'
}

function Line({ line, wanted, start }: { line: BackendActivity; wanted: string; start: number }) {
  return (
    <div className={styles.line} data-kind={line.kind} data-testid="output-line">
      <span className={styles.time}>{formatClock(start, line.at)}</span>
      <span className={styles.kind}>{line.kind}</span>
      <span className={styles.text}>
        {matchParts(line.text, wanted).map((part, index) =>
          part.match ? (
            <mark key={index}>
              <Visible text={part.text} />
            </mark>
          ) : (
            <Visible key={index} text={part.text} />
          ),
        )}
      </span>
    </div>
  )
}

/** Keeps the end of a list in sight while it is scrolled there. */
function useEndInSight(shown: readonly BackendActivity[]) {
  const scroller = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  useEffect(() => {
    if (atEnd.current && scroller.current !== null) scroller.current.scrollTop = scroller.current.scrollHeight
  }, [shown])
  const onScroll = () => {
    const element = scroller.current
    if (element !== null) atEnd.current = element.scrollHeight - element.clientHeight - element.scrollTop < 8
  }
  return { scroller, onScroll }
}
