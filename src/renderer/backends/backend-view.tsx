import { Pencil, RefreshCw, RotateCw } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { BackendStatus, CatalogEntry, CommandError } from '../../shared/api/contract'
import { Facts } from '../controls/card'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import { Segments } from '../controls/segments'
import page from '../controls/page.module.css'
import { formatSince } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import { BackendCatalog } from './backend-catalog'
import { backendFacts } from './backend-facts'
import { BackendMenuButton } from './backend-menu'
import { HEALTH_WORDS, HealthDot } from './health-dot'
import { SignIn } from './sign-in'
import styles from './backend-view.module.css'

export interface BackendViewProps {
  backend: BackendStatus
  now: number
  catalog: { entries: CatalogEntry[]; problems: string[] } | null
  error: CommandError | null
  refreshing: boolean
  restartError: CommandError | null
  restarting: boolean
  /** The part of the view with what the backend prints. */
  output: ReactNode
  onRefresh: () => void
  onRestart: () => void
  onFilter: () => void
  /** Absent for one that stands in no file. */
  onEdit?: () => void
  onClose: () => void
}

type Part = 'about' | 'output'

/** One backend: how it is, what it offers and prints. */
export function BackendView(props: BackendViewProps) {
  const { backend, refreshing, restarting, restartError, output } = props
  const { onRefresh, onRestart, onFilter, onEdit, onClose } = props
  // What a process that does not run printed last is what one looks for.
  const [part, setPart] = useState<Part>(backend.restartable === true && backend.health === 'down' ? 'output' : 'about')
  return (
    <div className={page.page} data-testid="backend-view">
      <div className={page.bar}>
        <HealthDot health={backend.health} />
        <h2 className={styles.name} title={visibleString(backend.name)}>
          <Visible text={backend.name} />
        </h2>
        <span className={page.quiet}>{backend.era ?? 'era unknown'}</span>
        <Segments
          label="part of the backend"
          value={part}
          options={[
            { value: 'about', label: 'what it offers' },
            { value: 'output', label: backend.restartable === true ? 'output' : 'events' },
          ]}
          onChange={setPart}
        />
        <span className={page.spring} />
        <button type="button" className={controls.button} onClick={onFilter}>
          Show its calls
        </button>
        {backend.restartable === true && (
          <button type="button" className={controls.button} disabled={restarting} onClick={onRestart}>
            <RotateCw size={13} aria-hidden /> {restarting ? 'Restarting…' : 'Restart'}
          </button>
        )}
        <button type="button" className={controls.button} disabled={refreshing} onClick={onRefresh}>
          <RefreshCw size={13} aria-hidden /> {refreshing ? 'Refreshing…' : 'Refresh'}
        </button>
        {onEdit !== undefined && (
          <>
            <button type="button" className={controls.button} onClick={onEdit}>
              <Pencil size={13} aria-hidden /> Edit…
            </button>
            <BackendMenuButton name={backend.name} off={false} />
          </>
        )}
        <button type="button" className={controls.icon} aria-label="close backend" onClick={onClose}>
          ✕
        </button>
      </div>
      {restartError !== null && (
        <div className={styles.failure}>
          <Failure what="Its process could not be started again." error={restartError} onRetry={onRestart} />
        </div>
      )}
      {part === 'output' ? output : <About {...props} />}
    </div>
  )
}

function About({ backend, catalog, error, now, onRefresh }: BackendViewProps) {
  return (
    <div
      className={`${page.scroll ?? ''} ${styles.scroll ?? ''}`}
      tabIndex={0}
      role="region"
      aria-label={`backend ${visibleString(backend.name)}`}
    >
      {error !== null && <Failure what="This backend could not be read." error={error} onRetry={onRefresh} />}
      {backend.reason !== undefined && backend.health !== 'ready' && (
        <p className={`${styles.reason ?? ''} ${styles.block ?? ''}`} data-health={backend.health}>
          {HEALTH_WORDS[backend.health]} {formatSince(now - backend.changedAt)}: <Visible text={backend.reason} block />
        </p>
      )}
      {backend.health === 'needs-sign-in' && <SignIn backend={backend} />}
      <Facts facts={backendFacts(backend, now)} />
      {catalog?.problems.map((problem) => (
        <p key={problem} className={`${styles.problem ?? ''} ${styles.block ?? ''}`}>
          <Visible text={problem} block />
        </p>
      ))}
      {catalog === null && error === null && <p className={page.quiet}>Reading what it offers…</p>}
      {catalog !== null && <BackendCatalog backend={backend} entries={catalog.entries} />}
    </div>
  )
}
