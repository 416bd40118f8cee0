import { useEffect, useRef, useState, type ComponentProps, type RefObject } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import type { BackendStatus, CommandError } from '../../shared/api/contract'
import { FILTER_KEYS } from '../../shared/capture/filter'
import { AddBackendDialog, AddBackendForm } from '../backends/add-backend-dialog'
import { BackendPane } from '../backends/backend-pane'
import { ImportBackends } from '../backends/import-backends'
import { CallsPane } from '../calls/calls-pane'
import { FilterBox } from '../calls/filter-box'
import { Failure } from '../controls/failure'
import { useCommand } from '../controls/use-command'
import { useKeys } from '../controls/use-keys'
import { useLayout } from '../controls/use-layout'
import { useWallClock } from '../controls/use-wall-clock'
import { useCalls, useDesk, usePreferences, useSelection, useStatus } from '../stores/desk-context'
import { SubscriptionsPane } from '../subscriptions/subscriptions-pane'
import { NoBackend, NoCall } from '../welcome/welcome'
import { DetailPane } from './detail-pane'
import { Header } from './header'
import { KeysSheet } from './keys-sheet'
import { Patterns } from './patterns'
import { Rail } from './rail'
import { Unauthorized } from './unauthorized'
import styles from './shell.module.css'

/** The desk: header, rail, and what is looked at. */
export function App() {
  const unauthorized = useStatus((state) => state.unauthorized)
  useTheme()
  return unauthorized ? <Unauthorized /> : <Desk />
}

function Desk() {
  const desk = useDesk()
  const { status, connected, error } = useStatus((state) => state)
  const theme = usePreferences((preferences) => preferences.theme)
  const { backend: selectedBackend, view } = useSelection((selection) => selection)
  const streams = useCalls(() => desk.calls.openStreams)
  const total = useCalls((state) => state.total)
  const [keysOpen, setKeysOpen] = useState(false)
  const [adding, setAdding] = useState(false)
  const recording = useCommand('recording.set')
  const demo = useCommand('demo.set')
  const layout = useLayout('desk', { rail: 15, work: 85 })
  const now = useWallClock(5_000)
  const filterInput = useRef<HTMLInputElement>(null)

  useKeys({ '/': () => filterInput.current?.focus(), '?': () => setKeysOpen(true) })
  const setDemo = (running: boolean) => void demo.run({ running }).then(() => desk.refreshStatus())

  return (
    <div className={styles.desk} data-stale={!connected || undefined}>
      <Patterns />
      {!connected && (
        <div className={styles.banner} role="alert" data-testid="connection-banner">
          Disconnected from Sluice. What you see may be old; reconnecting…
        </div>
      )}
      <Header
        status={status}
        connected={connected}
        theme={theme}
        filter={<Filter inputRef={filterInput} />}
        onTheme={(next) => desk.preferences.setState({ theme: next })}
        onRecord={(on) => void recording.run({ on }).then(() => desk.refreshStatus())}
        onKeys={() => setKeysOpen(true)}
      />
      {error !== null && (
        <Notice what="The state of Sluice could not be read." error={error} onRetry={() => void desk.refreshStatus()} />
      )}
      {recording.error !== null && (
        <Notice what="Recording could not be switched." error={recording.error} onDismiss={recording.clearError} />
      )}
      {demo.error !== null && (
        <Notice what="The demo could not be switched." error={demo.error} onDismiss={demo.clearError} />
      )}
      <Group orientation="horizontal" className={styles.body} {...layout}>
        <Panel id="rail" minSize={130} maxSize={360}>
          <Rail
            status={status}
            selected={selectedBackend}
            view={view}
            streams={streams}
            calls={total}
            now={now}
            onBackend={(backend) => desk.selection.setState({ backend })}
            onAdd={() => setAdding(true)}
            onView={(next) => desk.selection.setState({ view: next, backend: null })}
            onDemo={setDemo}
          />
        </Panel>
        <Separator />
        <Panel id="work" minSize={400}>
          <main className={styles.work}>
            <Work onDemo={status?.demo?.running === false ? () => setDemo(true) : null} demoError={demo.error} />
          </main>
        </Panel>
      </Group>
      <KeysSheet open={keysOpen} onClose={() => setKeysOpen(false)} />
      {adding && <AddBackendDialog onClose={() => setAdding(false)} />}
    </div>
  )
}

function Notice(props: ComponentProps<typeof Failure>) {
  return (
    <div className={styles.failure}>
      <Failure {...props} />
    </div>
  )
}

function Filter({ inputRef }: { inputRef: RefObject<HTMLInputElement | null> }) {
  const { calls } = useDesk()
  const { filterText, filter, searching, searchError, rows, pinned, total } = useCalls((state) => state)
  const [seen] = useState(() => () => calls.newest())
  return (
    <FilterBox
      text={filterText}
      filter={filter}
      searching={searching}
      searchError={searchError}
      shown={rows.length + pinned.length}
      total={total}
      keys={FILTER_KEYS}
      seen={seen}
      inputRef={inputRef}
      onChange={(text) => calls.setFilter(text)}
      onLeave={() => {
        inputRef.current?.blur()
        document.querySelector<HTMLElement>('[role=grid]')?.focus()
      }}
    />
  )
}

interface WorkProps {
  /** Null when there is no demo or it runs. */
  onDemo: (() => void) | null
  demoError: CommandError | null
}

/** The table and what is selected in it; or what to do first. */
function Work({ onDemo, demoError }: WorkProps) {
  const status = useStatus((state) => state.status)
  const total = useCalls((state) => state.total)
  const loading = useCalls((state) => state.loading)
  const failed = useCalls((state) => state.error !== null)
  const place = usePreferences((preferences) => preferences.detail)
  const { call, backend, view } = useSelection((selection) => selection)
  const shown = status?.backends.find((each) => each.name === backend)
  const layout = useLayout(place, { table: 42, detail: 58 })
  const open = shown !== undefined || call !== null

  if (status !== null && status.backends.length === 0 && total === 0) {
    return (
      <NoBackend
        form={<AddBackendForm />}
        imports={<ImportBackends />}
        onDemo={onDemo}
        noDemo={status.demo === null}
        demoError={demoError === null ? null : <Failure what="The demo could not be started." error={demoError} />}
        configFile={status.configFile}
      />
    )
  }
  const table =
    view === 'subscriptions' ? (
      <SubscriptionsPane />
    ) : status !== null && total === 0 && !loading && !failed ? (
      <NoCall endpoint={status.endpoint} onDemo={onDemo} />
    ) : (
      <CallsPane />
    )
  // The table stays the same element whether something is open or not: it keeps its place and the focus.
  return (
    <Group orientation={place === 'below' ? 'vertical' : 'horizontal'} {...layout}>
      <Panel id="table" minSize={110}>
        {table}
      </Panel>
      {open && <Separator />}
      {open && (
        <Panel id="detail" minSize={160} defaultSize={`${layout.defaultLayout.detail ?? 58}`}>
          <Selected backend={shown} call={call} />
        </Panel>
      )}
    </Group>
  )
}

function Selected({ backend, call }: { backend: BackendStatus | undefined; call: number | null }) {
  if (backend !== undefined) return <BackendPane key={backend.name} backend={backend} />
  return call === null ? null : <DetailPane call={call} />
}

function useTheme(): void {
  const theme = usePreferences((preferences) => preferences.theme)
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }, [theme])
}
