import { ChevronDown, ChevronRight, CircleX, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { FoundGroup } from '../../shared/api/findings'
import { GUIDE, type RuleId } from '../../shared/findings/guide'
import controls from '../controls/controls.module.css'
import { formatCount, plural } from '../text/format'
import { Visible } from '../text/visible'
import { Explanation } from './explanation'
import styles from './findings.module.css'
import { Hiding } from './findings-tab'
import type { RuleCount } from './rule-counts'
import type { Suppression } from './suppression'

/** More places are summed up. */
const MOST_PLACES = 20

interface RuleItemProps {
  rule: RuleId
  count: RuleCount
  onCalls: (calls: readonly number[]) => void
  onSuppress: (added: Suppression) => void
}

/** A rule with what it found; unfolded with its explanation and the places. */
export function RuleItem({ rule, count, onCalls, onSuppress }: RuleItemProps) {
  const [open, setOpen] = useState(false)
  const entry = GUIDE[rule]
  const { shown, hidden, findings } = count
  const Sign = entry.severity === 'error' ? CircleX : TriangleAlert
  const Fold = open ? ChevronDown : ChevronRight
  return (
    <li className={styles.rule} data-severity={entry.severity} data-testid="rule" data-rule={rule}>
      <Sign size={14} aria-label={entry.severity} />
      <div>
        <button type="button" className={styles.ruleTitle} aria-expanded={open} onClick={() => setOpen(!open)}>
          <Fold size={12} aria-hidden />
          <span>{entry.title}</span>
          <code>{rule}</code>
        </button>
        {open && (
          <>
            <Explanation entry={entry} rule={rule} />
            <ul className={styles.places}>
              {shown.slice(0, MOST_PLACES).map((group) => (
                <Place key={JSON.stringify([group.backend, group.target])} {...{ group, onCalls, onSuppress }} />
              ))}
            </ul>
            {shown.length > MOST_PLACES && (
              <p className={styles.about}>and at {formatCount(shown.length - MOST_PLACES)} more places</p>
            )}
            {hidden.length > 0 && (
              <p className={styles.about}>
                {plural(
                  hidden.reduce((sum, group) => sum + group.findings, 0),
                  'finding',
                )}{' '}
                hidden by your choice
              </p>
            )}
          </>
        )}
      </div>
      {findings > 0 ? (
        <button
          type="button"
          className={controls.link}
          title="Show these calls in the table"
          onClick={() => onCalls(shown.flatMap(({ calls }) => calls))}
        >
          {plural(findings, 'finding')}
        </button>
      ) : (
        <span className={styles.count}>{hidden.length > 0 ? 'hidden' : '—'}</span>
      )}
    </li>
  )
}

interface PlaceProps {
  group: FoundGroup
  onCalls: (calls: readonly number[]) => void
  onSuppress: (added: Suppression) => void
}

function Place({ group, onCalls, onSuppress }: PlaceProps) {
  const { rule, backend, target, findings, callCount, calls } = group
  const where = [target, backend].filter((part) => part !== null).join(' of ') || 'without a backend'
  return (
    <li>
      <button type="button" className={controls.link} onClick={() => onCalls(calls)}>
        <Visible text={where} />: {plural(findings, 'finding')} in {plural(callCount, 'call')}
      </button>
      <Hiding rule={rule} place={{ backend, target }} onSuppress={onSuppress} />
    </li>
  )
}
