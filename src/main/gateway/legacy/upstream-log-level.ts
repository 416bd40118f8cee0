import { LOG_LEVELS, type LogLevel } from '../../../shared/protocol/meta'
import type { LegacySession } from '../../backends/backend'
import type { Call } from '../call'

/** The setting is a courtesy: a backend that does not answer it does not hold up the call. */
const WAIT_MS = 2_000

/**
 * A legacy backend has one log level a session, a modern call has its own. Upstream is set the most verbose level that any
 * call in flight asks for; what a call did not ask for is withheld from it by the gate.
 */
export class UpstreamLogLevel {
  readonly #sessions = new WeakMap<LegacySession, { wanted: Map<Call, LogLevel>; set: LogLevel | undefined }>()
  #last = 0

  /** Sees to it that messages at `level` come, before the call goes out; the wish ends with the call. */
  async raise(session: LegacySession, call: Call, level: LogLevel): Promise<void> {
    const known = this.#sessions.get(session) ?? { wanted: new Map<Call, LogLevel>(), set: undefined }
    this.#sessions.set(session, known)
    known.wanted.set(call, level)
    call.onEnd(() => known.wanted.delete(call))
    const lowest = [...known.wanted.values()].reduce((one, other) => (rank(other) < rank(one) ? other : one), level)
    if (known.set === lowest || session.initialized.capabilities.logging === undefined) return
    known.set = lowest
    await this.#send(session, lowest)
  }

  async #send(session: LegacySession, level: LogLevel): Promise<void> {
    const id = `sluice-level-${++this.#last}`
    const method = 'logging/setLevel'
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { level } })
    for await (const part of session.exchange({ method, id, body, headers: [] }, AbortSignal.timeout(WAIT_MS))) {
      if (part.kind === 'frame' && part.data !== undefined && part.data !== '') return
    }
  }
}

function rank(level: LogLevel): number {
  return LOG_LEVELS.indexOf(level)
}
