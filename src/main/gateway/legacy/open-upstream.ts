import type { HeaderList } from '../../../shared/capture/events'
import { isObject } from '../../../shared/protocol/json-rpc'
import { SessionError, type Backend, type LegacySession } from '../../backends/backend'
import { errorOf } from '../../backends/messages'
import { readAnswer } from '../../backends/own-question'
import { viaOf } from '../../backends/session-headers'
import { withVia } from '../carried-via'
import { unwant } from '../subscriptions/wanted-resources'
import type { ClientSession } from './client-session'
import type { UpstreamLogLevel } from './upstream-log-level'

/** A server that does not answer a ping in this time is asked for real by the call. */
const WAY_MS = 2_000
let lastWay = 0

/** Gives a client session its own session with a legacy backend. */
export type OpenUpstream = (session: ClientSession, backend: Backend, headers: HeaderList) => Promise<LegacySession>

/** The sessions that legacy clients have with legacy backends; each is opened when it is first needed. */
export function upstreamOpener(logLevel: UpstreamLogLevel): OpenUpstream {
  return (session, backend, headers) =>
    session.upstream(backend, async () => {
      const { clientInfo, capabilities, protocolVersion } = session.facts
      const upstream = await backend.open({ clientInfo, capabilities, protocolVersion, headers })
      await checkWay(upstream, backend, headers)
      if (session.logLevel !== undefined) session.onClose(await logLevel.want(upstream, session, session.logLevel))
      upstream.onClosed(session.onClose(() => leave(session, backend, upstream)))
      return upstream
    })
}

/**
 * A handle on a process that runs says nothing of where its messages go. For a client that is a gateway itself a ping goes
 * all the way, so that one that leads back here is found out before what it says unasked goes round for ever.
 */
async function checkWay(upstream: LegacySession, backend: Backend, headers: HeaderList): Promise<void> {
  const [via] = viaOf(headers)
  if (via === undefined || backend.type !== 'stdio') return
  const id = `sluice-way-${++lastWay}`
  const { text: body } = withVia(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }), via[1])
  const parts = upstream.exchange({ method: 'ping', id, body, headers: [] }, AbortSignal.timeout(WAY_MS))
  const error = errorOf((await readAnswer(parts, id)).message)
  if (!isObject(error?.data) || error.data.reason !== 'loop') return
  await upstream.close()
  throw new SessionError('refused', String(error.message))
}

/** On a process that clients share, what only this one wanted is taken back. */
function leave(session: ClientSession, backend: Backend, upstream: LegacySession): void {
  for (const uri of session.subscribed(backend)) {
    if (!unwant(upstream, uri, session) || backend.type !== 'stdio' || !upstream.open) continue
    const method = 'resources/unsubscribe'
    const id = `sluice-leave-${session.id}-${uri}`
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { uri } })
    // It is written at once; the session ends without waiting for the answer.
    upstream.exchange({ method, id, body, headers: [] }, AbortSignal.timeout(1_000))
  }
}
