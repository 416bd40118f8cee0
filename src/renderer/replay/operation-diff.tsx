import type { OperationReport, RoundReport } from '../../shared/replay/report'
import { Columns2 } from 'lucide-react'
import controls from '../controls/controls.module.css'
import page from '../controls/page.module.css'
import { useDesk } from '../stores/desk-context'
import { selectCall } from '../stores/selection-store'
import { formatCount, formatDuration, plural } from '../text/format'
import { Visible } from '../text/visible'
import { DifferenceItems } from './difference-items'
import styles from './replay.module.css'

interface OperationDiffProps {
  operation: OperationReport
  /** The opened capture; null for the live run. */
  capture: string | null
  onClose: () => void
}

/** One operation, as it was recorded against how it went now, round by round. */
export function OperationDiff({ operation, capture, onClose }: OperationDiffProps) {
  const { call, name, method, rounds, reason } = operation
  return (
    <aside className={styles.diff} aria-label="comparison of one operation" data-testid="operation-diff">
      <h3 className={styles.diffHead}>
        <span>
          #{call} <Visible text={name ?? method} />
        </span>
        <button type="button" className={controls.icon} aria-label="close comparison" onClick={onClose}>
          ✕
        </button>
      </h3>
      {reason !== undefined && (
        <p className={styles.reason}>
          <Visible text={reason} />
        </p>
      )}
      {rounds.length === 0 && <p className={page.quiet}>There is nothing to compare: it was not answered.</p>}
      {rounds.map((round, index) => (
        <Round key={round.newCall} round={round} number={rounds.length > 1 ? index + 1 : null} capture={capture} />
      ))}
    </aside>
  )
}

function Round({ round, number, capture }: { round: RoundReport; number: number | null; capture: string | null }) {
  const { captures, replays, comparison, selection } = useDesk()
  const { call, newCall, differences, more, ignored, timing } = round
  const openRecorded = () => {
    const source = capture === null ? null : captures.source(capture)
    replays.show(null)
    captures.show(capture)
    if (source !== undefined) selectCall(source?.selection ?? selection, call)
  }
  const openNew = () => {
    replays.show(null)
    captures.show(null)
    selection.setState({ view: 'calls' })
    selectCall(selection, newCall)
  }
  return (
    <section className={styles.round}>
      {number !== null && <h4>Round {number}</h4>}
      <button
        type="button"
        id={`beside-${call}-${newCall}`}
        className={`${controls.button} ${styles.beside}`}
        onClick={() => comparison.show({ was: { capture, call }, now: { capture: null, call: newCall } })}
      >
        <Columns2 size={13} aria-hidden /> Side by side
      </button>
      <table className={styles.timing}>
        <thead>
          <tr>
            <td />
            <th scope="col">
              <button type="button" className={controls.link} onClick={openRecorded}>
                recorded #{call}
              </button>
            </th>
            <th scope="col">
              <button type="button" className={controls.link} onClick={openNew}>
                now #{newCall}
              </button>
            </th>
          </tr>
        </thead>
        <tbody>
          <Times name="first sign" was={timing.was.first} now={timing.now.first} />
          <Times name="answer" was={timing.was.answer} now={timing.now.answer} />
          <tr>
            <th scope="row">frames</th>
            <td>{formatCount(timing.was.frames)}</td>
            <td>{formatCount(timing.now.frames)}</td>
          </tr>
        </tbody>
      </table>
      {differences.length === 0 ? (
        <p className={styles.equal}>
          The same
          {ignored === 0
            ? ''
            : `, but for ${plural(ignored, 'difference')} that ${ignored === 1 ? 'does' : 'do'} not count`}
          .
        </p>
      ) : (
        <ul className={styles.differences}>
          <DifferenceItems differences={differences} pathClass={styles.path} />
        </ul>
      )}
      {more > 0 && <p className={page.quiet}>and {plural(more, 'more difference')}</p>}
    </section>
  )
}

function Times({ name, was, now }: { name: string; was: number | null; now: number | null }) {
  const words = (micros: number | null) => (micros === null ? 'none' : formatDuration(micros))
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{words(was)}</td>
      <td>{words(now)}</td>
    </tr>
  )
}
