import type { HeaderList } from '../../shared/capture/events'
import type { LegacySession } from './backend'
import { sessionKey } from './session-headers'

/** As many credentials at once have a session kept for them; idle ones beyond are ended, the longest unused first. */
const MOST_SESSIONS = 64

/** One session for all who pass the same header fields. */
export class SharedSessions<Session extends LegacySession> {
  readonly #sessions = new Map<string, Promise<Session>>()
  readonly #opened = new Map<string, Session>()

  constructor(
    readonly begin: (headers: HeaderList) => Promise<Session>,
    /** Ending a session nobody asked for may fail. */
    readonly failed: (error: unknown) => void,
  ) {}

  /** The session that is there already, if one is. */
  known(headers: HeaderList): Session | undefined {
    const session = this.#opened.get(sessionKey(headers))
    return session?.open === true ? session : undefined
  }

  /** Rejects as `begin` does; the next caller then tries anew. */
  get(headers: HeaderList): Promise<Session> {
    const key = sessionKey(headers)
    const known = this.#sessions.get(key)
    const opened = this.#opened.get(key)
    if (known !== undefined && opened?.open !== false) {
      this.#sessions.delete(key)
      this.#sessions.set(key, known)
      return known
    }
    this.#opened.delete(key)
    const beginning = this.begin(headers)
    this.#sessions.set(key, beginning)
    beginning.then(
      (session) => {
        if (this.#sessions.get(key) !== beginning) return
        this.#opened.set(key, session)
        this.#trim()
      },
      () => {
        if (this.#sessions.get(key) === beginning) this.#sessions.delete(key)
      },
    )
    return beginning
  }

  /** The sessions that are there, which are then no longer kept here. */
  takeAll(): Session[] {
    const sessions = [...this.#opened.values()]
    this.#sessions.clear()
    this.#opened.clear()
    return sessions
  }

  #trim(): void {
    for (const key of this.#sessions.keys()) {
      if (this.#sessions.size <= MOST_SESSIONS) return
      const session = this.#opened.get(key)
      if (session === undefined || session.inFlight > 0) continue
      this.#sessions.delete(key)
      this.#opened.delete(key)
      session.close().catch(this.failed)
    }
  }
}
