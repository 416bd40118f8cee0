import type { ShownPlan } from '../../shared/api/replay'
import type { PlannedOperation } from '../../shared/replay/plan'
import controls from '../controls/controls.module.css'
import { Segments } from '../controls/segments'
import { useFocusWhenLost } from '../controls/use-focus-when-lost'
import page from '../controls/page.module.css'
import { formatCount, plural } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import styles from './replay.module.css'

/** How a plan is to be carried out, as it is edited. */
export interface PlanChoice {
  /** Operations (their `index`) that may be sent although they may change something. */
  consented: ReadonlySet<number>
  pacing: 'in-order' | 'captured'
  /** JSON pointers, one a line. */
  ignore: string
}

interface PlanProps {
  plan: ShownPlan
  choice: PlanChoice
  /** It was begun: there is nothing to choose any more. */
  locked: boolean
  planning: boolean
  onChoice: (choice: PlanChoice) => void
  /** Null where it is not known how it was planned. */
  onMap: ((mapping: Record<string, string>) => void) | null
  onStart: () => void
}

/** Operations are listed up to so many, in each group. */
const MOST_LISTED = 500

/** What would be sent where; nothing is sent before the button is pressed. */
export function ReplayPlanView(props: PlanProps) {
  const { plan, choice, locked, planning, onChoice, onMap, onStart } = props
  const region = useFocusWhenLost<HTMLDivElement>()
  const asking = plan.operations.filter((one) => one.problem === null && one.consent !== null)
  const reading = plan.operations.filter((one) => one.problem === null && one.consent === null)
  const unsent = plan.operations.filter((one) => one.problem !== null)
  const sent = plan.counts.sent - plan.counts.consent + choice.consented.size
  return (
    <div
      ref={region}
      className={`${page.scroll ?? ''} ${styles.scroll ?? ''}`}
      tabIndex={0}
      role="region"
      aria-label="plan of the replay"
    >
      <section className={styles.block}>
        <h3>Where it goes</h3>
        {plan.mapping.length === 0 && <p className={page.quiet}>None of these calls can be sent.</p>}
        <div className={styles.mappings}>
          {plan.mapping.map(({ from, to, calls }) => (
            <label key={from} className={styles.mapping}>
              <span className={styles.from} title={visibleString(from)}>
                <Visible text={from} />
              </span>
              <span className={page.quiet}>{plural(calls, 'operation')} →</span>
              <select
                className={styles.select}
                value={to ?? ''}
                title={visibleString(to ?? '')}
                aria-label={`backend for ${visibleString(from)}`}
                disabled={locked || planning || onMap === null}
                onChange={(event) => {
                  const others = plan.mapping.flatMap((one) => (one.to === null ? [] : [[one.from, one.to] as const]))
                  onMap?.({ ...Object.fromEntries(others), [from]: event.target.value })
                }}
              >
                {to === null && <option value="">nowhere: choose a backend</option>}
                {plan.backends.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </div>
      </section>
      <section className={styles.block}>
        <h3>How</h3>
        <Segments
          label="pacing"
          disabled={locked}
          value={choice.pacing}
          options={[
            { value: 'in-order', label: 'one after the other' },
            { value: 'captured', label: 'at the recorded times' },
          ]}
          onChange={(pacing) => onChoice({ ...choice, pacing })}
        />
        <label className={controls.field}>
          <span className={controls.fieldLabel}>
            What does not count in the comparison, one JSON pointer a line; * stands for any member. Ids, times and
            states never count.
          </span>
          <textarea
            className={`${controls.input ?? ''} ${styles.mono ?? ''}`}
            rows={2}
            value={choice.ignore}
            disabled={locked}
            placeholder="/structuredContent/generatedAt"
            onChange={(event) => onChoice({ ...choice, ignore: event.target.value })}
          />
        </label>
      </section>
      {asking.length > 0 && (
        <section className={styles.block}>
          <h3>
            May change something <span className={page.quiet}>{formatCount(plan.counts.consent)}</span>
          </h3>
          <div className={styles.consentBar}>
            <button
              type="button"
              className={controls.button}
              disabled={locked}
              onClick={() =>
                onChoice({
                  ...choice,
                  consented:
                    choice.consented.size === asking.length ? new Set() : new Set(asking.map(({ index }) => index)),
                })
              }
            >
              {choice.consented.size === asking.length ? 'Choose none' : 'Choose all'}
            </button>
            <span className={page.quiet}>Only those that are chosen are sent.</span>
          </div>
          <Operations
            operations={asking}
            chosen={choice.consented}
            onToggle={
              locked
                ? null
                : (index) => {
                    const consented = new Set(choice.consented)
                    if (!consented.delete(index)) consented.add(index)
                    onChoice({ ...choice, consented })
                  }
            }
          />
        </section>
      )}
      {reading.length > 0 && (
        <section className={styles.block}>
          <h3>
            Only read <span className={page.quiet}>{formatCount(plan.counts.sent - plan.counts.consent)}</span>
          </h3>
          <Operations operations={reading} />
        </section>
      )}
      {unsent.length > 0 && (
        <section className={styles.block}>
          <h3>
            Not sent <span className={page.quiet}>{formatCount(plan.counts.notSent)}</span>
          </h3>
          <Operations operations={unsent} />
        </section>
      )}
      {!locked && (
        <div className={styles.foot}>
          <button
            type="button"
            className={controls.primary}
            data-testid="replay-start"
            disabled={sent === 0 || planning}
            onClick={onStart}
          >
            {planning ? 'Planning…' : `Send ${plural(sent, 'operation')}`}
          </button>
          <span className={page.quiet}>
            Through this gateway, to the backends as they are configured now. It is recorded like any call.
          </span>
        </div>
      )}
    </div>
  )
}

interface OperationsProps {
  operations: readonly PlannedOperation[]
  chosen?: ReadonlySet<number>
  onToggle?: ((index: number) => void) | null
}

function Operations({ operations, chosen, onToggle }: OperationsProps) {
  const rest = operations.length - MOST_LISTED
  return (
    <ul className={styles.operations}>
      {operations.slice(0, MOST_LISTED).map((one) => (
        <li key={one.index}>
          <label className={styles.operation}>
            {chosen !== undefined && (
              <input
                type="checkbox"
                checked={chosen.has(one.index)}
                disabled={onToggle === null || onToggle === undefined}
                onChange={() => onToggle?.(one.index)}
              />
            )}
            <span className={styles.number}>#{one.call}</span>
            <span className={styles.method}>
              <Visible text={one.method} />
            </span>
            <span className={styles.target} title={visibleString(one.name ?? '')}>
              <Visible text={one.name ?? ''} />
              {one.rounds.length > 1 && <span className={page.quiet}> · {one.rounds.length} rounds</span>}
            </span>
            <span className={styles.to} title={visibleString(one.backend ?? '')}>
              {one.backend === null ? '' : '→ '}
              <Visible text={one.backend ?? ''} />
            </span>
            <span
              className={styles.why}
              data-off={one.problem !== null || undefined}
              title={visibleString(one.problem ?? one.consent ?? '')}
            >
              <Visible text={one.problem ?? one.consent ?? ''} />
            </span>
          </label>
        </li>
      ))}
      {rest > 0 && <li className={page.quiet}>and {formatCount(rest)} more</li>}
    </ul>
  )
}
