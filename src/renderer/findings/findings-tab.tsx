import { CircleX, TriangleAlert } from 'lucide-react'
import type { Finding } from '../../shared/findings/finding'
import controls from '../controls/controls.module.css'
import { Visible } from '../text/visible'
import styles from './findings-tab.module.css'

interface FindingsTabProps {
  findings: readonly Finding[]
  inFlight: boolean
  onJump: (seq: number) => void
}

/** What in this call breaks or bends the protocol. */
export function FindingsTab({ findings, inFlight, onJump }: FindingsTabProps) {
  if (findings.length === 0) {
    return (
      <div className={styles.none}>
        <h2>Nothing found</h2>
        <p>
          {inFlight ? 'So far nothing' : 'Nothing'} in this call breaks the protocol by the rules that Sluice checks:
          progress, logging, result types, headers against body, request state, and how streams end.
        </p>
      </div>
    )
  }
  return (
    <ul className={styles.list} aria-label="findings" tabIndex={0}>
      {findings.map((finding, index) => (
        <li key={`${finding.rule} ${index}`} className={styles.finding} data-severity={finding.severity}>
          {finding.severity === 'error' ? <CircleX size={15} aria-hidden /> : <TriangleAlert size={15} aria-hidden />}
          <div>
            <p className={styles.message}>
              <Visible text={finding.message} />
            </p>
            <p className={styles.about}>
              {finding.severity === 'error' ? 'breaks' : 'bends'} the protocol on the {finding.leg} leg · specification{' '}
              <code>{finding.spec}</code> · rule <code>{finding.rule}</code>
            </p>
          </div>
          {finding.seq !== undefined && (
            <button type="button" className={controls.button} onClick={() => onJump(finding.seq ?? 0)}>
              Show frame
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
