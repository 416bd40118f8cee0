import { KeyRound, Pause, PenLine, Play, Plus, Settings as SettingsIcon, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BackendStatus, DeskStatus } from '../../shared/api/contract'
import type { OffBackend } from '../../shared/config/schema'
import { BackendContextMenu } from '../backends/backend-menu'
import { HealthDot, OffSign } from '../backends/health-dot'
import controls from '../controls/controls.module.css'
import type { View } from '../stores/selection-store'
import { formatAge } from '../text/format'
import { Visible } from '../text/visible'
import type { TourPlace } from '../tour/tour-steps'
import { RailItem } from './rail-item'
import styles from './shell.module.css'

/** Shorter than those of the backend's own view. */
const WORDS = { starting: 'starting', degraded: 'degraded', 'needs-sign-in': 'needs sign-in' }

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
    <nav className={styles.rail} aria-label="backends and captures" data-part="rail">
      <section>
        <h2 className={styles.railTitle}>Backends</h2>
        <ul>
          {status !== null &&
            inOrder(status).map((backend) => (
              <BackendContextMenu
                key={backend.name}
                name={backend.name}
                off={!('health' in backend)}
                fixed={'health' in backend && backend.ofDemo === true}
              >
                <li>
                  {'health' in backend ? (
                    <BackendItem backend={backend} on={backend.name === selected} now={now} onOpen={onBackend} />
                  ) : (
                    <OffItem backend={backend} on={backend.name === selected} onOpen={onBackend} />
                  )}
                </li>
              </BackendContextMenu>
            ))}
          {status?.waiting.map(({ backend, secrets }) => (
            <BackendContextMenu key={backend} name={backend} off={false}>
              <li>
                <WaitingItem backend={backend} secrets={secrets} onOpen={() => onView('settings')} />
              </li>
            </BackendContextMenu>
          ))}
        </ul>
        <RailItem sign={<Plus size={12} aria-hidden />} name="add" onClick={onAdd} />
      </section>
      {captures}
      <section>
        <h2 className={styles.railTitle}>Requests</h2>
        <ViewItem
          view="compose"
          shown={view}
          title="make a request by hand"
          icon={PenLine}
          tour="compose"
          onView={onView}
        />
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
  words?: string
  tour?: TourPlace
  onView: (view: View) => void
}

/** A view of the live run, or of the desk. */
export function ViewItem({ view, shown, title, icon: Icon, words, tour, onView }: ViewItemProps) {
  return (
    <RailItem
      sign={<Icon size={12} aria-hidden />}
      name={view}
      words={words}
      on={view === shown}
      title={title}
      testId={`${view}-item`}
      tour={tour}
      onClick={() => onView(view)}
    />
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
  const words =
    health === 'ready' ? (era ?? '') : health === 'down' ? `down ${formatAge(now - changedAt)}` : WORDS[health]
  return (
    <RailItem
      sign={<HealthDot health={health} />}
      name={<Visible text={name} />}
      words={words}
      on={on}
      title={reason === undefined ? name : `${name}: ${reason}`}
      testId="backend-item"
      backend={name}
      named
      onClick={() => onOpen(name)}
    />
  )
}

/** One that is turned off stands where the file has it. */
export function inOrder({ backends, off }: Pick<DeskStatus, 'backends' | 'off'>): (BackendStatus | OffBackend)[] {
  const ordered: (BackendStatus | OffBackend)[] = [...backends]
  for (const one of off) ordered.splice(one.place, 0, one)
  return ordered
}

interface OffItemProps {
  backend: OffBackend
  on: boolean
  onOpen: (name: string) => void
}

function OffItem({ backend: { name }, on, onOpen }: OffItemProps) {
  return (
    <RailItem
      sign={<OffSign />}
      name={<Visible text={name} />}
      words="off"
      on={on}
      title={`${name} is turned off`}
      testId="off-item"
      backend={name}
      onClick={() => onOpen(name)}
    />
  )
}

/** A backend that is left out until its secrets are set. */
function WaitingItem({ backend, secrets, onOpen }: { backend: string; secrets: string[]; onOpen: () => void }) {
  const missing = secrets.length === 1 ? `the secret ${secrets[0] ?? ''}` : `secrets ${secrets.join(', ')}`
  return (
    <RailItem
      sign={<KeyRound size={10} aria-hidden />}
      name={<Visible text={backend} />}
      words="needs a secret"
      title={`${backend} is left out until ${missing} is set: open the settings`}
      testId="waiting-item"
      backend={backend}
      named
      onClick={onOpen}
    />
  )
}
