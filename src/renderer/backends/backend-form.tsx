import { lazy, Suspense, useEffect, useId, useRef, useState, type FormEvent } from 'react'
import type { CommandError, ConfiguredBackend, FieldProblem } from '../../shared/api/contract'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import { Segments } from '../controls/segments'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import { kindOf, unshownMembers, type BackendDraft } from './backend-draft'
import { checkCommand, checkFile, checkHeaders, checkName, checkUrl, checkVariables } from './check-backend'
import { CommandFields } from './command-fields'
import { asFields, asJson, currentEntry, editedEntry } from './edited-entry'
import { entryChanges } from './entry-changes'
import { fieldProblems, problemWords, type FieldProblems } from './field-problems'
import { TextField } from './form-field'
import { NamedValues } from './named-values'
import type { ReadEntry } from './read-entry'
import { StartNote, startsProgram, WhatIsWritten } from './what-is-written'
import styles from './backend-form.module.css'

/** Read when it is needed first: it is large. */
const JsonEditor = lazy(async () => ({ default: (await import('../compose/json-editor')).JsonEditor }))

export interface SubmittedBackend {
  name: string
  /** The entry as JSON text. */
  entry: string
  /** Something is another than before. */
  changed: boolean
}

interface BackendFormProps {
  /** Names of other backends. */
  names: readonly string[]
  /** What is edited; null when one is added. */
  edited: ConfiguredBackend | null
  /** The configuration. */
  file: string | null
  busy: boolean
  error: CommandError | null
  onSubmit: (submitted: SubmittedBackend) => void
  onCancel?: () => void
  /** Reads what is edited again, which is another one by now; what was typed is lost. */
  onReload?: () => void
}

const FIELDS = ['url', 'headers', 'command', 'args', 'env', 'cwd', 'file']
const NOTHING: JsonObject = {}

/** A name, and how the backend is reached: in fields, or the entry as JSON. Adds a backend or edits one. */
export function BackendForm(props: BackendFormProps) {
  const { names, edited, file, busy, error, onSubmit, onCancel, onReload } = props
  const before = edited?.entry ?? NOTHING
  const [name, setName] = useState(edited?.name ?? '')
  /** The name that came with what was pasted. */
  const [pastedName, setPastedName] = useState<string | null>(null)
  const [current, setCurrent] = useState(() => editedEntry(edited?.name ?? '', edited?.entry ?? null))
  /** How often it was sent with something wrong in it. */
  const [tries, setTries] = useState(0)
  const tried = tries > 0
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (tries > 0 || error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [tries, error])

  const { draft, base, text, unshowable } = current
  const read = currentEntry(current)
  const { entry, problem: textProblem } = read
  const problems = fieldProblems(error)
  const nameProblem = checkName(name, names)
  // What main says of the entry as a whole is about the new name, if there is one.
  const renamed = edited !== null && name.trim() !== edited.name
  const ofName = renamed || edited === null ? problems.others([]).find(({ at }) => at.length === 2) : undefined
  const wrong = draft !== undefined && text === null ? draftProblems(draft) : [textProblem]
  const isWrong = nameProblem !== null || wrong.some((problem) => problem !== null)
  const changes = entry === null ? [] : entryChanges(before, entry)
  const changed = edited === null || renamed || changes.length > 0

  const setDraft = (draft: BackendDraft) => setCurrent({ ...current, draft })
  const setText = (text: string) => {
    const next = { ...current, text }
    setCurrent(next)
    const { name: named } = currentEntry(next)
    if (edited !== null || named === null || (name.trim() !== '' && name !== pastedName)) return
    setName(named)
    setPastedName(named)
  }
  const showAs = (as: 'fields' | 'json') => setCurrent(as === 'json' ? asJson(current) : asFields(name, current))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isWrong || entry === null) return setTries(tries + 1)
    onSubmit({ name: name.trim(), entry: read.source, changed })
  }
  const starts = entry !== null && !isWrong && startsProgram(entry, edited === null || renamed, changes)
  const others = problems.others(text === null ? FIELDS : []).filter((one) => one !== ofName)
  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.ways}>
        {draft !== undefined && text === null ? (
          <Segments
            label="how it is reached"
            value={draft.kind}
            options={[
              { value: 'http', label: 'URL' },
              { value: 'command', label: 'Command' },
              { value: 'sse', label: 'URL, old HTTP+SSE' },
              ...(draft.kind === 'replay' || kindOf(base) === 'replay'
                ? [{ value: 'replay' as const, label: 'Capture' }]
                : []),
            ]}
            onChange={(kind) => setDraft({ ...draft, kind })}
          />
        ) : (
          <span className={styles.note}>Its entry in the configuration</span>
        )}
        <Segments
          label="show the entry as"
          value={text === null ? 'fields' : 'json'}
          options={[
            { value: 'fields', label: 'Fields' },
            { value: 'json', label: 'JSON' },
          ]}
          onChange={showAs}
        />
      </div>
      <TextField
        label="Name, part of its tools’ names on /mcp"
        value={name}
        placeholder="weather"
        problem={
          (tried || name === pastedName ? nameProblem : null) ?? (ofName === undefined ? null : problemWords(ofName))
        }
        onChange={setName}
      />
      {draft !== undefined && text === null ? (
        <Fields draft={draft} entry={entry ?? base} tried={tried} problems={problems} onChange={setDraft} />
      ) : (
        <EntryText
          text={text ?? ''}
          read={read}
          tried={tried}
          isNew={edited === null}
          unshowable={unshowable}
          onChange={setText}
        />
      )}
      {JSON.stringify(entry)?.includes('«kept ') === true && (
        <p className={styles.note}>
          Marks such as <code>«kept 1»</code> stand for values that are written in the file and not shown. They stay,
          unless you write over them.
        </p>
      )}
      {entry !== null && (edited !== null || !isWrong) && (
        <WhatIsWritten file={file} from={edited?.name ?? null} to={name.trim()} changes={changes} />
      )}
      {edited?.off === true && changed && <p className={styles.note}>It is turned off: nothing is started.</p>}
      {error !== null && (
        <Failure
          what={edited === null ? 'The backend could not be added.' : 'Nothing was written.'}
          error={shownError(error, others)}
          {...(onReload === undefined ? {} : { onRetry: onReload, retry: 'Read it again' })}
        />
      )}
      {others.length > 1 && (
        <ul className={styles.problems}>
          {others.slice(1).map((problem, index) => (
            <li key={index}>{problemWords(problem)}</li>
          ))}
        </ul>
      )}
      <div className={styles.actions}>
        {starts && entry !== null && <StartNote entry={entry} />}
        <button type="submit" className={controls.primary} disabled={busy}>
          {edited === null ? (busy ? 'Adding…' : 'Add backend') : busy ? 'Saving…' : starts ? 'Save and start' : 'Save'}
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

