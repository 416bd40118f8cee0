import type { BackendStatus, CatalogEntry } from '../../shared/api/contract'
import { Visible } from '../text/visible'
import { onOneLine, visibleBlock, visibleString } from '../text/visible-text'
import { HEALTH_WORDS as WORDS } from './health-dot'
import page from '../controls/page.module.css'
import styles from './backend-view.module.css'

const KINDS: { kind: CatalogEntry['kind']; title: string }[] = [
  { kind: 'tool', title: 'Tools' },
  { kind: 'prompt', title: 'Prompts' },
  { kind: 'resource', title: 'Resources' },
  { kind: 'resource-template', title: 'Resource templates' },
]

interface CatalogProps {
  backend: BackendStatus
  entries: readonly CatalogEntry[]
}

/** What a backend offers, under which names, and what of it is not offered, with the reason. */
export function BackendCatalog({ backend, entries }: CatalogProps) {
  if (entries.length === 0) {
    const { health } = backend
    return (
      <p className={page.quiet}>
        {health === 'ready' || health === 'degraded'
          ? 'It offers nothing.'
          : `Nothing of it is offered: it is ${WORDS[health]}, so it could not be asked what it has.`}
      </p>
    )
  }
  return KINDS.map(({ kind, title }) => {
    const ofKind = entries.filter((entry) => entry.kind === kind)
    if (ofKind.length === 0) return null
    return (
      <table key={kind} className={styles.table}>
        <thead>
          <tr>
            <th scope="col">
              {title} <span className={page.quiet}>{ofKind.length}</span>
            </th>
            <th scope="col">on /mcp as</th>
            <th scope="col">about</th>
          </tr>
        </thead>
        <tbody>
          {ofKind.map((entry, index) => (
            <EntryRow key={`${entry.name} ${index}`} entry={entry} />
          ))}
        </tbody>
      </table>
    )
  })
}

function EntryRow({ entry }: { entry: CatalogEntry }) {
  const about = entry.title ?? entry.description ?? ''
  return (
    <tr data-excluded={entry.exposedAs === null || undefined}>
      <td className={styles.mono} title={visibleString(entry.name)}>
        <span className={styles.clamped}>
          <Visible text={entry.name} />
        </span>
      </td>
      <td className={styles.mono}>
        {entry.exposedAs === null ? (
          <span className={`${styles.excluded ?? ''} ${styles.clamped ?? ''}`}>
            not offered{entry.excluded === undefined ? '' : ': '}
            {entry.excluded !== undefined && <Visible text={entry.excluded} />}
          </span>
        ) : (
          <span className={styles.clamped} title={visibleString(entry.exposedAs)}>
            <Visible text={entry.exposedAs} />
          </span>
        )}
      </td>
      <td className={styles.about} title={visibleBlock(entry.description ?? about)}>
        <Visible text={onOneLine(about)} />
      </td>
    </tr>
  )
}
