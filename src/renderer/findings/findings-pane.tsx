import { RefreshCw } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { FoundGroup } from '../../shared/api/findings'
import { GUIDE_SUBJECTS } from '../../shared/findings/guide'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import page from '../controls/page.module.css'
import { Segments } from '../controls/segments'
import { useCommand } from '../controls/use-command'
import { useDesk, usePreferences, useSource } from '../stores/desk-context'
import { formatCount, plural } from '../text/format'
import { Visible } from '../text/visible'
import styles from './findings.module.css'
import { RuleItem } from './rule-item'
import { countRules, filterFor, type RuleCount } from './rule-counts'
import { describeSuppression, withoutSuppression, withSuppression } from './suppression'

const NONE: RuleCount = { shown: [], hidden: [], findings: 0 }

/** All rules by subject, with what each found in this run or capture. */
export function FindingsPane() {
  const source = useSource()
  const { preferences } = useDesk()
  const suppressed = usePreferences((state) => state.suppressed)
  const { run, running, error } = useCommand('findings.list')
  const [found, setFound] = useState<{ groups: FoundGroup[]; judged: number; left: number } | null>(null)
  const [which, setWhich] = useState<'found' | 'all' | 'hidden'>('all')
  const count = () => void run({}).then((response) => response !== undefined && setFound(response))
  // Counted when the page is opened; the button counts anew.
  useEffect(() => void run({}).then((response) => response !== undefined && setFound(response)), [run])
  const counts = useMemo(() => countRules(found?.groups ?? [], suppressed), [found, suppressed])
  const rulesFound = [...counts.values()].filter(({ shown }) => shown.length > 0).length
  const showCalls = (calls: readonly number[]) => {
    source.calls.setFilter(filterFor(calls))
    source.selection.setState({ view: 'calls', backend: null, call: calls[0] ?? null, tab: 'findings', seq: null })
  }
  const subjects = GUIDE_SUBJECTS.map(({ title, about, rules }) => ({
    title,
    about,
    rules: rules.filter((rule) => which !== 'found' || (counts.get(rule)?.shown.length ?? 0) > 0),
  })).filter(({ rules }) => rules.length > 0)
  return (
    <section className={page.page} data-testid="findings-pane" aria-label="rules and what they found">
      <div className={page.bar}>
        <h2>Findings</h2>
        <Segments
          label="which rules"
          value={which}
          options={[
            { value: 'all', label: 'all rules' },
            { value: 'found', label: `found ${formatCount(rulesFound)}` },
            { value: 'hidden', label: `hidden ${formatCount(suppressed.length)}` },
          ]}
          onChange={setWhich}
        />
        <span className={page.quiet} role="status" data-testid="findings-judged">
          {running ? 'Counting…' : found === null ? '' : judgedWords(found)}
        </span>
        <span className={page.spring} />
        <button type="button" className={controls.button} disabled={running} onClick={count}>
          <RefreshCw size={12} aria-hidden /> Count again
        </button>
      </div>
      {error !== null && <Failure what="Findings could not be counted." error={error} onRetry={count} />}
      <div className={page.scroll} tabIndex={0} aria-label="rules" role="region">
        {which === 'hidden' ? (
          <ul>
            {suppressed.length === 0 && <li className={styles.hidden}>No finding is hidden.</li>}
            {suppressed.map((one) => (
              <li key={JSON.stringify(one)} className={styles.hidden}>
                <code>{one.rule}</code> <Visible text={describeSuppression(one)} />
                <button
                  type="button"
                  className={controls.link}
                  onClick={() => preferences.setState({ suppressed: withoutSuppression(suppressed, one) })}
                >
                  Show again
                </button>
              </li>
            ))}
          </ul>
        ) : (
          <>
            {subjects.length === 0 && <p className={styles.hidden}>Nothing was found so far.</p>}
            {subjects.map(({ title, about, rules }) => (
              <section key={title}>
                <h3 className={styles.subject}>
                  {title}
                  <small>{about}</small>
                </h3>
                <ul>
                  {rules.map((rule) => (
                    <RuleItem
                      key={rule}
                      rule={rule}
                      count={counts.get(rule) ?? NONE}
                      onCalls={showCalls}
                      onSuppress={(added) => preferences.setState({ suppressed: withSuppression(suppressed, added) })}
                    />
                  ))}
                </ul>
              </section>
            ))}
          </>
        )}
      </div>
    </section>
  )
}

function judgedWords({ judged, left }: { judged: number; left: number }): string {
  const older = left === 0 ? '' : `; ${formatCount(left)} older not counted`
  return `${plural(judged, 'call')} with findings${older}`
}
