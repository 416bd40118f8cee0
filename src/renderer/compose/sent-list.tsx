import type { ComposedCall } from '../../shared/api/compose'
import { useRoving } from '../controls/use-roving'
import { Visible } from '../text/visible'
import { targetOf } from './draft'
import { readObject } from './params-text'
import styles from './compose.module.css'

interface SentListProps {
  calls: readonly ComposedCall[]
  shown: string | null
  onShow: (id: string) => void
}

const WORDS: Record<ComposedCall['state'], string> = {
  sending: 'under way',
  asking: 'asks',
  answered: 'answered',
  failed: 'failed',
  cancelled: 'cancelled',
}

/** What was sent in this run, newest first. */
export function SentList({ calls, shown, onShow }: SentListProps) {
  const roving = useRoving(
    calls.map(({ id }) => id),
    shown ?? undefined,
  )
  if (calls.length === 0) return <p className={styles.quiet}>Nothing was sent in this run yet.</p>
  return (
    <ul className={styles.picker} aria-label="sent requests" {...roving.list}>
      {calls.map(({ id, request, state }) => (
        <li key={id}>
          <button
            {...roving.item(id)}
            type="button"
            className={styles.entry}
            data-on={id === shown || undefined}
            aria-current={id === shown || undefined}
            data-testid="sent-request"
            onClick={() => onShow(id)}
          >
            <span className={styles.entryName}>
              <Visible text={targetOf(request.method, readObject(request.params).value) ?? request.method} />
            </span>
            <small data-state={state}>{WORDS[state]}</small>
          </button>
        </li>
      ))}
    </ul>
  )
}
