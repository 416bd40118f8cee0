import type { ProcessRegistry } from './process-registry'
import type { CaptureSource } from './replay/capture-source'

/** Every time that a connector waits, in milliseconds. */
export interface BackendTiming {
  /** For the answer to `server/discover`. */
  discoverMs: number
  /** For the answer to `initialize`; a stdio server may have to be downloaded first. */
  initializeMs: number
  /**
   * For a process that starts, by a call that came through another gateway, since the start may wait for that gateway;
   * less than `discoverMs`, so that it learns why there is no answer.
   */
  cascadeMs: number
  /** Pauses before a backend that is down is tried again; the last one repeats. */
  probePausesMs: readonly number[]
  /** Pauses before a process that ended is started again; the last one repeats. */
  restartPausesMs: readonly number[]
  /** A process that was ready for so long is no longer one that fails in a row. */
  steadyMs: number
  /** Between closing stdin, SIGTERM and SIGKILL. */
  stopWaitMs: number
  /** With calls under way nothing may come for so long, before a server is asked whether it is there at all. */
  quietMs: number
  /** Before a broken stream of a legacy session is taken up again, unless the server says `retry`. */
  resumeMs: number
}

export interface BackendOptions {
  /** Largest single message of a backend. */
  maxMessageBytes: number
  /** Version of this gateway, for `User-Agent` and `clientInfo`. */
  version: string
  /** This gateway in `Via` (RFC 9110 7.6.3). */
  via: string
  /** The PATH that commands are looked up in, where the gateway's own environment has not the user's. */
  searchPath?: () => Promise<string | undefined>
  /** Where running processes are written down, so that those of a crashed run can be ended at the next start. */
  processes?: ProcessRegistry
  timing?: Partial<BackendTiming>
  /** Reads the captures of replay backends; without it they are down. */
  captures?: CaptureSource
}

const DEFAULT_TIMING: BackendTiming = {
  discoverMs: 5_000,
  initializeMs: 60_000,
  cascadeMs: 4_000,
  // Loopback servers come up in any order: who starts one looks at the desk for it at once.
  probePausesMs: [500, 1_000, 2_000, 3_000],
  restartPausesMs: [250, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000],
  steadyMs: 1_000,
  stopWaitMs: 600,
  quietMs: 10_000,
  resumeMs: 1_000,
}

export function timingOf(options: BackendOptions): BackendTiming {
  return { ...DEFAULT_TIMING, ...options.timing }
}
