import { useEffect, useRef, useState } from 'react'
import type { ConfiguredBackend } from '../../shared/api/contract'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import { useCommand } from '../controls/use-command'
import shell from '../shell/shell.module.css'
import { useStatus } from '../stores/desk-context'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import styles from './backend-form.module.css'

interface RemoveBackendProps {
  name: string
  /** It was taken out; `undo` puts it back. */
  onRemoved: (removed: { undo: string; held: string | null }) => void
  /** Null when it is turned off already. */
  onTurnOff: (() => void) | null
  onClose: () => void
}

/** Asks once, and says what goes and what stays. */
export function RemoveBackendDialog({ name, onRemoved, onTurnOff, onClose }: RemoveBackendProps) {
  const configFile = useStatus((state) => state.status?.configFile ?? null)
  const dialog = useRef<HTMLDialogElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const { run: read } = useCommand('config.backend')
  const { run, running, error } = useCommand('config.removeBackend')
  const [entry, setEntry] = useState<ConfiguredBackend | null>(null)
  useEffect(() => {
    dialog.current?.showModal()
    button.current?.focus()
    // What is taken out is what was there when it was asked; an entry that cannot be read can go, too.
    void read({ name }).then((answer) => answer !== undefined && setEntry(answer))
  }, [read, name])
  const remove = async () => {
    const answer = await run({ name, ...(entry === null ? {} : { version: entry.version }) })
    if (answer !== undefined) onRemoved(answer)
  }
  return (
    <dialog
      ref={dialog}
      className={`${shell.adder ?? ''} ${styles.remove ?? ''}`}
      aria-labelledby="remove-title"
      aria-describedby="remove-about"
      onClose={onClose}
    >
      <h2 id="remove-title" title={visibleString(name)}>
        Remove <Visible text={name} />?
      </h2>
      <div className={controls.stack}>
        <ul id="remove-about" className={styles.consequences}>
          <li>
            Its entry is taken out of{' '}
            <code>
              <Visible text={entry?.file ?? configFile ?? 'the configuration'} />
            </code>
            ; the rest of the file stays as it is.
          </li>
          <li>Calls under way go on to their end. New ones are refused, and its tools are gone from /mcp.</li>
          <li>What was recorded of it stays.</li>
          <li>It can be undone, until the notice that says so is dismissed or this desk is closed.</li>
        </ul>
        {error !== null && <Failure what="It was not removed." error={error} />}
        <div className={controls.buttons}>
          <button
            ref={button}
            type="button"
            className={controls.primary}
            disabled={running}
            onClick={() => void remove()}
          >
            {running ? 'Removing…' : 'Remove'}
          </button>
          {onTurnOff !== null && (
            <button type="button" className={controls.button} disabled={running} onClick={onTurnOff}>
              Turn off instead
            </button>
          )}
          <button type="button" className={controls.button} onClick={onClose}>
            Cancel
          </button>
        </div>
      </div>
    </dialog>
  )
}
