import { useEffect, useRef, useState, type FormEvent } from 'react'
import type { CommandError } from '../../shared/api/contract'
import shell from '../shell/shell.module.css'
import controls from './controls.module.css'
import { Failure } from './failure'

interface TargetDialogProps {
  title: string
  /** Proposed name of the file. */
  name: string
  /** Words of the button. */
  action: string
  running: boolean
  error: CommandError | null
  onChoose: (path: string) => void
  onClose: () => void
}

/** Asks for the path of a file to write, where no dialog of the system does. */
export function TargetDialog({ title, name, action, running, error, onChoose, onClose }: TargetDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [path, setPath] = useState(name)
  useEffect(() => dialog.current?.showModal(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (path.trim() !== '') onChoose(path.trim())
  }
  return (
    <dialog ref={dialog} className={shell.adder} aria-labelledby="target-title" onClose={onClose}>
      <h2 id="target-title">{title}</h2>
      <form className={controls.stack} onSubmit={submit}>
        <label className={controls.field}>
          <span className={controls.fieldLabel}>
            Path on the machine on which Sluice runs; a relative one begins in the folder in which it was started
          </span>
          <input className={controls.input} value={path} onChange={(event) => setPath(event.target.value)} />
        </label>
        {error !== null && <Failure what="It was not written." error={error} />}
        <div className={controls.buttons}>
          <button type="submit" className={controls.primary} disabled={running || path.trim() === ''}>
            {action}
          </button>
          <button type="button" className={controls.button} onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  )
}
