import { useCallback, useEffect, useRef, useState } from 'react'
import type { ConfiguredBackend } from '../../shared/api/contract'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import page from '../controls/page.module.css'
import { useCommand } from '../controls/use-command'
import shell from '../shell/shell.module.css'
import { useDesk } from '../stores/desk-context'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import { BackendForm, type SubmittedBackend } from './backend-form'
import { useChangeBackends, useTakenNames } from './use-change-backends'
import styles from './backend-form.module.css'

/** The entry of a backend, to be changed. */
export function EditBackendDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const desk = useDesk()
  const { written } = useChangeBackends()
  const dialog = useRef<HTMLDialogElement>(null)
  const { run: readEntry, error: readError } = useCommand('config.backend')
  const write = useCommand('config.editBackend')
  const { run: readAgain } = useCommand('config.backend')
  const [edited, setEdited] = useState<ConfiguredBackend | null>(null)
  /** The entry was another one when it was to be saved, and can be read. */
  const [outdated, setOutdated] = useState(false)
  const names = useTakenNames().filter((each) => each !== name)
  useEffect(() => dialog.current?.showModal(), [])
  const read = useCallback(async () => {
    const answer = await readEntry({ name })
    if (answer !== undefined) setEdited(answer)
  }, [readEntry, name])
  useEffect(() => void read(), [read])
  const { clearError } = write
  const reload = async () => {
    const answer = await readAgain({ name })
    setOutdated(false)
    // What was typed stays when the entry is gone.
    if (answer === undefined) return
    setEdited(answer)
    clearError()
  }
  const save = async ({ name: newName, entry, changed }: SubmittedBackend) => {
    if (edited === null || !changed) return onClose()
    const answer = await write.run({ name, newName, entry, version: edited.version })
    if (answer === undefined) {
      const now = await readAgain({ name })
      setOutdated(now !== undefined && now.version !== edited.version)
      return
    }
    await desk.refreshStatus()
    if (desk.selection.getState().backend === name) desk.selection.setState({ backend: answer.name })
    written(answer.held)
    onClose()
  }
  return (
    <dialog
      ref={dialog}
      className={`${shell.adder ?? ''} ${styles.edit ?? ''}`}
      aria-labelledby="edit-title"
      data-testid="edit-backend"
      onClose={onClose}
    >
      <div className={styles.dialogHead}>
        <h2 id="edit-title" title={visibleString(name)}>
          Edit <Visible text={name} />
        </h2>
        <button type="button" className={controls.icon} aria-label="close" onClick={onClose}>
          ✕
        </button>
      </div>
      {readError !== null && (
        <Failure what="Its entry could not be read." error={readError} onRetry={() => void read()} />
      )}
      {edited === null && readError === null && <p className={page.quiet}>Reading its entry…</p>}
      {edited !== null && (
        <BackendForm
          key={edited.version}
          names={names}
          edited={edited}
          file={edited.file}
          busy={write.running}
          error={write.error}
          onSubmit={(submitted) => void save(submitted)}
          onCancel={onClose}
          {...(outdated ? { onReload: () => void reload() } : {})}
        />
      )}
    </dialog>
  )
}
