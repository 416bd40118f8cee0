import { useEffect, useRef, useState } from 'react'
import type { NewBackend } from '../../shared/api/contract'
import controls from '../controls/controls.module.css'
import { Segments } from '../controls/segments'
import { useCommand } from '../controls/use-command'
import shell from '../shell/shell.module.css'
import { useDesk, useStatus } from '../stores/desk-context'
import { AddBackend } from './add-backend'
import { ImportBackends } from './import-backends'
import styles from './add-backend.module.css'

/** The form with its command. */
export function AddBackendForm({ onClose }: { onClose?: () => void }) {
  const desk = useDesk()
  const backends = useStatus((state) => state.status?.backends)
  const { run, running, error } = useCommand('config.addBackend')
  const add = async (name: string, backend: NewBackend) => {
    const answer = await run({ name, ...backend })
    if (answer === undefined) return
    await desk.refreshStatus()
    desk.selection.setState({ backend: answer.added })
    onClose?.()
  }
  return (
    <AddBackend
      names={backends?.map((backend) => backend.name) ?? []}
      adding={running}
      error={error}
      onAdd={(name, backend) => void add(name, backend)}
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
