import type { DeskConnection, OpenedCaptureStatus } from '../../shared/api/contract'
import { parseFilter } from '../../shared/capture/filter'
import { Playback } from '../captures/playback'
import { captureConnection } from '../connection/capture-connection'
import { CallLogs } from './call-logs'
import { CallsStore } from './calls-store'
import type { PreferencesStore } from './preferences-store'
import { drawnTogether } from './drawn-together'
import { createSelectionStore, type SelectionStore } from './selection-store'
import { Ticks } from './ticks'

/** Tells the time of a capture. */
export interface SourceClock {
  /** Wall clock of the capture's beginning, Unix milliseconds. */
  readonly startedAt: number
  /** Microseconds since the capture began. */
  now(): number
}

/** What the table and the detail show: the live run, or a capture that was opened. */
export interface Source {
  /** Null for the live run. */
  id: string | null
  /** Answers of this capture. */
  connection: DeskConnection
  clock: SourceClock
  /** When what shows its time is drawn. */
  ticks: Ticks
  calls: CallsStore
  logs: CallLogs
  selection: SelectionStore
  /** Null for the live run, which plays by itself. */
  playback: Playback | null
}

export interface SourceSurroundings {
  connection: DeskConnection
  preferences: PreferencesStore
  wallNow: () => number
  later: (task: () => void, delayMs: number) => void
  frame: (task: () => void) => void
}

export interface CaptureSource extends Source {
  id: string
  playback: Playback
  /** Loads its rows (again, after a failure). */
  load(): Promise<void>
  close(): void
}

/** The stores of a capture that is open in main. */
export function createCaptureSource(status: OpenedCaptureStatus, around: SourceSurroundings): CaptureSource {
  const { preferences, wallNow, later, frame } = around
  const together = drawnTogether(frame, later)
  const connection = captureConnection(around.connection, status.id)
  const startedAt = Date.parse(status.startedAt ?? '')
  const clock: SourceClock = { startedAt: Number.isNaN(startedAt) ? 0 : startedAt, now: () => playback.now }
  const calls = new CallsStore({ connection, parseFilter, now: () => clock.now(), later, together })
  const playback = new Playback({ calls, now: wallNow, frame, together })
  const logs = new CallLogs(connection, together, {
    at: () => playback.horizon,
    onChange: (listener) => playback.onHorizon(listener),
  })
  const leave = followPreferences(preferences, calls)
  return {
    id: status.id,
    connection,
    clock,
    ticks: new Ticks((task, turn) => playback.together(task, turn)),
    calls,
    logs,
    selection: createSelectionStore(),
    playback,
    async load() {
      await calls.load()
      playback.load(calls.ordered())
    },
    close() {
      leave()
      playback.pause()
    },
  }
}

/** Order and pinning are the same for all sources; each has its own grouping and begins with the last that was chosen. */
export function followPreferences(preferences: PreferencesStore, calls: CallsStore): () => void {
  const { sort, pinInFlight, grouping } = preferences.getState()
  calls.setSort(sort)
  calls.setPinInFlight(pinInFlight)
  calls.setGrouping(grouping)
  return preferences.subscribe((now, before) => {
    if (now.sort !== before.sort) calls.setSort(now.sort)
    if (now.pinInFlight !== before.pinInFlight) calls.setPinInFlight(now.pinInFlight)
  })
}
