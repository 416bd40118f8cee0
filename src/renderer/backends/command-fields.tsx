import { Plus, X } from 'lucide-react'
import type { NewCommandBackend } from '../../shared/api/contract'
import controls from '../controls/controls.module.css'
import { checkCommand, checkVariables, wordsOf, type Variable } from './check-backend'
import { TextField } from './form-field'
import styles from './add-backend.module.css'

/** A command as it is edited. */
export interface CommandDraft {
  command: string
  args: string[]
  variables: Variable[]
  cwd: string
}

export const EMPTY_COMMAND: CommandDraft = { command: '', args: [], variables: [], cwd: '' }

export function commandOf({ command, args, variables, cwd }: CommandDraft): NewCommandBackend {
  const named = variables.filter(({ name }) => name.trim() !== '')
  return {
    command: command.trim(),
    args,
    env: Object.fromEntries(named.map(({ name, value }) => [name.trim(), value])),
    ...(cwd.trim() === '' ? {} : { cwd: cwd.trim() }),
  }
}

interface CommandFieldsProps {
  draft: CommandDraft
  /** Problems are shown once one has tried to add it. */
  tried: boolean
  onChange: (draft: CommandDraft) => void
}

/** A program, its arguments one by one, its environment and its folder. */
export function CommandFields({ draft, tried, onChange }: CommandFieldsProps) {
  const { command, args, variables, cwd } = draft
  const words = wordsOf(command)
  const split = words.length > 1 && args.length === 0
  const change = (change: Partial<CommandDraft>) => onChange({ ...draft, ...change })
  const variableProblem = tried ? checkVariables(variables) : null
  return (
    <>
      <TextField
        label="Command: a program, without a shell"
        value={command}
        placeholder="npx"
        problem={tried ? checkCommand(command) : null}
        onChange={(value) => change({ command: value })}
        note={
          split && (
            <span className={styles.note}>
              This is taken as the name of one program.{' '}
              <button
                type="button"
                className={controls.link}
                onClick={() => change({ command: words[0] ?? '', args: words.slice(1) })}
              >
                Make {words.length - 1} of its words arguments
              </button>
            </span>
          )
        }
      />
      <fieldset className={styles.rows}>
        <legend>Arguments, one a line as they are given to it</legend>
        {args.map((argument, index) => (
          <div key={index} className={styles.row}>
            <span className={styles.place}>{index + 1}</span>
            <input
              className={controls.input}
              value={argument}
              aria-label={`argument ${index + 1}`}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => change({ args: args.with(index, event.target.value) })}
            />
            <RemoveButton what={`argument ${index + 1}`} onClick={() => change({ args: args.toSpliced(index, 1) })} />
          </div>
        ))}
        <AddButton what="argument" onClick={() => change({ args: [...args, ''] })} />
      </fieldset>
      <fieldset className={styles.rows}>
        <legend>
          Environment variables; <code>{'${NAME}'}</code> takes the value from that of Sluice
        </legend>
        {variables.map((variable, index) => (
          <div key={index} className={styles.row}>
            <input
              className={`${controls.input ?? ''} ${styles.variable ?? ''}`}
              value={variable.name}
              placeholder="API_KEY"
              aria-label={`name of variable ${index + 1}`}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) =>
                change({ variables: variables.with(index, { ...variable, name: event.target.value }) })
              }
            />
            <input
              className={controls.input}
              value={variable.value}
              placeholder="${API_KEY}"
              aria-label={`value of variable ${index + 1}`}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) =>
                change({ variables: variables.with(index, { ...variable, value: event.target.value }) })
              }
            />
            <RemoveButton
              what={`variable ${index + 1}`}
              onClick={() => change({ variables: variables.toSpliced(index, 1) })}
            />
          </div>
        ))}
        {variableProblem !== null && (
          <span className={styles.problem} role="alert">
            {variableProblem}
          </span>
        )}
        <AddButton what="variable" onClick={() => change({ variables: [...variables, { name: '', value: '' }] })} />
      </fieldset>
      <TextField
        label="Folder to start it in; that of Sluice when empty"
        value={cwd}
        placeholder="/home/me/project"
        problem={null}
        onChange={(value) => change({ cwd: value })}
      />
    </>
  )
}

function AddButton({ what, onClick }: { what: string; onClick: () => void }) {
  return (
    <button type="button" className={controls.link} onClick={onClick}>
      <Plus size={11} aria-hidden /> add {what}
    </button>
  )
}

function RemoveButton({ what, onClick }: { what: string; onClick: () => void }) {
  return (
    <button type="button" className={controls.icon} aria-label={`remove ${what}`} onClick={onClick}>
      <X size={13} aria-hidden />
    </button>
  )
}
