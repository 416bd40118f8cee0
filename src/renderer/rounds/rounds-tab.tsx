import { ArrowRight } from 'lucide-react'
import { Fragment } from 'react'
import type { CallRecord } from '../../shared/capture/record'
import { formatDuration, plural } from '../text/format'
import { Visible } from '../text/visible'
import { operationOf, type Operation } from './rounds-model'
import { RoundCard } from './round-card'
import styles from './rounds.module.css'

export interface RoundsTabProps {
  /** Records of the calls of one operation, in order of rounds; they grow in place. */
  records: readonly CallRecord[]
  current: number
  nowSeconds: number
  onOpen: (call: number) => void
}

/** One operation, its rounds side by side. */
export function RoundsTab({ records, current, nowSeconds, onOpen }: RoundsTabProps) {
  const operation = operationOf(records)
  const single = operation.rounds.length === 1 && operation.rounds[0]
  if (
    single !== false &&
    single !== undefined &&
    single.sealed === null &&
    single.refused === null &&
    single.asks.length === 0
  ) {
    return (
      <div className={styles.empty}>
        <h2>One round, nothing asked</h2>
        <p>
          This call was answered at once. When a backend answers <code>input_required</code>, the client asks its user
          and calls again; the rounds then stand here side by side, with what was asked, what was answered, and the
          state that travels between them.
        </p>
      </div>
    )
  }
  return (
    <div className={styles.tab}>
      <Summary operation={operation} />
      <div className={styles.chain} tabIndex={0} role="region" aria-label="rounds">
        {operation.rounds.map((round, index) => (
          <Fragment key={round.call}>
            {index > 0 && (
              <span className={styles.arrow} aria-hidden="true">
                <ArrowRight size={16} />
              </span>
            )}
            <RoundCard round={round} current={round.call === current} nowSeconds={nowSeconds} onOpen={onOpen} />
          </Fragment>
        ))}
      </div>
    </div>
  )
}

function Summary({ operation }: { operation: Operation }) {
  const first = operation.rounds[0]?.record
  const backend = first?.route?.backend
  const refused = operation.rounds.filter((round) => round.refused !== null).length
  return (
    <div className={styles.summary}>
      <h2>
        <Visible text={first?.summary.target ?? first?.summary.method ?? 'operation'} />
      </h2>
      <span>
        {backend !== undefined && backend !== null && (
          <>
            on <Visible text={backend} /> ·{' '}
          </>
        )}
        {plural(operation.rounds.length - refused, 'round')}
        {refused === 0 ? '' : `, ${plural(refused, 'refused retry', 'refused retries')}`} ·{' '}
        {operation.complete && operation.duration !== null
          ? `complete in ${formatDuration(operation.duration)}, of which ${formatDuration(operation.waited)} waiting for the client`
          : operation.duration === null
            ? 'in flight'
            : 'waiting for the client'}
      </span>
      <span className={styles.checks}>
        <Check good={operation.echoed} yes="state echoed byte for byte" no="state changed on the way" />
        <Check good={operation.sameBackend} yes="same backend" no="another backend answered" />
      </span>
    </div>
  )
}

function Check({ good, yes, no }: { good: boolean | null; yes: string; no: string }) {
  if (good === null) return null
  return <span data-tone={good ? 'ok' : 'error'}>{good ? `✓ ${yes}` : `✕ ${no}`}</span>
}
