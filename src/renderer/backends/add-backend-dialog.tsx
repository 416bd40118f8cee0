import { useEffect, useRef, useState } from 'react'
import controls from '../controls/controls.module.css'
import { Segments } from '../controls/segments'
import { useCommand } from '../controls/use-command'
import shell from '../shell/shell.module.css'
import { useDesk, useStatus } from '../stores/desk-context'
import { BackendForm, type SubmittedBackend } from './backend-form'
import { useChangeBackends, useTakenNames } from './use-change-backends'
import { ImportBackends } from './import-backends'
import styles from './backend-form.module.css'

/** The form with its command. */
export function AddBackendForm({ onClose }: { onClose?: () => void }) {
  const desk = useDesk()
  const file = useStatus((state) => state.status?.configFile ?? null)
  const { written } = useChangeBackends()
  const { run, running, error } = useCommand('config.addBackend')
  const add = async ({ name, entry }: SubmittedBackend) => {
    const answer = await run({ name, entry })
    if (answer === undefined) return
    await desk.refreshStatus()
    desk.selection.setState({ backend: answer.added })
    written(answer.held)
    onClose?.()
  }
  return (
    <BackendForm
      names={useTakenNames()}
      edited={null}
      file={file}
      busy={running}
      error={error}
      onSubmit={(submitted) => void add(submitted)}
      {...(onClose === undefined ? {} : { onCancel: onClose })}
    />
  )
}

/** Adds backends by hand, or out of the configuration of another tool. */
export function AddBackendDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [way, setWay] = useState<'form' | 'import'>('form')
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      className={shell.adder}
      data-wide={way === 'import' || undefined}
      aria-labelledby="adder-title"
      onClose={onClose}
    >
      <div className={styles.dialogHead}>
        <h2 id="adder-title">Add a backend</h2>
        <Segments
          label="how to add it"
          value={way}
          options={[
            { value: 'form', label: 'by hand' },
            { value: 'import', label: 'from another tool' },
          ]}
          onChange={setWay}
        />
        <button type="button" className={controls.icon} aria-label="close" onClick={onClose}>
          ✕
        </button>
      </div>
      {way === 'form' ? <AddBackendForm onClose={onClose} /> : <ImportBackends />}
    </dialog>
  )
}
