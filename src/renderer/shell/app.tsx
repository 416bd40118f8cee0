import { type ComponentProps, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { useStore } from 'zustand'
import { Palette, type PalettePlace } from '../actions/palette'
import { useActionKeys, useActions } from '../actions/use-actions'
import { FILTER_KEYS } from '../../shared/capture/filter'
import { AddBackendDialog } from '../backends/add-backend-dialog'
import { backendCommands } from '../backends/backend-commands'
import { ChangeBackends } from '../backends/change-backends'
import { ChangeNotice } from '../backends/change-notice'
import { useChangeBackends } from '../backends/use-change-backends'
import { FilterBox } from '../calls/filter-box'
import { CallsMenu } from '../captures/calls-menu'
import { CapturePane, CaptureWaiting } from '../captures/capture-pane'
import { CapturesSection } from '../captures/captures-section'
import { DropCaptures } from '../captures/drop-captures'
import { OpenCaptureDialog } from '../captures/open-capture'
import { ComparePane } from '../compare/compare-pane'
import { Failure } from '../controls/failure'
import { useCommand } from '../controls/use-command'
import { useLayout } from '../controls/use-layout'
import { useWallClock } from '../controls/use-wall-clock'
import { ReplayItems } from '../replay/replay-items'
import { ReplayFailure, ReplayPane } from '../replay/replay-pane'
import {
  SourceProvider,
  useCalls,
  useCaptures,
  useComparison,
  useDesk,
  usePreferences,
  useReplays,
  useSource,
  useStatus,
} from '../stores/desk-context'
import type { Selection } from '../stores/selection-store'
import { goToNextPart } from './go-to-part'
import { Header, NEXT_THEME } from './header'
import { keepFocus } from './keep-focus'
import { KeysSheet } from './keys-sheet'
import { Patterns } from './patterns'
import { Rail } from './rail'
import { Tour } from '../tour/tour'
import { useDesktopMenu } from './use-desktop-menu'
import { usePlaces } from './use-places'
import { Unauthorized } from './unauthorized'
import { Work } from './work'
import styles from './shell.module.css'

/** The desk: header, rail, and what is looked at. */
export function App() {
  const desk = useDesk()
  const unauthorized = useStatus((state) => state.unauthorized)
  const { current, captures } = useCaptures((state) => state)
  const { current: replay, replays } = useReplays((state) => state)
  const compared = useComparison((state) => state.shown)
  useTheme()
  useEffect(() => keepFocus(document), [])
  if (unauthorized) return <Unauthorized />
  const capture = captures.find(({ id }) => id === current)
  const source = current === null ? null : (desk.captures.source(current) ?? null)
  const shown =
    compared !== null ? (
      <ComparePane key={JSON.stringify(compared)} calls={compared} />
    ) : replay !== null ? (
      <ReplayPane key={replay} status={replays.find(({ id }) => id === replay)} />
    ) : current === null ? null : capture === undefined || source === null ? (
      <CaptureWaiting status={capture} />
    ) : (
      <CapturePane key={current} status={capture} source={source} />
    )
  return (
    <SourceProvider source={source}>
      <ChangeBackends>
        <Desk
          shown={shown}
          captureName={capture?.name ?? null}
          filtering={compared === null && replay === null && (current === null || source !== null)}
        />
      </ChangeBackends>
    </SourceProvider>
  )
}

interface DeskProps {
  /** What is shown of a replay or an opened capture; null while the live run is looked at. */
  shown: ReactNode
  /** Of the opened capture that is looked at. */
  captureName: string | null
  /** There are calls to filter. */
  filtering: boolean
}

function Desk({ shown, captureName, filtering }: DeskProps) {
  const desk = useDesk()
  const { status, connected, error } = useStatus((state) => state)
  const theme = usePreferences((preferences) => preferences.theme)
  const chosenKeys = usePreferences((preferences) => preferences.keys)
  const { captures, recent, current, upload, error: captureError } = useCaptures((state) => state)
  const { current: replay, replays } = useReplays((state) => state)
  const { backend: selectedBackend, view } = useStore(desk.selection)
  const total = useStore(desk.calls.store, (state) => state.total)
  const streams = useStore(desk.calls.store, () => desk.calls.openStreams)
  const [keysOpen, setKeysOpen] = useState(false)
  /** What the palette begins with; null while it is closed. */
  const [palette, setPalette] = useState<string | null>(null)
  const [adding, setAdding] = useState(false)
  const [opening, setOpening] = useState(false)
  const recording = useCommand('recording.set')
  const demo = useCommand('demo.set')
  const layout = useLayout('desk', { rail: 15, work: 85 })
  const now = useWallClock(5_000)
  const filterInput = useRef<HTMLInputElement>(null)

  const openCapture = async () => {
    const { files } = desk.connection
    if (files === undefined) return setOpening(true)
    for (const file of await files.chooseCaptures()) await openFile(file)
  }
  const openFile = (file: string) => {
    desk.comparison.close()
    desk.replays.show(null)
    return desk.captures.open(file)
  }
  const setDemo = (running: boolean) => void demo.run({ running }).then(() => desk.refreshStatus())
  const showCapture = (id: string | null) => {
    desk.comparison.close()
    desk.replays.show(null)
    desk.captures.show(id)
  }
  const showReplay = (id: string) => {
    desk.comparison.close()
    desk.replays.show(id)
  }
  const show = (looked: Partial<Selection>) => {
    showCapture(null)
    desk.selection.setState(looked)
  }
  const live = current === null && replay === null
  const source = useSource()
  const places = usePlaces()
  const changeBackends = useChangeBackends()
  /** Of the live run or the capture behind a replay that is shown. */
  const look = (looked: Partial<Selection>) => {
    desk.comparison.close()
    desk.replays.show(null)
    source.selection.setState(looked)
  }
  const record = (on: boolean) => void recording.run({ on }).then(() => desk.refreshStatus())
  const setTheme = (next: typeof theme) => desk.preferences.setState({ theme: next })
  const runsDemo = status?.demo?.running
  useActionKeys(chosenKeys)
  useDesktopMenu(desk.connection.menu)
  useActions({
    'palette.open': () => setPalette(''),
    'keys.show': () => setKeysOpen(true),
    'theme.next': () => setTheme(NEXT_THEME[theme]),
    ...(status !== null && { 'recording.toggle': () => record(!status.recording.on) }),
    ...(runsDemo !== undefined && { 'demo.toggle': () => setDemo(!runsDemo) }),
    'go.calls': () => show({ view: 'calls', backend: null }),
    'go.subscriptions': () => show({ view: 'subscriptions', backend: null }),
    'go.compose': () => show({ view: 'compose', backend: null }),
    'go.settings': () => show({ view: 'settings', backend: null }),
    'go.findings': () => look({ view: 'findings', backend: null }),
    'go.statistics': () => look({ view: 'statistics', backend: null }),
    'go.nextPart': () => goToNextPart(document),
    'go.call': () => setPalette('#'),
    ...(places.back !== undefined && { 'go.back': places.back }),
    ...(places.forward !== undefined && { 'go.forward': places.forward }),
    'calls.filter': () => filterInput.current?.focus(),
    'calls.clearFilter': () => source.calls.setFilter(''),
    'captures.open': () => void openCapture(),
    'backends.add': () => setAdding(true),
  })
  const listed: PalettePlace[] = [
    ...[...(status?.backends ?? []), ...(status?.off ?? [])].map(({ name }) => ({
      id: `backend ${name}`,
      kind: 'Backend',
      name,
      go: () => show({ backend: name }),
    })),
    ...captures.map(({ id, name }) => ({
      id: `capture ${id}`,
      kind: 'Capture',
      name,
      go: () => showCapture(id),
    })),
  ]

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
        filter={
          filtering ? (
            <>
              <Filter inputRef={filterInput} />
              <CallsMenu name={captureName ?? 'sluice'} />
            </>
          ) : (
            <span className={styles.filterPlace} />
          )
        }
        onTheme={setTheme}
        onRecord={record}
        onKeys={() => setKeysOpen(true)}
        onPalette={() => setPalette('')}
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
      {captureError !== null && (
        <Notice
          what="This could not be done with captures."
          error={captureError}
          onDismiss={() => desk.captures.clearError()}
        />
      )}
      <ChangeNotice />
      <ReplayFailure />
      <Tour />
      <Group orientation="horizontal" className={styles.body} {...layout}>
        <Panel id="rail" minSize={130} maxSize={360}>
          <Rail
            status={status}
            selected={live ? selectedBackend : null}
            captures={
              <CapturesSection
                view={live && selectedBackend === null ? view : null}
                calls={total}
                streams={streams}
                captures={captures}
                recent={recent}
                current={replay === null ? current : null}
                upload={upload}
                onView={(next) => show({ view: next, backend: null })}
                onShow={showCapture}
                onOpen={() => void openCapture()}
                onOpenFile={(file) => void openFile(file)}
              />
            }
            replays={<ReplayItems replays={replays} current={replay} onShow={showReplay} />}
            now={now}
            view={live && selectedBackend === null ? view : null}
            onView={(next) => show({ view: next, backend: null })}
            onBackend={(backend) => show({ backend })}
            onAdd={() => setAdding(true)}
            onDemo={setDemo}
          />
        </Panel>
        <Separator />
        <Panel id="work" minSize={400}>
          <main className={styles.work} data-tour="work" data-part="work">
            {shown ?? (
              <Work onDemo={status?.demo?.running === false ? () => setDemo(true) : null} demoError={demo.error} />
            )}
          </main>
        </Panel>
      </Group>
      <DropCaptures />
      {keysOpen && <KeysSheet onClose={() => setKeysOpen(false)} />}
      {palette !== null && (
        <Palette
          initial={palette}
          places={listed}
          ofBackends={backendCommands(status, changeBackends)}
          chosen={chosenKeys}
          onCall={(call) => look({ view: 'calls', backend: null, call })}
          onClose={() => setPalette(null)}
        />
      )}
      {adding && <AddBackendDialog onClose={() => setAdding(false)} />}
      {opening && <OpenCaptureDialog onClose={() => setOpening(false)} />}
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
  const { calls } = useSource()
  const { filterText, filter, searching, searchError, matching, total } = useCalls((state) => ({
    filterText: state.filterText,
    filter: state.filter,
    searching: state.searching,
    searchError: state.searchError,
    matching: state.matching,
    total: state.total,
  }))
  const seen = useCallback(() => calls.newest(), [calls])
  return (
    <FilterBox
      text={filterText}
      filter={filter}
      searching={searching}
      searchError={searchError}
      shown={matching}
      total={total}
      keys={FILTER_KEYS}
      seen={seen}
      inputRef={inputRef}
      onChange={(text) => calls.setFilter(text)}
      onLeave={() => {
        inputRef.current?.blur()
        document.querySelector<HTMLElement>('[role=grid], [role=treegrid]')?.focus()
      }}
    />
  )
}

function useTheme(): void {
  const theme = usePreferences((preferences) => preferences.theme)
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }, [theme])
}
