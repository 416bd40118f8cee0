import { useEffect, useRef, useState, type FormEvent } from 'react'
import type { OpenedCaptureStatus } from '../../shared/api/contract'
import { checkName } from '../backends/check-backend'
import { TextField } from '../backends/form-field'
import { useTakenNames } from '../backends/use-change-backends'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import { useCommand } from '../controls/use-command'
import shell from '../shell/shell.module.css'
import { useDesk } from '../stores/desk-context'
import { freeName } from './free-name'
import styles from './captures.module.css'

/** Makes a backend of a capture, which answers as the recorded server did. */
export function UseAsBackend({ capture, onClose }: { capture: OpenedCaptureStatus; onClose: () => void }) {
  const desk = useDesk()
  const taken = useTakenNames()
  const { run, running, error } = useCommand('replay.addBackend')
  const dialog = useRef<HTMLDialogElement>(null)
  const [recorded, setRecorded] = useState(capture.backends[0] ?? '')
  const [name, setName] = useState(() => freeName(capture.backends[0] ?? 'replayed', taken))
  const [tried, setTried] = useState(false)
  const problem = checkName(name, taken)
  useEffect(() => dialog.current?.showModal(), [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (problem !== null) return
    const backend = recorded === '' ? {} : { backend: recorded }
    const answer = await run({ capture: capture.id, name: name.trim(), ...backend })
    if (answer === undefined) return
    await desk.refreshStatus()
    onClose()
    desk.captures.show(null)
    desk.selection.setState({ backend: answer.added })
  }
  return (
    <dialog ref={dialog} className={shell.adder} aria-labelledby="mock-title" onClose={onClose}>
      <h2 id="mock-title">Use this capture as a backend</h2>
      <form className={controls.stack} onSubmit={(event) => void submit(event)} noValidate>
        <p className={styles.quiet}>
          It answers as the recorded server did: the same answers, frames and silences, for clients of either era. It
          stands beside the live one, so that both can be called and compared.
        </p>
        {capture.backends.length > 1 && (
          <label className={controls.field}>
            <span className={controls.fieldLabel}>Which backend of the capture</span>
            <select className={controls.input} value={recorded} onChange={(event) => setRecorded(event.target.value)}>
              {capture.backends.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </label>
        )}
        <TextField
          label="Name of the new backend"
          value={name}
          placeholder="replayed"
          problem={tried ? problem : null}
          onChange={setName}
        />
        {error !== null && <Failure what="The backend could not be added." error={error} />}
        <div className={controls.buttons}>
          <button type="submit" className={controls.primary} disabled={running}>
            {running ? 'Adding…' : 'Add backend'}
          </button>
          <button type="button" className={controls.button} onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  )
}
