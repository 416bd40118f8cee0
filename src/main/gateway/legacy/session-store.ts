import { ClientSession, type SessionFacts } from './client-session'

const MAX_SESSIONS = 1_000
const IDLE_MS = 30 * 60_000
const SWEEP_MS = 60_000

/** The legacy sessions of this gateway. Idle ones are closed; beyond the bound the longest unused gives way. */
export class SessionStore {
  readonly #sessions = new Map<string, ClientSession>()
  readonly #sweep: NodeJS.Timeout

  constructor(readonly now: () => number = Date.now) {
    this.#sweep = setInterval(() => this.#closeIdle(), SWEEP_MS)
    this.#sweep.unref()
  }

  get size(): number {
    return this.#sessions.size
  }

  all(): readonly ClientSession[] {
    return [...this.#sessions.values()]
  }

  open(facts: SessionFacts): ClientSession {
    if (this.#sessions.size >= MAX_SESSIONS) {
      const oldest = this.all().reduce((one, other) => (other.lastUsed < one.lastUsed ? other : one))
      void this.close(oldest)
    }
    const session = new ClientSession(facts)
    this.#sessions.set(session.id, session)
    return session
  }

  /** The session with that id, of that endpoint and caller; nobody else's is found. */
  find(id: string, endpoint: string, caller: string | null): ClientSession | undefined {
    const session = this.#sessions.get(id)
    if (session === undefined || session.facts.endpoint !== endpoint || session.facts.caller !== caller)
      return undefined
    session.lastUsed = this.now()
    return session
  }

  async close(session: ClientSession): Promise<void> {
    this.#sessions.delete(session.id)
    await session.close()
  }

  async closeAll(): Promise<void> {
    clearInterval(this.#sweep)
    await Promise.all(this.all().map((session) => this.close(session)))
  }

  #closeIdle(): void {
    for (const session of this.all()) {
      if (!session.busy && this.now() - session.lastUsed > IDLE_MS) void this.close(session)
    }
  }
}
