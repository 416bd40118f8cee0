import type { DeskConnection, DeskStatus } from '../../shared/api/contract'
import { parseFilter } from '../../shared/capture/filter'
import { Comparison } from '../compare/comparison'
import { Captures } from '../captures/captures'
import { Compose } from '../compose/compose-store'
import { lastMoment } from '../captures/summary-at'
import { toCommandError } from '../connection/command-failure'
import { Replays } from '../replay/replays'
import { CallLogs } from './call-logs'
import { CallsStore } from './calls-store'
import { CaptureClock } from './capture-clock'
import { drawnTogether } from './drawn-together'
import { createPreferencesStore, type PreferencesStore } from './preferences-store'
import { rememberedSelection, rememberSelection } from './remembered-selection'
import { createSelectionStore } from './selection-store'
import { followPreferences, type Source } from './source'
import { createStatusStore, type StatusStore } from './status-store'
import { Ticks } from './ticks'

/** The stores of one desk and the connection that feeds them. */
export interface Desk extends Source {
  id: null
  playback: null
  clock: CaptureClock
  status: StatusStore
  /** Those that are open beside the live run, which the desk itself is. */
  captures: Captures
  compose: Compose
  replays: Replays
  comparison: Comparison
  preferences: PreferencesStore
  /** Asks for the status (again), as after a failure. */
  refreshStatus(): Promise<void>
}

export interface DeskSurroundings {
  connection: DeskConnection
  storage: Pick<Storage, 'getItem' | 'setItem'>
  /** Of this page alone: what is looked at, while it is loaded again. */
  session: Pick<Storage, 'getItem' | 'setItem'>
  wallNow: () => number
  later: (task: () => void, delayMs: number) => void
  /** Runs `task` at the next frame of the screen. */
  frame: (task: () => void) => void
}

export function createDesk({ connection, storage, session, wallNow, later, frame }: DeskSurroundings): Desk {
  const clock = new CaptureClock(wallNow)
  const status = createStatusStore()
  const preferences = createPreferencesStore(storage)
  const selection = createSelectionStore()
  const together = drawnTogether(frame, later)
  const logs = new CallLogs(connection, together)
  const calls = new CallsStore({ connection, parseFilter, now: () => clock.now(), later, together })

  const captures = new Captures({ connection, preferences, wallNow, later, frame })
  const compose = new Compose(connection, storage)
  const replays = new Replays(connection)
  const comparison = new Comparison()
  followPreferences(preferences, calls)
  // What is opened is looked at, whatever was looked at before.
  captures.store.subscribe(({ current }, before) => {
    if (current === null || current === before.current) return
    replays.show(null)
    comparison.close()
  })

  selection.subscribe((looked) => {
    const run = status.getState().status?.startedAt
    if (run !== undefined) rememberSelection(session, run, looked)
  })

  function takeStatus(next: DeskStatus): void {
    const known = status.getState().status
    const { call, backend } = selection.getState()
    const remembered = known === null ? rememberedSelection(session, next.startedAt) : null
    if (remembered !== null && call === null && backend === null) selection.setState(remembered)
    if (known !== null && known.startedAt !== next.startedAt) {
      // Sluice was started anew behind this page: its calls count from 1 again.
      selection.setState({ call: null, seq: null })
      calls.clear()
      void calls.load()
      captures.show(null)
    }
    clock.begin(Date.parse(next.startedAt))
    status.setState({ status: next, error: null })
  }

  async function refreshStatus(): Promise<void> {
    try {
      takeStatus(await connection.command('desk.status', {}))
    } catch (reason) {
      status.setState({ error: toCommandError(reason) })
    }
  }

  connection.onFeed('status', takeStatus)
  connection.onFeed('calls', (feed) => {
    for (const summary of feed.calls) clock.observe(lastMoment(summary))
    calls.receive(feed.calls)
  })
  connection.onFeed('call', (feed) => {
    const last = feed.events.at(-1)
    if (last !== undefined) clock.observe(last.at)
  })
  connection.onConnection((connected) => {
    const was = status.getState().connected
    status.setState({ connected })
    if (!connected) calls.disconnected()
    if (!connected || was) return
    void refreshStatus().then(() => calls.load())
    void captures.refresh()
    void replays.refresh()
    logs.reload()
  })
  void refreshStatus()
  void calls.load()
  void captures.refresh()
  void replays.refresh()

  return {
    id: null,
    playback: null,
    connection,
    clock,
    ticks: new Ticks(together),
    status,
    calls,
    logs,
    selection,
    captures,
    compose,
    replays,
    comparison,
    preferences,
    refreshStatus,
  }
}
