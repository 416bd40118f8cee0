import { RefreshCw } from 'lucide-react'
import type { BackendStatus, CatalogEntry, CommandError } from '../../shared/api/contract'
import controls from '../controls/controls.module.css'
import { CopyButton } from '../controls/copy-button'
import { Facts, type Fact } from '../controls/card'
import { Failure } from '../controls/failure'
import { formatAge, plural } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import { HealthDot } from './health-dot'
import styles from './backend-view.module.css'

export interface BackendViewProps {
  backend: BackendStatus
  now: number
  catalog: { entries: CatalogEntry[]; problems: string[] } | null
  error: CommandError | null
  refreshing: boolean
  onRefresh: () => void
  onFilter: () => void
  onClose: () => void
}

const KINDS: { kind: CatalogEntry['kind']; title: string }[] = [
  { kind: 'tool', title: 'Tools' },
  { kind: 'prompt', title: 'Prompts' },
  { kind: 'resource', title: 'Resources' },
  { kind: 'resource-template', title: 'Resource templates' },
]

/** One backend: how it is, what it offers, and under which names. */
export function BackendView(props: BackendViewProps) {
  const { backend, catalog, error, refreshing, now, onRefresh, onFilter, onClose } = props
  return (
    <div className={styles.view} data-testid="backend-view">
      <div className={styles.head}>
        <HealthDot health={backend.health} />
        <h2 className={styles.name} title={visibleString(backend.name)}>
          <Visible text={backend.name} />
        </h2>
        <span className={styles.era}>{backend.era ?? 'era unknown'}</span>
        <span className={styles.spring} />
        <button type="button" className={controls.button} onClick={onFilter}>
          Show its calls
        </button>
        <button type="button" className={controls.button} disabled={refreshing} onClick={onRefresh}>
          <RefreshCw size={13} aria-hidden /> {refreshing ? 'Refreshing…' : 'Refresh'}
        </button>
        <button type="button" className={controls.icon} aria-label="close backend" onClick={onClose}>
          ✕
        </button>
      </div>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={`backend ${visibleString(backend.name)}`}>
        {error !== null && <Failure what="This backend could not be read." error={error} onRetry={onRefresh} />}
        {backend.reason !== undefined && backend.health !== 'ready' && (
          <p className={styles.reason} data-health={backend.health}>
            {backend.health} for {formatAge(now - backend.changedAt)}: <Visible text={backend.reason} />
          </p>
        )}
        <Facts facts={factsOf(backend, now)} />
        {catalog?.problems.map((problem) => (
          <p key={problem} className={styles.problem}>
            <Visible text={problem} />
          </p>
        ))}
        {catalog === null && error === null && <p className={styles.quiet}>Reading what it offers…</p>}
        {catalog !== null && <Catalog entries={catalog.entries} />}
      </div>
    </div>
  )
}

function factsOf(backend: BackendStatus, now: number): Fact[] {
  const { counts, serverInfo } = backend
  const info = serverInfo === undefined ? 'did not say' : `${serverInfo.name} ${serverInfo.version ?? ''}`.trim()
  const facts: Fact[] = [
    { name: 'health', value: `${backend.health} for ${formatAge(now - backend.changedAt)}` },
    { name: 'transport', value: backend.type },
  ]
  if (backend.url !== undefined) facts.push({ name: 'url', value: backend.url })
  facts.push(
    { name: 'server', value: info },
    {
      name: 'endpoint',
      value: (
        <span className={styles.endpoint}>
          <Visible text={backend.endpoint} />
          <CopyButton text={backend.endpoint} what="endpoint of this backend" />
          <span className={styles.quiet}>this backend alone, names unchanged</span>
        </span>
      ),
    },
    {
      name: 'offers',
      value: [
        plural(counts.tools, 'tool'),
        plural(counts.prompts, 'prompt'),
        plural(counts.resources, 'resource'),
        plural(counts.resourceTemplates, 'template'),
      ].join(' · '),
    },
  )
  return facts
}

function Catalog({ entries }: { entries: readonly CatalogEntry[] }) {
  if (entries.length === 0) return <p className={styles.quiet}>It offers nothing.</p>
  return KINDS.map(({ kind, title }) => {
    const ofKind = entries.filter((entry) => entry.kind === kind)
    if (ofKind.length === 0) return null
    return (
      <table key={kind} className={styles.table}>
        <thead>
          <tr>
            <th scope="col">
              {title} <span className={styles.quiet}>{ofKind.length}</span>
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
        <Visible text={entry.name} />
      </td>
      <td className={styles.mono}>
        {entry.exposedAs === null ? (
          <span className={styles.excluded}>
            not offered{entry.excluded === undefined ? '' : ': '}
            {entry.excluded !== undefined && <Visible text={entry.excluded} />}
          </span>
        ) : (
          <Visible text={entry.exposedAs} />
        )}
      </td>
      <td className={styles.about} title={visibleString(entry.description ?? about)}>
        <Visible text={about} />
      </td>
    </tr>
  )
}
