import { Pencil, Power, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ConfiguredBackend } from '../../shared/api/contract'
import type { OffBackend } from '../../shared/config/schema'
import { useActions } from '../actions/use-actions'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import page from '../controls/page.module.css'
import { useCommand } from '../controls/use-command'
import { useDesk, useStatus } from '../stores/desk-context'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import { kindOf } from './backend-draft'
import { OffSign } from './health-dot'
import { useChangeBackends } from './use-change-backends'
import { StartNote } from './what-is-written'
import styles from './backend-view.module.css'

/** A backend that is turned off: what it would be, and the way back. */
export function OffBackendPane({ backend: { name, type } }: { backend: OffBackend }) {
  const desk = useDesk()
  const endpoint = useStatus((state) => state.status?.endpoint ?? '')
  const { asking, edit, remove, turn, changes } = useChangeBackends()
  const { run, error } = useCommand('config.backend')
  const [configured, setConfigured] = useState<ConfiguredBackend | null>(null)
  const applied = useStatus((state) => state.status?.applied ?? 0)
  useEffect(() => {
    // The file may say something else by now.
    if (applied + changes >= 0) void run({ name }).then((answer) => answer !== undefined && setConfigured(answer))
  }, [run, name, applied, changes])
  const close = () => desk.selection.setState({ backend: null })
  const starts = configured !== null && kindOf(configured.entry) === 'command'
  const turnOn = () => turn(name, true, configured?.version)
  useActions({
    'call.close': close,
    ...(!asking && {
      'backends.edit': () => edit(name),
      'backends.turn': turnOn,
      'backends.remove': () => remove(name),
    }),
  })
  return (
    <div className={page.page} data-testid="off-backend">
      <div className={page.bar}>
        <OffSign />
        <h2 className={styles.name} title={visibleString(name)}>
          <Visible text={name} />
        </h2>
        <span className={`${page.quiet} ${styles.type ?? ''}`} title={visibleString(type)}>
          turned off · <Visible text={type} />
        </span>
        <span className={page.spring} />
        <button type="button" className={controls.primary} onClick={turnOn}>
          <Power size={13} aria-hidden /> {starts ? 'Turn on and start' : 'Turn on'}
        </button>
        <button type="button" className={controls.button} onClick={() => edit(name)}>
          <Pencil size={13} aria-hidden /> Edit…
        </button>
        <button type="button" className={controls.button} onClick={() => remove(name)}>
          <Trash2 size={13} aria-hidden /> Remove…
        </button>
        <button type="button" className={controls.icon} aria-label="close backend" onClick={close}>
          ✕
        </button>
      </div>
      <div
        className={`${page.scroll ?? ''} ${styles.scroll ?? ''}`}
        tabIndex={0}
        role="region"
        aria-label={`backend ${visibleString(name)}`}
      >
        <p className={page.quiet}>
          It is not started and offers nothing. Clients of{' '}
          <code className={styles.endpoint} title={visibleString(`${endpoint}/${name}`)}>
            <Visible text={`${endpoint}/${name}`} />
          </code>{' '}
          are told that it is turned off.
        </p>
        {error !== null && <Failure what="Its entry could not be read." error={error} />}
        {starts && <StartNote entry={configured.entry} when="Turning it on starts a program on this machine" />}
        {configured !== null && (
          <pre className={styles.snippet} aria-label="its entry in the configuration">
            <Visible text={JSON.stringify({ [name]: configured.entry }, null, 2)} block />
          </pre>
        )}
      </div>
    </div>
  )
}
