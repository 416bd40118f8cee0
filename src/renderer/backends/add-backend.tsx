import { useId, useState, type FormEvent } from 'react'
import type { CommandError } from '../../shared/api/contract'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import { checkBackend } from './check-backend'
import styles from './add-backend.module.css'

interface AddBackendProps {
  names: readonly string[]
  adding: boolean
  error: CommandError | null
  onAdd: (name: string, url: string) => void
  onCancel?: () => void
}

/** A name and a URL: what a backend over HTTP needs. */
export function AddBackend({ names, adding, error, onAdd, onCancel }: AddBackendProps) {
  const nameId = useId()
  const urlId = useId()
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [tried, setTried] = useState(false)
  const problems = checkBackend(name, url, names)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (problems.name === null && problems.url === null) onAdd(name.trim(), url.trim())
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={controls.field}>
        <label className={controls.fieldLabel} htmlFor={nameId}>
          Name, part of its tools’ names on /mcp
        </label>
        <input
          id={nameId}
          className={controls.input}
          value={name}
          placeholder="weather"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={tried && problems.name !== null}
          aria-describedby={tried && problems.name !== null ? `${nameId}-problem` : undefined}
          onChange={(event) => setName(event.target.value)}
        />
        {tried && problems.name !== null && (
          <span id={`${nameId}-problem`} className={styles.problem}>
            {problems.name}
          </span>
        )}
      </div>
      <div className={controls.field}>
        <label className={controls.fieldLabel} htmlFor={urlId}>
          URL of its Streamable HTTP endpoint
        </label>
        <input
          id={urlId}
          className={controls.input}
          value={url}
          placeholder="http://127.0.0.1:3000/mcp"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={tried && problems.url !== null}
          aria-describedby={tried && problems.url !== null ? `${urlId}-problem` : undefined}
          onChange={(event) => setUrl(event.target.value)}
        />
        {tried && problems.url !== null && (
          <span id={`${urlId}-problem`} className={styles.problem}>
            {problems.url}
          </span>
        )}
      </div>
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
