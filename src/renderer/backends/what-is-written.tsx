import { Play } from 'lucide-react'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'
import changesOf from '../controls/changes.module.css'
import { Visible } from '../text/visible'
import { kindOf } from './backend-draft'
import { startsAnew, type EntryChange } from './entry-changes'
import styles from './backend-form.module.css'

interface WhatIsWrittenProps {
  file: string | null
  /** Its name, and its new one; null for one that is added. */
  from: string | null
  to: string
  changes: readonly EntryChange[]
}

/** What a change of an entry writes, before it is written. */
export function WhatIsWritten({ file, from, to, changes }: WhatIsWrittenProps) {
  const all =
    from === null || from === to
      ? changes
      : [{ member: 'name', before: JSON.stringify(from), after: JSON.stringify(to) }, ...changes]
  return (
    <section className={styles.written} aria-label="what will be written">
      <h3>
        {all.length === 0 ? 'Nothing to write into ' : 'Will be written into '}
        <Visible text={file ?? 'the configuration'} />
        {from === null && (
          <>
            {' '}
            as <Visible text={to} />
          </>
        )}
      </h3>
      {all.length > 0 && (
        <ul className={changesOf.changes} tabIndex={0} aria-label="changed members">
          {all.map(({ member, before, after }) => (
            <li key={member}>
              {before !== null && (
                <del>
                  <Visible text={`${member}: ${before}`} />
                </del>
              )}
              {after !== null && (
                <ins>
                  <Visible text={`${member}: ${after}`} />
                </ins>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Whether saving this starts a program that does not run yet, or not with these words. */
export function startsProgram(entry: JsonObject, isNew: boolean, changes: readonly EntryChange[]): boolean {
  const { command } = entry
  if (typeof command !== 'string' || command === '') return false
  return kindOf(entry) === 'command' && entry.disabled !== true && (isNew || startsAnew(changes))
}

interface StartNoteProps {
  entry: JsonObject
  /** What starts it. */
  when?: string
}

/** Says what will be started, word by word. */
export function StartNote({ entry, when = 'This starts a program on this machine' }: StartNoteProps) {
  const variables = isObject(entry.env) ? Object.keys(entry.env) : []
  return (
    <div className={styles.start} role="note">
      <Play size={12} aria-hidden />
      <p>
        {when}:{' '}
        <code>
          <Visible text={wordsOf(entry).join(' ')} />
        </code>
        {variables.length > 0 && (
          <>
            {' '}
            with <Visible text={variables.join(', ')} />
          </>
        )}
        {typeof entry.cwd === 'string' && (
          <>
            {' '}
            in{' '}
            <code>
              <Visible text={entry.cwd} />
            </code>
          </>
        )}
      </p>
    </div>
  )
}

function wordsOf({ command, args }: JsonObject): string[] {
  const words: (JsonValue | undefined)[] = [command, ...(Array.isArray(args) ? args : [])]
  return words.map((word) => {
    const text = typeof word === 'string' ? word : (JSON.stringify(word) ?? '')
    // Marks of kept values have a space.
    return /^(?:[^\s"'«]|«kept \d+»)+$/.test(text) ? text : JSON.stringify(text)
  })
}
