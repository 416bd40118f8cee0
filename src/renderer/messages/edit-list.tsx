import type { Edit } from '../../shared/capture/events'
import { Visible } from '../text/visible'
import styles from './edit-list.module.css'

const WORDS: Record<Edit['what'], string> = {
  id: 'JSON-RPC id',
  name: 'name',
  requestState: 'request state',
  progressToken: 'progress token',
  ttlMs: 'ttlMs',
  meta: '_meta',
  capabilities: 'capabilities',
  header: 'header',
  subscriptionId: 'subscription id',
  filter: 'filter',
  taskId: 'task id',
  era: 'era',
}
const LONGEST = 120

/** The named edits of a body on its way through the gateway; nothing else differs between the legs. */
export function EditList({ edits }: { edits: readonly Edit[] }) {
  if (edits.length === 0) return <p className={styles.none}>No edits: carried on byte for byte.</p>
  return (
    <ul className={styles.list}>
      {edits.map((edit, index) => (
        <li key={index} className={styles.edit}>
          <span className={styles.what}>{WORDS[edit.what]}</span>
          <code className={styles.at}>
            <Visible text={edit.at} />
          </code>
          <EditChange edit={edit} />
        </li>
      ))}
    </ul>
  )
}

/** Old and new text of an edit. */
export function EditChange({ edit }: { edit: Edit }) {
  return (
    <span className={styles.change}>
      {edit.was === undefined ? (
        <i>absent</i>
      ) : (
        <del>
          <Visible text={shorten(edit.was)} />
        </del>
      )}
      {' → '}
      {edit.now === undefined ? (
        <i>removed</i>
      ) : (
        <ins>
          <Visible text={shorten(edit.now)} />
        </ins>
      )}
    </span>
  )
}

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text
}
