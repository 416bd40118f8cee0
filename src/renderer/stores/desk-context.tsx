import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { CallSummary } from '../../shared/capture/summary'
import type { CapturesState } from '../captures/captures'
import type { ComparisonState } from '../compare/comparison'
import type { ReplaysState } from '../replay/replays'
import type { CallLog, CallLogs, CallLogState } from './call-logs'
import type { CallsState } from './calls-store'
import type { Desk } from './desk'
import type { Preferences } from './preferences-store'
import type { Selection } from './selection-store'
import type { Source } from './source'
import type { StatusState } from './status-store'

const DeskContext = createContext<Desk | null>(null)

export function DeskProvider({ desk, children }: { desk: Desk; children: ReactNode }) {
  return <DeskContext value={desk}>{children}</DeskContext>
}

const SourceContext = createContext<Source | null>(null)

/** Null: the live run. */
export function SourceProvider({ source, children }: { source: Source | null; children: ReactNode }) {
  return <SourceContext value={source}>{children}</SourceContext>
}

export function useDesk(): Desk {
  const desk = useContext(DeskContext)
  if (desk === null) throw new Error('useDesk needs a DeskProvider above it')
  return desk
}

/** What is looked at: the live run, or a capture above which a `SourceProvider` stands. */
export function useSource(): Source {
  const desk = useDesk()
  return useContext(SourceContext) ?? desk
}

export function useStatus<T>(select: (state: StatusState) => T): T {
  return useStore(useDesk().status, select)
}
export function useCalls<T>(select: (state: CallsState) => T): T {
  return useStore(useSource().calls.store, useShallow(select))
}
export function useSelection<T>(select: (state: Selection) => T): T {
  return useStore(useSource().selection, select)
}
export function useCaptures<T>(select: (state: CapturesState) => T): T {
  return useStore(useDesk().captures.store, select)
}
export function useReplays<T>(select: (state: ReplaysState) => T): T {
  return useStore(useDesk().replays.store, select)
}
export function useComparison<T>(select: (state: ComparisonState) => T): T {
  return useStore(useDesk().comparison.store, select)
}
export function usePreferences<T>(select: (state: Preferences) => T): T {
  return useStore(useDesk().preferences, select)
}

/** The summary of one call; draws again only when that call changed. */
export function useCall(call: number | null): CallSummary | undefined {
  const { calls } = useSource()
  const subscribe = useCallback(
    (listener: () => void) => (call === null ? () => undefined : calls.subscribeCall(call, listener)),
    [calls, call],
  )
  return useSyncExternalStore(subscribe, () => (call === null ? undefined : calls.get(call)))
}

/** A part of what is known of one call, a value or something that is kept: draws again only when it is another. */
export function useCallPart<T>(call: number, select: (summary: CallSummary | undefined) => T): T {
  const { calls } = useSource()
  const subscribe = useCallback((listener: () => void) => calls.subscribeCall(call, listener), [calls, call])
  return useSyncExternalStore(subscribe, () => select(calls.get(call)))
}

/** The highest round seen of an operation. */
export function useRounds(operation: string | null): number {
  const { calls } = useSource()
  const subscribe = useCallback(
    (listener: () => void) => (operation === null ? () => undefined : calls.subscribeRounds(operation, listener)),
    [calls, operation],
  )
  return useSyncExternalStore(subscribe, () => (operation === null ? 1 : calls.roundsOf(operation)))
}

/** The capture's time in microseconds, moving `perSecond` times a second while `active`. */
export function useNow(active: boolean, perSecond: 1 | 10 = 10): number {
  const { clock, ticks } = useSource()
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => {
    if (!active) return
    setNow(clock.now())
    return ticks.onTick(perSecond === 1 ? 1_000 : 100, () => setNow(clock.now()))
  }, [clock, ticks, active, perSecond])
  return now
}

/** Opens a call as long as the component is there. Null until it is opened. */
export function useCallLog(call: number | null): CallLog | null {
  return useLogOf(useSource().logs, call)
}

/** The same of any source. */
export function useLogOf(logs: CallLogs | null, call: number | null): CallLog | null {
  const [log, setLog] = useState<CallLog | null>(null)
  useEffect(() => {
    if (call === null || logs === null) return
    const held = logs.acquire(call)
    setLog(held.log)
    return () => {
      held.release()
      setLog(null)
    }
  }, [logs, call])
  return log !== null && log.call === call ? log : null
}

export function useLogState(log: CallLog): CallLogState {
  return useStore(log.store)
}
