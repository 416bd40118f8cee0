import { TriangleAlert, Undo2 } from 'lucide-react'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import { useFocusWhenLost } from '../controls/use-focus-when-lost'
import { Visible } from '../text/visible'
import { useChangeBackends } from './use-change-backends'
import styles from './change-notice.module.css'

/** What became of the last change of the backends, until it is dismissed. */
export function ChangeNotice() {
  const { notice, dismiss, restore } = useChangeBackends()
  if (notice === null) return null
  if (notice.kind === 'failed')
    return (
      <div className={styles.place}>
        <Failure what={notice.what} error={notice.error} onDismiss={dismiss} />
      </div>
    )
  const why = notice.kind === 'held' ? notice.why : notice.held
  return (
    <div className={styles.place}>
      <div className={styles.notice} role="status" data-testid="change-notice" data-held={why !== null || undefined}>
        {why !== null && <TriangleAlert size={14} aria-hidden />}
        {notice.kind === 'removed' && (
          <span>
            <b>
              <Visible text={notice.name} />
            </b>{' '}
            was removed.
          </span>
        )}
        {why !== null && (
          <span>
            The file is written, but not in force: <Visible text={why} />. Correct that in the file.
          </span>
        )}
        {notice.kind === 'removed' && <UndoButton onClick={() => restore(notice.undo)} />}
        <button type="button" className={controls.dismiss} aria-label="dismiss" onClick={dismiss}>
          ✕
        </button>
      </div>
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
