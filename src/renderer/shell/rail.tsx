import { Pause, Play, Plus, Radio } from 'lucide-react'
import type { BackendStatus, DeskStatus } from '../../shared/api/contract'
import { HealthDot } from '../backends/health-dot'
import controls from '../controls/controls.module.css'
import type { Selection } from '../stores/selection-store'
import { formatAge, formatCount } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import styles from './shell.module.css'

interface RailProps {
  status: DeskStatus | null
  /** The backend that is looked at. */
  selected: string | null
  view: Selection['view']
  calls: number
  /** Open streams of subscriptions. */
  streams: number
  now: number
  onBackend: (name: string) => void
  onAdd: () => void
  onView: (view: Selection['view']) => void
  onDemo: (running: boolean) => void
}

export function Rail(props: RailProps) {
  const { status, selected, view, calls, streams, now, onBackend, onAdd, onView, onDemo } = props
  const on = (which: Selection['view']) => (selected === null && view === which) || undefined
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
      <section>
        <h2 className={styles.railTitle}>Captures</h2>
        <button
          type="button"
          className={styles.item}
          data-on={on('calls')}
          aria-current={on('calls')}
          onClick={() => onView('calls')}
        >
          <span className={styles.run} aria-hidden="true" />
          this run
          <small>{formatCount(calls)}</small>
        </button>
        <button
          type="button"
          className={styles.item}
          data-on={on('subscriptions')}
          aria-current={on('subscriptions')}
          data-testid="subscriptions-item"
          title="streams on which clients hear of changes"
          onClick={() => onView('subscriptions')}
        >
          <Radio size={12} aria-hidden />
          subscriptions
          <small>{streams === 0 ? '' : `${formatCount(streams)} open`}</small>
        </button>
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
