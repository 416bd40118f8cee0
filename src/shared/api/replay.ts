import type { BackendMapping, PlannedOperation, ReplayPlan } from '../replay/plan'
import type { OperationOutcome, ReplayReport } from '../replay/report'

/** A plan as the desk shows it. */
export interface ShownPlan {
  mapping: BackendMapping[]
  /** Those that need consent first, then those that cannot be sent, then the rest; at most `MAX_PLANNED`, `more` counts the others. */
  operations: PlannedOperation[]
  more: number
  counts: ReplayPlan['counts']
  /** Names of the backends that there are now. */
  backends: string[]
}
export const MAX_PLANNED = 5_000

/** One replay of this run of Sluice, from its plan to its report. */
export interface ReplayStatus {
  id: string
  /** The opened capture whose calls are sent again; null for the live run. */
  capture: string | null
  /** Of the capture. */
  name: string
  state: 'planning' | 'planned' | 'running' | 'paused' | 'done' | 'failed'
  /** It is done since it was stopped. */
  stopped: boolean
  /** Why it failed, in words. */
  problem: string | null
  /** While it is planned: calls that were read; while it runs: operations that have ended. */
  done: number
  total: number
  counts: Record<OperationOutcome, number>
}

/** How a plan is carried out. */
export interface ReplayStart {
  replay: string
  /** Operations (their `index`) that may be sent although they may change something. */
  consented: 'all' | number[]
  /** One after the other, or at the times of the recording. */
  pacing: 'in-order' | 'captured'
  /** JSON pointers with `*` of what does not count in the comparison. */
  ignore: string[]
}

/** The commands that send recorded calls again. */
export interface ReplayCommands {
  /**
   * Says what would be sent where, and sends nothing. `calls`: which ones, all when absent. `filter`: by which they were
   * chosen; of a call that asked several backends only what it means is sent. `instead`: a replay that this one replaces.
   */
  'replay.plan': {
    request: {
      capture?: string
      calls?: number[]
      filter?: string
      mapping?: Record<string, string>
      instead?: string
    }
    response: { replay: string; plan: ShownPlan }
  }
  /** Begins to send; the feed `replays` tells how it goes on. */
  'replay.start': { request: ReplayStart; response: Record<string, never> }
  'replay.pause': { request: { replay: string; paused: boolean }; response: Record<string, never> }
  /** Gives up what is under way; the report tells of what was done. */
  'replay.stop': { request: { replay: string }; response: Record<string, never> }
  /** The plan, and the outcome once it is done. */
  'replay.show': { request: { replay: string }; response: { plan: ShownPlan; report: ReplayReport | null } }
  /** Writes the report as JSON; over a file that is there only with `replace`. */
  'replay.save': { request: { replay: string; to: string; replace: boolean }; response: { file: string } }
  /**
   * Writes the new answers into the opened capture's file, in place of those that differed. `kept`: calls that stay as they
   * are, since a part of them was not sent.
   */
  'replay.keep': { request: { replay: string }; response: { file: string; updated: number; kept: number[] } }
  /** Forgets a replay; one that runs is stopped. */
  'replay.close': { request: { replay: string }; response: Record<string, never> }
  'replay.list': { request: Record<string, never>; response: { replays: ReplayStatus[] } }
  /** Adds a backend to the configuration that answers as a server of an opened capture did. */
  'replay.addBackend': {
    request: { capture: string; name: string; backend?: string }
    response: { added: string }
  }
}
