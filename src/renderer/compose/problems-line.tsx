import { plural } from '../text/format'
import styles from './schema-form.module.css'

/** How much is wrong in a form, and the way to the first of it. */
export function ProblemsLine({ count, onGo }: { count: number; onGo: () => void }) {
  if (count === 0) return null
  return (
    <p className={styles.problems} data-testid="problems">
      {plural(count, 'problem')} ·{' '}
      <button type="button" className={styles.go} onClick={onGo}>
        go to the first
      </button>
    </p>
  )
}
