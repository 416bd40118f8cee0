import { TriangleAlert, Undo2 } from 'lucide-react'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import { useFocusWhenLost } from '../controls/use-focus-when-lost'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import { useChangeBackends } from './use-change-backends'
import styles from './change-notice.module.css'

/** What became of the last change of the backends, and what was removed, each until it is dismissed. */
export function ChangeNotice() {
  const { notice, removal, dismiss, restore, forget } = useChangeBackends()
  if (notice === null && removal === null) return null
  return (
    <div className={styles.place}>
      {notice?.kind === 'failed' && <Failure what={notice.what} error={notice.error} onDismiss={dismiss} />}
      {notice?.kind === 'held' && (
        <div className={styles.notice} role="status" data-testid="change-notice" data-held>
          <TriangleAlert size={14} aria-hidden />
          <span>
            The file is written, but not in force: <Visible text={notice.why} />. Correct that in the file.
          </span>
          <button type="button" className={controls.dismiss} aria-label="dismiss" onClick={dismiss}>
            ✕
          </button>
        </div>
      )}
      {removal !== null && (
        <div key={removal.undo} className={styles.notice} role="status" data-testid="change-notice">
          <span className={styles.removed} title={visibleString(removal.name)}>
            <b>
              <Visible text={removal.name} />
            </b>{' '}
            was removed.
          </span>
          <UndoButton onClick={() => restore(removal.undo)} />
          <button
            type="button"
            className={controls.dismiss}
            aria-label="dismiss"
            title="Dismiss: it cannot be put back then"
            onClick={() => forget(removal.undo)}
          >
            ✕
          </button>
        </div>
      )}
    </div>
  )
}

/** What it undoes may have had the focus. */
function UndoButton({ onClick }: { onClick: () => void }) {
  const button = useFocusWhenLost<HTMLButtonElement>()
  return (
    <button ref={button} type="button" className={controls.button} onClick={onClick}>
      <Undo2 size={13} aria-hidden /> Undo
    </button>
  )
}
