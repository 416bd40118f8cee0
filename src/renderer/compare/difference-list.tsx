import type { ExchangeComparison } from '../../shared/replay/compare-answers'
import { DifferenceItems } from '../replay/difference-items'
import { plural } from '../text/format'
import changes from '../controls/changes.module.css'
import page from '../controls/page.module.css'
import styles from './compare.module.css'

/** What differs in the answers of two backends, place by place. */
export function DifferenceList({ differences, more, ignored }: ExchangeComparison) {
  return (
    <section
      className={`${changes.changes ?? ''} ${styles.differences ?? ''}`}
      aria-label="differences"
      tabIndex={0}
      data-testid="compared-differences"
    >
      <p className={differences.length === 0 ? styles.equal : styles.unequal} role="status">
        {differences.length === 0
          ? `Both answers are the same${ignored === 0 ? '' : `, but for ${plural(ignored, 'difference')} that ${ignored === 1 ? 'does' : 'do'} not count`}.`
          : `${plural(differences.length + more, 'difference')} in the answers`}
      </p>
      {differences.length > 0 && (
        <ul>
          <DifferenceItems differences={differences} pathClass={styles.path} />
        </ul>
      )}
      {more > 0 && <p className={`${page.quiet ?? ''} ${styles.quiet ?? ''}`}>and {plural(more, 'more difference')}</p>}
    </section>
  )
}
