import { useEffect, useRef, useState, type FormEvent } from 'react'
import type { CommandError, NewBackend } from '../../shared/api/contract'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import { Segments } from '../controls/segments'
import { checkCommand, checkName, checkUrl, checkVariables } from './check-backend'
import { CommandFields, commandOf, EMPTY_COMMAND } from './command-fields'
import { TextField } from './form-field'
import styles from './add-backend.module.css'

interface AddBackendProps {
  names: readonly string[]
  adding: boolean
  error: CommandError | null
  onAdd: (name: string, backend: NewBackend) => void
  onCancel?: () => void
}

type Kind = 'http' | 'sse' | 'command'

/** A name, and a URL or a command. */
export function AddBackend({ names, adding, error, onAdd, onCancel }: AddBackendProps) {
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Kind>('http')
  const [url, setUrl] = useState('')
  const [command, setCommand] = useState(EMPTY_COMMAND)
  /** How often it was sent with something wrong in it. */
  const [tries, setTries] = useState(0)
  const tried = tries > 0
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [tries])
  const nameProblem = checkName(name, names)
  const urlProblem = checkUrl(url)
  const problems =
    kind === 'command' ? [checkCommand(command.command), checkVariables(command.variables)] : [urlProblem]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (nameProblem !== null || problems.some((problem) => problem !== null)) return setTries(tries + 1)
    onAdd(name.trim(), kind === 'command' ? commandOf(command) : { url: url.trim(), transport: kind })
  }
  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <Segments
        label="how it is reached"
        value={kind}
        options={[
          { value: 'http', label: 'URL' },
          { value: 'command', label: 'Command' },
          { value: 'sse', label: 'URL, old HTTP+SSE' },
        ]}
        onChange={setKind}
      />
      <TextField
        label="Name, part of its tools’ names on /mcp"
        value={name}
        placeholder="weather"
        problem={tried ? nameProblem : null}
        onChange={setName}
      />
      {kind === 'command' ? (
        <CommandFields draft={command} tried={tried} onChange={setCommand} />
      ) : (
        <TextField
          label={
            kind === 'http'
              ? 'URL of its Streamable HTTP endpoint; its era is found out'
              : 'URL of its event stream, as in 2024-11-05'
          }
          value={url}
          placeholder={kind === 'http' ? 'http://127.0.0.1:3000/mcp' : 'http://127.0.0.1:3000/sse'}
          problem={tried ? urlProblem : null}
          onChange={setUrl}
        />
      )}
      {error !== null && <Failure what="The backend could not be added." error={error} />}
      <div className={styles.actions}>
        <button type="submit" className={controls.primary} disabled={adding}>
          {adding ? 'Adding…' : 'Add backend'}
        </button>
        {onCancel !== undefined && (
          <button type="button" className={controls.button} onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  )
}
