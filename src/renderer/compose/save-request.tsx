import { useEffect, useId, useState, type FormEvent } from 'react'
import type { Collection } from '../../shared/api/compose'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import { useCommand } from '../controls/use-command'
import { useDesk } from '../stores/desk-context'
import { Visible } from '../text/visible'
import { requestOf, targetOf, type Draft } from './draft'
import { readObject } from './params-text'
import styles from './compose.module.css'

interface SaveRequestProps {
  draft: Draft
  onDone: () => void
  onCancel: () => void
}

/** Keeps the draft by a name in a collection. A request of the same name is replaced. */
export function SaveRequest({ draft, onDone, onCancel }: SaveRequestProps) {
  const { compose } = useDesk()
  const id = useId()
  const [name, setName] = useState(() => targetOf(draft.method, readObject(draft.params).value) ?? draft.method)
  const [collection, setCollection] = useState('Requests')
  const [known, setKnown] = useState<readonly Collection[]>([])
  const list = useCommand('compose.collections')
  const save = useCommand('compose.saveCollection')
  const { run } = list
  useEffect(() => {
    void run({}).then((answer) => {
      if (answer !== undefined) setKnown(answer.collections)
    })
  }, [run])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const read = requestOf(draft)
    if ('problem' in read) {
      compose.store.setState({ error: { code: 'invalid-request', message: read.problem, hint: 'Correct it first.' } })
      return
    }
    const saved = { name: name.trim(), ...read.request }
    const before = known.find((each) => each.name === collection.trim())?.requests ?? []
    const replaced = before.some((each) => each.name === saved.name)
    const requests = replaced ? before.map((each) => (each.name === saved.name ? saved : each)) : [...before, saved]
    const answer = await save.run({ name: collection.trim(), requests })
    if (answer === undefined) return
    const withheld = answer.withheld.join(', ')
    compose.store.setState({
      notes: withheld === '' ? [] : [`Saved without the values of ${withheld}: they are secrets.`],
    })
    onDone()
  }
  const replaces = known.some(
    (each) => each.name === collection.trim() && each.requests.some((request) => request.name === name.trim()),
  )
  return (
    <form className={styles.save} onSubmit={(event) => void submit(event)} aria-label="save the request">
      <div className={controls.field}>
        <label className={controls.fieldLabel} htmlFor={`${id}-name`}>
          Name
        </label>
        <input
          id={`${id}-name`}
          className={controls.input}
          value={name}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      <div className={controls.field}>
        <label className={controls.fieldLabel} htmlFor={`${id}-collection`}>
          Collection
        </label>
        <input
          id={`${id}-collection`}
          className={controls.input}
          value={collection}
          maxLength={80}
          list={`${id}-known`}
          autoComplete="off"
          onChange={(event) => setCollection(event.target.value)}
        />
        <datalist id={`${id}-known`}>
          {known.map((each) => (
            <option key={each.name} value={each.name} />
          ))}
        </datalist>
      </div>
      <button
        type="submit"
        className={controls.primary}
        disabled={save.running || list.running || name.trim() === '' || collection.trim() === ''}
      >
        {replaces ? 'Replace' : 'Save'}
      </button>
      <button type="button" className={controls.button} onClick={onCancel}>
        Cancel
      </button>
      {save.error !== null && <Failure what="The request was not saved." error={save.error} />}
      {list.error !== null && <Failure what="The collections could not be read." error={list.error} />}
      {replaces && (
        <p className={styles.quiet}>
          There is a request “<Visible text={name.trim()} />” already; it is replaced.
        </p>
      )}
    </form>
  )
}
