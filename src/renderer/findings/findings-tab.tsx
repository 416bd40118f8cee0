import { ChevronDown, ChevronRight, CircleX, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { Finding } from '../../shared/findings/finding'
import { guideOf } from '../../shared/findings/guide'
import controls from '../controls/controls.module.css'
import { plural } from '../text/format'
import { Visible } from '../text/visible'
import { Explanation } from './explanation'
import styles from './findings.module.css'
import { isSuppressed, type FindingPlace, type Suppression } from './suppression'

interface FindingsTabProps {
  findings: readonly Finding[]
  /** Backend and target of the call. */
  place: FindingPlace
  inFlight: boolean
  suppressed: readonly Suppression[]
  onSuppress: (added: Suppression) => void
  onJump: (seq: number) => void
}

/** What in this call breaks or bends the protocol. What the user hid is counted, and can be looked at. */
export function FindingsTab({ findings, place, inFlight, suppressed, onSuppress, onJump }: FindingsTabProps) {
  const [all, setAll] = useState(false)
  const seen = findings.filter(({ rule }) => !isSuppressed(rule, place, suppressed))
  const hidden = findings.length - seen.length
  if (findings.length === 0) {
    return (
      <div className={styles.none}>
        <h2>Nothing found</h2>
        <p>
          {inFlight ? 'So far nothing' : 'Nothing'} in this call breaks the protocol by the rules that Sluice checks.
          The page Findings lists them all.
        </p>
      </div>
    )
  }
  return (
    <div className={styles.list} tabIndex={0} aria-label="findings of this call" role="region">
      {hidden > 0 && (
        <p className={styles.hidden} data-testid="findings-hidden">
          {plural(hidden, 'finding')} of this call {hidden === 1 ? 'is' : 'are'} hidden by your choice; the count of the
          row has {hidden === 1 ? 'it' : 'them'} all the same.
          <button type="button" className={controls.link} aria-pressed={all} onClick={() => setAll(!all)}>
            {all ? 'Hide again' : 'Show'}
          </button>
        </p>
      )}
      <ul>
        {(all ? findings : seen).map((finding, index) => (
          <FindingItem
            key={`${finding.rule} ${finding.seq ?? ''} ${index}`}
            finding={finding}
            place={place}
            onSuppress={onSuppress}
            onJump={onJump}
          />
        ))}
      </ul>
    </div>
  )
}

interface FindingItemProps {
  finding: Finding
  place: FindingPlace
  onSuppress: (added: Suppression) => void
  onJump: (seq: number) => void
}

function FindingItem({ finding, place, onSuppress, onJump }: FindingItemProps) {
  const [open, setOpen] = useState(false)
  const { rule, severity, leg, message, spec, seq } = finding
  // Findings of a newer Sluice may come by rules that this one does not know.
  const entry = guideOf(rule)
  const Sign = severity === 'error' ? CircleX : TriangleAlert
  const Fold = open ? ChevronDown : ChevronRight
  return (
    <li className={styles.finding} data-severity={severity}>
      <Sign size={15} aria-hidden />
      <div>
        <p className={styles.message}>
          <Visible text={message} />
        </p>
        <p className={styles.about}>
          {severity === 'error' ? 'breaks' : 'bends'} the protocol on the {leg} leg · specification <code>{spec}</code>{' '}
          · rule <code>{rule}</code>
        </p>
        {entry !== undefined && (
          <button
            type="button"
            className={`${styles.ruleTitle} ${controls.link}`}
            aria-expanded={open}
            data-testid="finding-why"
            onClick={() => setOpen(!open)}
          >
            <Fold size={12} aria-hidden />
            <span>Why it matters, and where to look</span>
          </button>
        )}
        {open && entry !== undefined && (
          <>
            <Explanation entry={entry} rule={rule} />
            <Hiding rule={rule} place={place} onSuppress={onSuppress} />
          </>
        )}
      </div>
      {seq !== undefined && (
        <button type="button" className={controls.button} onClick={() => onJump(seq)}>
          Show frame
        </button>
      )}
    </li>
  )
}

interface HidingProps {
  rule: string
  place: FindingPlace
  onSuppress: (added: Suppression) => void
}

/** The ways to hide findings of a rule. */
export function Hiding({ rule, place: { backend, target }, onSuppress }: HidingProps) {
  return (
    <p className={styles.actions}>
      {target !== null && (
        <button type="button" className={controls.link} onClick={() => onSuppress({ rule, backend, target })}>
          Hide for <Visible text={target} />
        </button>
      )}
      {backend !== null && (
        <button type="button" className={controls.link} onClick={() => onSuppress({ rule, backend, target: null })}>
          Hide for all of <Visible text={backend} />
        </button>
      )}
      <button type="button" className={controls.link} onClick={() => onSuppress({ rule, backend: null, target: null })}>
        Hide this rule
      </button>
    </p>
  )
}
