import { useEffect, useState } from 'react'
import type { SettingValues } from '../../shared/api/contract'
import { SETTINGS } from '../../shared/config/settings'
import { useActionsStore } from '../actions/use-actions'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import page from '../controls/page.module.css'
import { useCommand } from '../controls/use-command'
import { useDesk, usePreferences } from '../stores/desk-context'
import { DEFAULT_PREFERENCES, type DetailPlace, type ThemeChoice } from '../stores/preferences-store'
import { Visible } from '../text/visible'
import { SecretsSection } from './secrets-section'
import { Row, SettingRow, type RowIds } from './setting-row'
import styles from './settings.module.css'

/** Settings of the desk, which it remembers, and of the gateway, which stand in the configuration file. */
export function SettingsPane() {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const fits = (...texts: string[]) => wanted === '' || texts.some((text) => text.toLowerCase().includes(wanted))
  const desk = DESK_SETTINGS.filter(({ name, about }) => fits(name, about, 'desk'))
  const secrets = fits('secrets', 'tokens, passwords and keys of backends, in the keychain')
  const gateway = SETTINGS.filter(({ path, description }) => fits(path.join('.'), description))
  return (
    <div className={page.page} data-testid="settings-view">
      <div className={page.bar}>
        <h2>Settings</h2>
        <input
          type="search"
          className={`${controls.input ?? ''} ${styles.search ?? ''}`}
          placeholder="search"
          aria-label="search settings"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <div className={page.scroll} tabIndex={0} role="region" aria-label="settings">
        {desk.length + gateway.length === 0 && !secrets && <p className={page.empty}>No setting is called so.</p>}
        {desk.length > 0 && <DeskSettings shown={desk} />}
        {secrets && <SecretsSection />}
        {gateway.length > 0 && <GatewaySettings shown={gateway} />}
      </div>
    </div>
  )
}

const DESK_SETTINGS = [
  { id: 'theme', name: 'theme', about: 'Light, dark, or as the system has it.' },
  { id: 'detail', name: 'detail', about: 'Where a call is shown: below the table, or beside it.' },
  { id: 'timeline', name: 'timeline', about: 'A strip of all calls over time above the table.' },
  { id: 'pinInFlight', name: 'pin calls in flight', about: 'Calls that have not ended stay at the top of the table.' },
  { id: 'keys', name: 'keys', about: 'Every key can be chosen.' },
] as const

function DeskSettings({ shown }: { shown: readonly (typeof DESK_SETTINGS)[number][] }) {
  const { preferences } = useDesk()
  const actions = useActionsStore()
  const { theme, detail, timeline, pinInFlight } = usePreferences((state) => state)
  const control = (id: (typeof DESK_SETTINGS)[number]['id'], ids: RowIds) => {
    const common = { id: ids.id, 'aria-describedby': ids.about }
    switch (id) {
      case 'theme':
        return (
          <select
            {...common}
            className={controls.input}
            value={theme}
            onChange={(event) => preferences.setState({ theme: event.target.value as ThemeChoice })}
          >
            <option value="system">as the system</option>
            <option value="light">light</option>
            <option value="dark">dark</option>
          </select>
        )
      case 'detail':
        return (
          <select
            {...common}
            className={controls.input}
            value={detail}
            onChange={(event) => preferences.setState({ detail: event.target.value as DetailPlace })}
          >
            <option value="below">below</option>
            <option value="right">beside</option>
          </select>
        )
      case 'timeline':
        return (
          <input
            {...common}
            type="checkbox"
            checked={timeline}
            onChange={(event) => preferences.setState({ timeline: event.target.checked })}
          />
        )
      case 'pinInFlight':
        return (
          <input
            {...common}
            type="checkbox"
            checked={pinInFlight}
            onChange={(event) => preferences.setState({ pinInFlight: event.target.checked })}
          />
        )
      case 'keys':
        return (
          <button {...common} type="button" className={controls.button} onClick={() => actions.find('keys.show')?.()}>
            Keys…
          </button>
        )
    }
  }
  return (
    <section className={styles.section} aria-labelledby="settings-desk">
      <header>
        <h3 id="settings-desk">Desk</h3>
        <p>Remembered by this desk.</p>
        <button
          type="button"
          className={controls.button}
          onClick={() => preferences.setState(({ tourOffered }) => ({ ...DEFAULT_PREFERENCES, tourOffered }))}
        >
          Reset
        </button>
      </header>
      {shown.map(({ id, name, about }) => (
        <Row key={id} name={name} about={about}>
          {(ids) => control(id, ids)}
        </Row>
      ))}
    </section>
  )
}

function GatewaySettings({ shown }: { shown: typeof SETTINGS }) {
  const read = useCommand('config.settings')
  const write = useCommand('config.set')
  const [state, setState] = useState<SettingValues | null>(null)
  const { run } = read
  useEffect(() => {
    void run({}).then((values) => values !== undefined && setState(values))
  }, [run])
  const error = write.error ?? read.error
  return (
    <section className={styles.section} aria-labelledby="settings-gateway">
      <header>
        <h3 id="settings-gateway">Gateway</h3>
        {state !== null && (
          <p>
            In <Visible text={state.file} />, which is read again at every change; comments stay.
          </p>
        )}
      </header>
      {error !== null && (
        <Failure
          what={write.error === null ? 'The configuration could not be read.' : 'The setting was not written.'}
          error={error}
          onRetry={() => {
            write.clearError()
            void run({}).then((values) => values !== undefined && setState(values))
          }}
        />
      )}
      {state !== null &&
        shown.map((setting) => {
          const known = state.values.find(({ path }) => path.join('.') === setting.path.join('.'))
          return (
            <SettingRow
              key={setting.path.join('.')}
              setting={setting}
              value={known?.value ?? setting.fallback}
              own={known?.own ?? false}
              busy={write.running}
              onSet={(value) => {
                void write
                  .run({ path: [...setting.path], value })
                  .then((values) => values !== undefined && setState(values))
              }}
            />
          )
        })}
    </section>
  )
}