/** The first of what no field tells; the rest follows as a list. */
function shownError(error: CommandError, [first]: readonly FieldProblem[]): CommandError {
  if (error.problems === undefined) return error
  return { code: error.code, message: first === undefined ? 'What is wrong stands at its field.' : problemWords(first) }
}

interface FieldsProps {
  draft: BackendDraft
  entry: JsonObject
  tried: boolean
  problems: FieldProblems
  onChange: (draft: BackendDraft) => void
}

function Fields({ draft, entry, tried, problems, onChange }: FieldsProps) {
  const { kind } = draft
  const change = (change: Partial<BackendDraft>) => onChange({ ...draft, ...change })
  const unshown = unshownMembers(entry)
  return (
    <>
      {kind === 'command' ? (
        <CommandFields
          draft={draft.command}
          tried={tried}
          problems={problems}
          onChange={(command) => change({ command })}
        />
      ) : kind === 'replay' ? (
        <TextField
          label="Capture file; a relative path begins in the folder of the configuration"
          value={draft.file}
          placeholder="friday.ndjson"
          problem={(tried ? checkFile(draft.file) : null) ?? problems.of('file')}
          onChange={(file) => change({ file })}
        />
      ) : (
        <>
          <TextField
            label={
              kind === 'http'
                ? 'URL of its Streamable HTTP endpoint; its era is found out'
                : 'URL of its event stream, as in 2024-11-05'
            }
            value={draft.url}
            placeholder={kind === 'http' ? 'http://127.0.0.1:3000/mcp' : 'http://127.0.0.1:3000/sse'}
            problem={(tried ? checkUrl(draft.url) : null) ?? problems.of('url')}
            onChange={(url) => change({ url })}
          />
          <NamedValues
            legend={
              <>
                Header fields sent with every request; <code>{'${NAME}'}</code> takes the value from the environment
              </>
            }
            noun="header field"
            values={draft.headers}
            namePlaceholder="Authorization"
            valuePlaceholder="Bearer ${TOKEN}"
            problem={(tried ? checkHeaders(draft.headers) : null) ?? problems.of('headers')}
            onChange={(headers) => change({ headers })}
          />
        </>
      )}
      {unshown.length > 0 && (
        <p className={styles.note}>
          Kept as they are, and edited as JSON: <Visible text={unshown.join(', ')} />
        </p>
      )}
    </>
  )
}

interface EntryTextProps {
  text: string
  read: ReadEntry
  /** It was sent with something wrong in it. */
  tried: boolean
  isNew: boolean
  /** The fields cannot show what it has. */
  unshowable: boolean
  onChange: (text: string) => void
}

function EntryText({ text, read, tried, isNew, unshowable, onChange }: EntryTextProps) {
  const id = useId()
  // That nothing was pasted yet is no fault.
  const wrong = read.entry === null && (tried || text.trim() !== '')
  return (
    <div className={controls.field}>
      <div className={styles.entry} aria-invalid={wrong} aria-describedby={id}>
        <Suspense fallback={null}>
          <JsonEditor value={text} label="entry of the backend" onChange={onChange} />
        </Suspense>
      </div>
      <span id={id} className={wrong ? styles.problem : styles.note} role="status">
        {wordsOf(read, isNew, unshowable)}
      </span>
    </div>
  )
}

function wordsOf(read: ReadEntry, isNew: boolean, unshowable: boolean): string {
  if (read.entry === null)
    return read.several && isNew ? `${read.problem} “from another tool” adds several at once.` : read.problem
  if (read.name !== null) {
    const name = visibleString(read.name)
    return isNew ? `Taken: the entry of “${name}”.` : `The entry of “${name}” is taken; the name stays.`
  }
  return unshowable ? 'The fields cannot show this entry: it is edited as JSON.' : ''
}

function draftProblems({ kind, url, headers, command, file }: BackendDraft): (string | null)[] {
  if (kind === 'command') return [checkCommand(command.command), checkVariables(command.variables)]
  return kind === 'replay' ? [checkFile(file)] : [checkUrl(url), checkHeaders(headers)]
}
