import type { HeaderList } from '../../shared/capture/events'
import { ErrorCode } from '../../shared/protocol/errors'
import type { Era } from '../../shared/protocol/revisions'
import { SessionError, type BackendState, type Initialized } from './backend'
import type { BackendTiming } from './backend-options'
import { discoverText, isModernCode, readDiscover, readTrouble, type EraVerdict } from './era'
import type { HttpConnection } from './http-connection'
import type { HttpSession } from './http-session'
import { modernExchange } from './modern-exchange'
import { errorOf } from './messages'
import { readAnswer } from './own-question'
import type { SharedSessions } from './shared-sessions'

export interface HttpProbeOptions {
  http: HttpConnection
  sessions: SharedSessions<HttpSession>
  pinned: Era | undefined
  timing: BackendTiming
  version: string
}

/** What a probe found. `passing`: it may be different in a while. */
export interface Finding {
  state: Omit<BackendState, 'changedAt'>
  passing: boolean
}

/**
 * Finds out how an HTTP backend is and which era it speaks, with as little as will do: `server/discover`; `initialize`
 * where that is not understood; and where there is a session, a ping.
 */
export class HttpProbe {
  readonly #options: HttpProbeOptions
  #doubted = false

  constructor(options: HttpProbeOptions) {
    this.#options = options
  }

  /** An answer contradicts what is known of the era: the next probe takes nothing for known. */
  doubt(): void {
    this.#doubted = true
  }

  /** `headers`: the fields of a client that pass. `era`: what is known. */
  async probe(headers: HeaderList, era: Era | null): Promise<Finding> {
    const { pinned, sessions } = this.#options
    const doubted = this.#doubted
    this.#doubted = false
    if (pinned === 'legacy') return this.#legacy(headers, pinned, undefined)
    const session = era === 'legacy' && !doubted ? sessions.known(headers) : undefined
    const alive = session === undefined ? undefined : await this.#ping(session)
    if (alive !== undefined) return alive
    const verdict = await this.#discover(headers)
    if (verdict.kind === 'not-modern' && pinned === 'modern') {
      const reason = `${verdict.why} ("era" is "modern" in its configuration)`
      return { state: { health: 'degraded', era: 'modern', reason }, passing: false }
    }
    if (verdict.kind === 'not-modern') return this.#legacy(headers, era === 'modern' ? null : era, verdict.why)
    const passing = verdict.kind === 'unknown' && verdict.state.health !== 'needs-sign-in'
    return { state: { ...verdict.state, era: verdict.state.era ?? era }, passing }
  }

  async #discover(headers: HeaderList): Promise<EraVerdict> {
    const { http, timing, version } = this.#options
    const id = 'sluice-discover'
    const signal = AbortSignal.timeout(timing.discoverMs)
    const request = { method: 'server/discover', id, body: discoverText(id, version), headers }
    const parts = modernExchange(http, request, signal, () => undefined)
    const answer = await readAnswer(parts, id)
    const silent = signal.aborted && answer.message === undefined
    const failure = `no answer to server/discover within ${timing.discoverMs / 1000} s`
    return readDiscover(silent ? { ...answer, failure } : answer)
  }

  /** `initialize` is for where there is no session that is alive. */
  async #legacy(headers: HeaderList, era: Era | null, notModern: string | undefined): Promise<Finding> {
    const { sessions } = this.#options
    const session = sessions.known(headers)
    if (session !== undefined) {
      const alive = await this.#ping(session)
      if (alive !== undefined) return alive
      await session.close()
    }
    try {
      return ready((await sessions.get(headers)).initialized)
    } catch (error) {
      if (!(error instanceof SessionError)) throw error
      return noSession(error, era, notModern)
    }
  }

  /** How the backend is; undefined when the answer contradicts that it is legacy, or that the session is one. */
  async #ping(session: HttpSession): Promise<Finding | undefined> {
    const answer = await session.ping()
    if (answer.wrongEra === true || isModernCode(errorOf(answer.message)?.code)) return undefined
    const trouble = readTrouble(answer, 'ping')
    if (trouble !== undefined)
      return { state: { ...trouble, era: 'legacy' }, passing: trouble.health !== 'needs-sign-in' }
    return answer.message === undefined ? undefined : ready(session.initialized)
  }
}

function ready(initialized: Initialized): Finding {
  const { serverInfo } = initialized
  return { state: { health: 'ready', era: 'legacy', initialized, ...(serverInfo && { serverInfo }) }, passing: false }
}

function noSession(error: SessionError, era: Era | null, notModern: string | undefined): Finding {
  const { detail, status, challenge, reason, code } = error
  if (status === 401 || status === 403) {
    const given = challenge === undefined ? {} : { challenge }
    return { state: { health: 'needs-sign-in', era, reason: detail, ...given }, passing: false }
  }
  if (reason !== 'protocol') return { state: { health: 'down', era, reason: detail }, passing: true }
  if (status >= 500) return { state: { health: 'degraded', era, reason: detail }, passing: true }
  const hint =
    status === 404 || status === 405 || status === 400
      ? '; is this its MCP endpoint? A server of 2024-11-05 needs "type": "sse"'
      : ''
  const both = `${notModern === undefined ? '' : `${notModern}; `}${detail}${hint}`
  // It speaks neither era as it should: nothing is known. What it calls trouble of its own may pass.
  const passing = code === ErrorCode.InternalError
  return { state: { health: 'degraded', era: notModern === undefined ? era : null, reason: both }, passing }
}
