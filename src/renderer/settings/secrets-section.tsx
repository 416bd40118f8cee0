import { KeyRound, TriangleAlert } from 'lucide-react'
import { useEffect, useId, useRef, useState, type SubmitEvent } from 'react'
import type { SecretsStatus, SecretStatus } from '../../shared/api/secrets'
import { SECRET_NAME } from '../../shared/config/environment'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import { useCommand } from '../controls/use-command'
import { useStatus } from '../stores/desk-context'
import { Visible } from '../text/visible'
import styles from './secrets-section.module.css'
import shared from './settings.module.css'

/** Secrets that backends are given by name. A value goes in here, and never comes back. */
export function SecretsSection() {
  const read = useCommand('secrets.list')
  const set = useCommand('secrets.set')
  const remove = useCommand('secrets.remove')
  const waiting = useStatus((state) => state.status?.waiting.length ?? 0)
  const [state, setState] = useState<SecretsStatus | null>(null)
  const [name, setName] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const { run } = read
  useEffect(() => {
    void run({}).then((found) => found !== undefined && setState(found))
  }, [run, waiting])
  const take = (found: SecretsStatus | undefined): boolean => {
    if (found !== undefined) setState(found)
    return found !== undefined
  }
  const failed = [set, remove, read].find(({ error }) => error !== null)
  return (
    <section className={shared.section} aria-labelledby="settings-secrets" data-testid="secrets">
      <header>
        <h3 id="settings-secrets">Secrets</h3>
        <p>
          Written <code>{'${secret:NAME}'}</code> in <code>headers</code>, <code>env</code> and <code>args</code> of a
          backend. The file has the name; the value is shown nowhere and redacted in captures.
        </p>
      </header>
      {failed?.error !== undefined && failed.error !== null && (
        <Failure
          what={failed === read ? 'The secrets could not be read.' : 'The secret was not changed.'}
          error={failed.error}
          onDismiss={failed.clearError}
        />
      )}
      {state !== null && <Protection state={state} />}
      {state !== null && (
        <ul aria-label="secrets">
          {state.secrets.map((secret) => (
            <SecretRow
              key={secret.name}
              secret={secret}
              settable={state.protection !== 'none'}
              busy={remove.running || set.running}
              onReplace={() => {
                setName(secret.name)
                field.current?.focus()
              }}
              onRemove={() => void remove.run({ name: secret.name }).then(take)}
            />
          ))}
        </ul>
      )}
      {state !== null && state.protection !== 'none' && (
        <NewSecret
          name={name}
          onName={setName}
          valueField={field}
          busy={set.running}
          known={state.secrets.some((secret) => secret.name === name && secret.changedAt !== null)}
          onSet={async (value) => {
            const done = take(await set.run({ name, value }))
            if (done) setName('')
            return done
          }}
        />
      )}
    </section>
  )
}

function Protection({ state: { protection, keeper, file, problem, secrets } }: { state: SecretsStatus }) {
  if (problem !== null)
    return (
      <p className={styles.warning} role="alert">
        <TriangleAlert size={13} aria-hidden /> <Visible text={problem} />
      </p>
    )
  if (protection === 'system')
    return (
      <p className={styles.kept}>
        {secrets.length === 0 ? 'None yet. They are' : 'They are'} encrypted in <Visible text={file} />; the key is kept
        by <Visible text={keeper ?? ''} />.
      </p>
    )
  return (
    <p className={styles.warning} data-protection={protection}>
      <TriangleAlert size={13} aria-hidden />
      {protection === 'weak' ? (
        <span>
          <strong>Not really protected:</strong> this desktop has no keychain (no libsecret, no KWallet), so the key is
          one that everybody knows. Whoever can read <Visible text={file} /> can read the secrets.
        </span>
      ) : (
        <span>
          Secrets can be set and used in the desktop application only, where the system keeps their key. Here, write{' '}
          <code>{'${NAME}'}</code> and set that environment variable.
        </span>
      )}
    </p>
  )
}

interface SecretRowProps {
  secret: SecretStatus
  settable: boolean
  busy: boolean
  onReplace: () => void
  onRemove: () => void
}

function SecretRow({ secret, settable, busy, onReplace, onRemove }: SecretRowProps) {
  const { name, changedAt, readable, usedBy } = secret
  const [sure, setSure] = useState(false)
  const missing = changedAt === null
  const words = missing ? 'not set' : readable || !settable ? `set ${changedAt.slice(0, 10)}` : 'cannot be decrypted'
  return (
    <li className={styles.secret} data-testid="secret" data-secret={name}>
      <KeyRound size={12} aria-hidden />
      <code>
        <Visible text={name} />
      </code>
      <span className={missing || (settable && !readable) ? styles.bad : styles.dim}>{words}</span>
      <span className={styles.used}>
        {usedBy.length === 0 ? 'not used' : <Visible text={`used by ${usedBy.join(', ')}`} />}
      </span>
      {settable && (
        <button type="button" className={controls.link} aria-label={`set ${name}`} onClick={onReplace}>
          {missing ? 'set' : 'replace'}
        </button>
      )}
      {!missing && (
        <button
          type="button"
          className={controls.link}
          disabled={busy}
          aria-label={sure ? `remove ${name} for good` : `remove ${name}`}
          onBlur={() => setSure(false)}
          onClick={() => (sure ? onRemove() : setSure(true))}
        >
          {sure ? 'really?' : 'remove'}
        </button>
      )}
    </li>
  )
}

interface NewSecretProps {
  name: string
  known: boolean
  busy: boolean
  valueField: React.RefObject<HTMLInputElement | null>
  onName: (name: string) => void
  /** Answers whether it was kept. */
  onSet: (value: string) => Promise<boolean>
}

function NewSecret({ name, known, busy, valueField, onName, onSet }: NewSecretProps) {
  const id = useId()
  const [value, setValue] = useState('')
  const wrong = name !== '' && !SECRET_NAME.test(name)
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (name === '' || value === '' || wrong) return
    void onSet(value).then((done) => done && setValue(''))
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <label htmlFor={`${id}-name`}>name</label>
      <input
        id={`${id}-name`}
        className={controls.input}
        value={name}
        placeholder="GITHUB_TOKEN"
        spellCheck={false}
        autoComplete="off"
        aria-invalid={wrong}
        aria-describedby={wrong ? `${id}-wrong` : undefined}
        onChange={(event) => onName(event.target.value)}
      />
      <label htmlFor={`${id}-value`}>value</label>
      <input
        id={`${id}-value`}
        ref={valueField}
        className={controls.input}
        type="password"
        value={value}
        spellCheck={false}
        autoComplete="new-password"
        onChange={(event) => setValue(event.target.value)}
      />
      <button type="submit" className={controls.button} disabled={busy || name === '' || value === '' || wrong}>
        {known ? 'Replace' : 'Keep'}
      </button>
      {wrong && (
        <span id={`${id}-wrong`} className={styles.bad} role="alert">
          letters, digits, “_”, “.” and “-”, with a letter or “_” first
        </span>
      )}
    </form>
  )
}
