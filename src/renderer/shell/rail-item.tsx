import type { ReactNode } from 'react'
import { visibleString } from '../text/visible-text'
import type { TourPlace } from '../tour/tour-steps'
import styles from './shell.module.css'

interface RailItemProps {
  /** A sign of at most 12 pixels. */
  sign?: ReactNode
  name: ReactNode
  /** A few words at its end. */
  words?: string
  /** Is what is looked at. */
  on?: boolean
  /** May hold text of servers or files. */
  title?: string
  testId?: string
  backend?: string
  /** What the tour calls it. */
  tour?: TourPlace
  /** Set when it folds what is below it. */
  expanded?: boolean
  /** Belongs to the item above. */
  nested?: boolean
  /** Brighter than its kin: a name that somebody gave. */
  named?: boolean
  onClick: () => void
}

/** Characters of words that a narrow rail still has room for. */
const MOST_IN_NARROW = 4

/** One thing in the rail that can be gone to, or done. */
export function RailItem(props: RailItemProps) {
  const { sign, name, words = '', on = false, title, testId, backend, tour, expanded, nested, named, onClick } = props
  return (
    <button
      type="button"
      className={styles.item}
      data-on={on || undefined}
      aria-current={on || undefined}
      aria-expanded={expanded}
      data-nested={nested}
      data-testid={testId}
      data-backend={backend}
      data-tour={tour}
      title={title === undefined ? undefined : visibleString(title)}
      onClick={onClick}
    >
      {sign}
      <span className={styles.itemName} data-named={named}>
        {name}
      </span>
      {words !== '' && <small data-long={words.length > MOST_IN_NARROW || undefined}>{words}</small>}
    </button>
  )
}
