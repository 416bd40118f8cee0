import { ChevronDown, ChevronRight, FileText, RotateCcw, TriangleAlert } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { OpenedCaptureStatus } from '../../shared/api/contract'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import { DetailPane } from '../shell/detail-pane'
import { TableAndDetail } from '../shell/table-and-detail'
import { TableOfView } from '../shell/table-of-view'
import { useCalls, useDesk, useSelection } from '../stores/desk-context'
import type { CaptureSource } from '../stores/source'
import { formatBytes, formatDay, plural } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import { TransportBar } from './transport-bar'
import { UseAsBackend } from './use-as-backend'
import styles from './captures.module.css'

/** An opened capture: what there is to say of the file, its player, and its calls as those of the live run. */
export function CapturePane({ status, source }: { status: OpenedCaptureStatus; source: CaptureSource }) {
  const call = useSelection((selection) => selection.call)
  const empty = useCalls(({ total, loading, error }) => total === 0 && !loading && error === null)
  return (
    <div className={styles.pane} data-testid="capture-pane">
      <CaptureHead status={status} />
      <TransportBar playback={source.playback} startedAt={source.clock.startedAt} />
      <div className={styles.rest}>
        {empty && !source.playback.store.getState().active ? (
          <p className={styles.empty}>This capture has no calls.</p>
        ) : (
          <TableAndDetail table={<TableOfView />} detail={call === null ? null : <DetailPane call={call} />} />
        )}
      </div>
    </div>
  )
}

function CaptureHead({ status }: { status: OpenedCaptureStatus }) {
  const desk = useDesk()
  const [open, setOpen] = useState(false)
  const [mocking, setMocking] = useState(false)
  const { name, file, calls, bytes, startedAt, writtenBy, backends, notes, passedOver, damaged, problem } = status
  const facts = [
    plural(calls, 'call'),
    formatBytes(bytes),
    startedAt === null ? '' : formatDay(Date.parse(startedAt)),
    writtenBy === null ? '' : `by ${writtenBy}`,
    backends.length === 0 ? '' : plural(backends.length, 'backend'),
  ].filter(Boolean)
  const Fold = open ? ChevronDown : ChevronRight
  return (
    <div className={styles.headOf}>
      <div className={styles.line}>
        <FileText size={14} aria-hidden className={styles.sign} />
        <h2 className={styles.name} title={visibleString(file)}>
          <Visible text={name} />
        </h2>
        <span className={styles.facts} title={visibleString(backends.join(', '))}>
          <Visible text={facts.join(' · ')} />
        </span>
        {notes.length > 0 && (
          <button
            type="button"
            className={styles.notesButton}
            data-damaged={damaged || undefined}
            aria-expanded={open}
            data-testid="capture-notes"
            onClick={() => setOpen(!open)}
          >
            {damaged && <TriangleAlert size={12} aria-hidden />}
            {damaged ? 'partly unreadable, ' : ''}
            {plural(notes.length, 'note')}
            <Fold size={12} aria-hidden />
          </button>
        )}
        <span className={styles.spring} />
        <button
          type="button"
          className={controls.button}
          title="Send its calls again; a plan is shown first"
          disabled={calls === 0}
          onClick={() => void desk.replays.plan({ capture: status.id })}
        >
          <RotateCcw size={12} aria-hidden /> Replay…
        </button>
        <button type="button" className={controls.button} disabled={calls === 0} onClick={() => setMocking(true)}>
          Use as backend…
        </button>
        {mocking && <UseAsBackend capture={status} onClose={() => setMocking(false)} />}
        <button
          type="button"
          className={controls.icon}
          aria-label="close capture"
          title="Close this capture; the file stays"
          onClick={() => void desk.captures.close(status.id)}
        >
          ✕
        </button>
      </div>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          The file cannot be read any more: <Visible text={problem} />
        </p>
      )}
      {open && (
        <div className={styles.notes} tabIndex={0} role="region" aria-label="notes on the file">
          <Sentences texts={notes} />
          {passedOver.length > 0 && (
            <details>
              <summary>Which ones, and why</summary>
              <div className={styles.places}>
                <Sentences texts={passedOver} />
              </div>
              <p>What could be read can be used. Export it as a capture to have a file without them.</p>
            </details>
          )}
        </div>
      )}
    </div>
  )
}

function Sentences({ texts }: { texts: readonly string[] }) {
  return (
    <ul>
      {texts.map((text, index) => (
        <li key={index}>
          <Visible text={text} />
        </li>
      ))}
    </ul>
  )
}

/** While a capture is being opened, and when that failed. */
export function CaptureWaiting({ status }: { status: OpenedCaptureStatus | undefined }) {
  const desk = useDesk()
  if (status === undefined) return <Middle>Opening…</Middle>
  const { name, file, progress, state, problem } = status
  const close = () => void desk.captures.close(status.id)
  if (state === 'failed')
    return (
      <Middle>
        <Failure
          what={`${visibleString(name)} could not be opened.`}
          error={{ code: 'failed', message: problem ?? 'It is not known why.' }}
          onRetry={() => void desk.captures.open(file)}
        />
        <button type="button" className={controls.button} onClick={close}>
          Close
        </button>
      </Middle>
    )
  const share = progress === null || progress.total === 0 ? null : progress.done / progress.total
  return (
    <Middle>
      <p>
        Reading <Visible text={name} />
        {share === null ? '…' : ` · ${Math.floor(share * 100)} %`}
      </p>
      <progress className={styles.progress} aria-label="reading" {...(share === null ? {} : { value: share })} />
      <button type="button" className={controls.button} onClick={close}>
        Stop
      </button>
    </Middle>
  )
}

function Middle({ children }: { children: ReactNode }) {
  return (
    <div className={styles.middle} data-testid="capture-waiting">
      {children}
    </div>
  )
}
