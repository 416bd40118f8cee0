import { Copy, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import type { Collection, SavedRequest } from '../../shared/api/compose'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import { useCommand } from '../controls/use-command'
import { useDesk } from '../stores/desk-context'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import styles from './compose.module.css'

/** Saved requests by collection. */
export function CollectionsList() {
  const { compose } = useDesk()
  const [read, setRead] = useState<{ folder: string; collections: readonly Collection[] } | null>(null)
  const list = useCommand('compose.collections')
  const save = useCommand('compose.saveCollection')
  const remove = useCommand('compose.deleteCollection')
  const { run } = list
  const refresh = useCallback(async () => {
    const answer = await run({})
    if (answer !== undefined) setRead(answer)
  }, [run])
  useEffect(() => void refresh(), [refresh])

  const change = async (name: string, requests: SavedRequest[]) => {
    if (requests.length === 0) await remove.run({ name })
    else await save.run({ name, requests })
    await refresh()
  }
  return (
    <div className={styles.picker} data-testid="collections">
      {list.error !== null && (
        <Failure what="The collections could not be read." error={list.error} onRetry={() => void refresh()} />
      )}
      {save.error !== null && <Failure what="The collection was not changed." error={save.error} />}
      {remove.error !== null && <Failure what="The collection was not deleted." error={remove.error} />}
      {read !== null &&
        read.collections.every(({ requests, problem }) => requests.length === 0 && problem === null) && (
          <p className={styles.quiet}>
            Nothing is saved yet. Save a request with the disk above it; each collection is a JSON file that can go into
            git.
          </p>
        )}
      {read?.collections.map(({ name, requests, problem }) => (
        <section key={name} aria-label={name}>
          <h3 className={styles.groupTitle}>
            <Visible text={name} /> <small>{requests.length}</small>
          </h3>
          {problem !== null && (
            <p className={styles.warning}>
              <Visible text={problem} />
            </p>
          )}
          <ul>
            {requests.map((request, index) => (
              <li key={`${request.name} ${index}`} className={styles.saved}>
                <button
                  type="button"
                  className={styles.entry}
                  data-testid="saved-request"
                  title={visibleString(`${request.name}: ${request.method} on ${request.endpoint}`)}
                  onClick={() => compose.open(request)}
                >
                  <span className={styles.entryName}>
                    <Visible text={request.name} />
                  </span>
                </button>
                <button
                  type="button"
                  className={controls.icon}
                  aria-label={visibleString(`duplicate ${request.name}`)}
                  title="Duplicate"
                  onClick={() => void change(name, requests.toSpliced(index + 1, 0, copyOf(request, requests)))}
                >
                  <Copy size={12} aria-hidden />
                </button>
                <button
                  type="button"
                  className={controls.icon}
                  aria-label={visibleString(`delete ${request.name}`)}
                  title="Delete"
                  onClick={() => void change(name, requests.toSpliced(index, 1))}
                >
                  <Trash2 size={12} aria-hidden />
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {read !== null && (
        <p className={styles.folder}>
          Files in <code>{visibleString(read.folder)}</code>
        </p>
      )}
    </div>
  )
}

function copyOf(request: SavedRequest, requests: readonly SavedRequest[]): SavedRequest {
  const names = new Set(requests.map(({ name }) => name))
  for (let count = 2; ; count++) {
    const name = `${request.name.slice(0, 190)} ${count}`
    if (!names.has(name)) return { ...request, name }
  }
}
