import controls from '../controls/controls.module.css'
import type { CommandDraft } from './backend-draft'
import { checkCommand, checkVariables, wordsOf } from './check-backend'
import type { FieldProblems } from './field-problems'
import { TextField } from './form-field'
import { AddButton, KEPT, NamedValues, RemoveButton } from './named-values'
import styles from './backend-form.module.css'

interface CommandFieldsProps {
  draft: CommandDraft
  /** Problems are shown once one has tried to add it. */
  tried: boolean
  problems: FieldProblems
  onChange: (draft: CommandDraft) => void
}

/** A program, its arguments one by one, its environment and its folder. */
export function CommandFields({ draft, tried, problems, onChange }: CommandFieldsProps) {
  const { command, args, variables, cwd } = draft
  const words = wordsOf(command)
  const split = words.length > 1 && args.length === 0
  const change = (change: Partial<CommandDraft>) => onChange({ ...draft, ...change })
  const ofArguments = problems.of('args')
  return (
    <>
      <TextField
        label="Command: a program, without a shell"
        value={command}
        placeholder="npx"
        problem={(tried ? checkCommand(command) : null) ?? problems.of('command')}
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
              aria-invalid={ofArguments !== null}
              data-kept={KEPT.test(argument) || undefined}
              onFocus={(event) => KEPT.test(argument) && event.target.select()}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => change({ args: args.with(index, event.target.value) })}
            />
            <RemoveButton what={`argument ${index + 1}`} onClick={() => change({ args: args.toSpliced(index, 1) })} />
          </div>
        ))}
        {ofArguments !== null && (
          <span className={styles.problem} role="alert">
            {ofArguments}
          </span>
        )}
        <AddButton what="argument" onClick={() => change({ args: [...args, ''] })} />
      </fieldset>
      <NamedValues
        legend={
          <>
            Environment variables; <code>{'${NAME}'}</code> takes the value from that of Sluice
          </>
        }
        noun="variable"
        values={variables}
        namePlaceholder="API_KEY"
        valuePlaceholder="${API_KEY}"
        problem={(tried ? checkVariables(variables) : null) ?? problems.of('env')}
        onChange={(next) => change({ variables: next })}
      />
      <TextField
        label="Folder to start it in; that of Sluice when empty"
        value={cwd}
        placeholder="/home/me/project"
        problem={problems.of('cwd')}
        onChange={(value) => change({ cwd: value })}
      />
    </>
  )
}
