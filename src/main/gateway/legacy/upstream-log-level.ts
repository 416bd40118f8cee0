import { LOG_LEVELS, type LogLevel } from '../../../shared/protocol/meta'
import type { LegacySession } from '../../backends/backend'

/** The setting is a courtesy: a backend that does not answer it does not hold up the call. */
const WAIT_MS = 2_000

/**
 * A legacy backend has one log level a connection; a modern call has its own, and so has each legacy client. Upstream is
 * set the most verbose level that any of them asks for; what one did not ask for is withheld from it.
 */
export class UpstreamLogLevel {
  readonly #connections = new Map<symbol, { wanted: Map<object, LogLevel>; set: LogLevel | undefined }>()
  #last = 0

  /** Sees to it that messages at `level` come to `who`, until the function is called that it resolves with. */
  async want(session: LegacySession, who: object, level: LogLevel): Promise<() => void> {
    const { connection } = session
    const known = this.#connections.get(connection) ?? { wanted: new Map<object, LogLevel>(), set: undefined }
    if (!this.#connections.has(connection)) {
      this.#connections.set(connection, known)
      session.onClosed(() => this.#connections.delete(connection))
    }
    known.wanted.set(who, level)
    const release = (): void => {
      known.wanted.delete(who)
      if (!session.open) this.#connections.delete(connection)
    }
    const lowest = [...known.wanted.values()].reduce((one, other) => (rank(other) < rank(one) ? other : one), level)
    if (known.set !== lowest && session.initialized.capabilities.logging !== undefined) {
      known.set = lowest
      await this.#send(session, lowest)
    }
    return release
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
