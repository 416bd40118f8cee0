import { Pause, PenLine, Play, Plus, Settings as SettingsIcon, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BackendStatus, DeskStatus } from '../../shared/api/contract'
import { HealthDot } from '../backends/health-dot'
import controls from '../controls/controls.module.css'
import type { View } from '../stores/selection-store'
import { formatAge } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import styles from './shell.module.css'

interface RailProps {
  status: DeskStatus | null
  /** The backend that is looked at. */
  selected: string | null
  /** The section of captures. */
  captures: ReactNode
  /** The replays, below compose. */
  replays: ReactNode
  /** What of the live run is looked at; null while a backend or a capture is. */
  view: View | null
  now: number
  onView: (view: View) => void
  onBackend: (name: string) => void
  onAdd: () => void
  onDemo: (running: boolean) => void
}

export function Rail(props: RailProps) {
  const { status, selected, captures, replays, view, now, onView, onBackend, onAdd, onDemo } = props
  const demo = status?.demo ?? null
  return (
    <nav className={styles.rail} aria-label="backends and captures">
      <section>
        <h2 className={styles.railTitle}>Backends</h2>
        <ul>
          {status?.backends.map((backend) => (
            <li key={backend.name}>
              <BackendItem backend={backend} on={backend.name === selected} now={now} onOpen={onBackend} />
            </li>
          ))}
        </ul>
        <button type="button" className={styles.item} onClick={onAdd}>
          <Plus size={12} aria-hidden /> add
        </button>
      </section>
      {captures}
      <section>
        <h2 className={styles.railTitle}>Requests</h2>
        <ViewItem view="compose" shown={view} title="make a request by hand" icon={PenLine} onView={onView} />
        {replays}
      </section>
      <section>
        <h2 className={styles.railTitle}>Sluice</h2>
        <ViewItem
          view="settings"
          shown={view}
          title="of the desk and of the gateway"
          icon={SettingsIcon}
          onView={onView}
        />
      </section>
      {demo !== null && (
        <section className={styles.demo}>
          <h2 className={styles.railTitle}>Demo</h2>
          <button
            type="button"
            className={controls.button}
            data-testid="demo-toggle"
            onClick={() => onDemo(!demo.running)}
          >
            {demo.running ? <Pause size={12} aria-hidden /> : <Play size={12} aria-hidden />}
            {demo.running ? 'Stop the demo' : 'Start the demo'}
          </button>
        </section>
      )}
    </nav>
  )
}

interface ViewItemProps {
  view: View
  shown: View | null
  title: string
  icon: LucideIcon
  onView: (view: View) => void
}

function ViewItem({ view, shown, title, icon: Icon, onView }: ViewItemProps) {
  const on = view === shown || undefined
  return (
    <button
      type="button"
      className={styles.item}
      data-on={on}
      aria-current={on}
      data-testid={`${view}-item`}
      title={title}
      onClick={() => onView(view)}
    >
      <Icon size={12} aria-hidden />
      {view}
    </button>
  )
}

interface BackendItemProps {
  backend: BackendStatus
  on: boolean
  now: number
  onOpen: (name: string) => void
}

function BackendItem({ backend, on, now, onOpen }: BackendItemProps) {
  const { name, health, era, reason, changedAt } = backend
  const words = health === 'ready' ? (era ?? '') : health === 'down' ? `down ${formatAge(now - changedAt)}` : health
  return (
    <button
      type="button"
      className={styles.item}
      data-on={on || undefined}
      data-testid="backend-item"
      data-backend={name}
      aria-current={on || undefined}
      title={visibleString(reason === undefined ? name : `${name}: ${reason}`)}
      onClick={() => onOpen(name)}
    >
      <HealthDot health={health} />
      <span className={styles.itemName}>
        <Visible text={name} />
      </span>
      <small>{words}</small>
    </button>
  )
}
