import { useEffect, useRef, useState } from 'react'
import type { ConfiguredBackend } from '../../shared/api/contract'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import { useCommand } from '../controls/use-command'
import shell from '../shell/shell.module.css'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import { StartNote } from './what-is-written'
import styles from './backend-form.module.css'

interface TurnOnProps {
  /** The entry of a program, as it was just read. */
  configured: ConfiguredBackend
  /** It was turned on; why that is not in force, if it is not. */
  onTurnedOn: (held: string | null) => void
  onClose: () => void
}

/** Shows what turning a backend on starts, before it is started. What is started is what was shown. */
export function TurnOnDialog({ configured, onTurnedOn, onClose }: TurnOnProps) {
  const { name } = configured
  const dialog = useRef<HTMLDialogElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const { run, running, error, clearError } = useCommand('config.turnBackend')
  const { run: readAgain } = useCommand('config.backend')
  const [shown, setShown] = useState(configured)
  useEffect(() => {
    dialog.current?.showModal()
    button.current?.focus()
  }, [])
  const turnOn = async () => {
    const answer = await run({ name, on: true, version: shown.version })
    if (answer !== undefined) onTurnedOn(answer.held)
  }
  const read = async () => {
    const answer = await readAgain({ name })
    if (answer === undefined) return
    setShown(answer)
    clearError()
  }
  return (
    <dialog
      ref={dialog}
      className={`${shell.adder ?? ''} ${styles.remove ?? ''}`}
      aria-labelledby="turn-on-title"
      data-testid="turn-on"
      onClose={onClose}
    >
      <h2 id="turn-on-title" title={visibleString(name)}>
        Turn on <Visible text={name} />?
      </h2>
      <div className={controls.stack}>
        <StartNote entry={shown.entry} />
        <p className={styles.note}>
          As it stands in <Visible text={shown.file} />
        </p>
        {error !== null && (
          <Failure what="It was not turned on." error={error} onRetry={() => void read()} retry="Read it again" />
        )}
        <div className={controls.buttons}>
          <button
            ref={button}
            type="button"
            className={controls.primary}
            disabled={running}
            onClick={() => void turnOn()}
          >
            {running ? 'Turning on…' : 'Turn on and start'}
          </button>
          <button type="button" className={controls.button} onClick={onClose}>
            Cancel
          </button>
        </div>
      </div>
    </dialog>
  )
}
