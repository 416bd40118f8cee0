import { randomUUID } from 'node:crypto'
import { ErrorCode } from '../../../shared/protocol/errors'
import { isLogLevel, LOG_LEVELS } from '../../../shared/protocol/meta'
import { SessionError, type Backend, type LegacySession } from '../../backends/backend'
import { askForCall, type AskingClient } from '../ask'
import type { Call } from '../call'
import type { Ask } from '../catalog/contract'
import { LegacyToLegacy } from '../cells/legacy-to-legacy'
import { LegacyToModern } from '../cells/legacy-to-modern'
import { MirroredArguments } from '../cells/mirrored-arguments'
import { LISTS, mergedResult, routeOf, type ConfiguredBackend, type DispatchParts } from '../dispatch'
import { GatewayError } from '../gateway-error'
import { passedHeaders } from '../passed-headers'
import { relay, type Route } from '../relay'
import { unwant, want } from '../subscriptions/wanted-resources'
import type { ClientSession } from './client-session'
import { legacyResultText } from './legacy-result'
import { modernMeta } from './modern-request'
import type { OpenUpstream } from './open-upstream'

/** Request methods of legacy clients that are relayed to a backend as they are. */
const RELAYED = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
])

export interface LegacyParts extends DispatchParts {
  open: OpenUpstream
  /** Resources of a modern backend were subscribed to, or are no longer; resolves when the backend knows. */
  resubscribe(session: ClientSession, backend: Backend): Promise<void>
}

/** Serves one request of a legacy client within its session (all methods but `initialize`). */
export async function dispatchLegacy(
  call: Call,
  session: ClientSession,
  own: ConfiguredBackend | undefined,
  parts: LegacyParts,
): Promise<void> {
  const { method, params } = call.request
  if (method === 'ping') return call.succeed('{}')
  if (method === 'logging/setLevel') return setLevel(call, session, parts)
  const ask = askIn(call, session, parts)
  if (method === 'resources/subscribe' || method === 'resources/unsubscribe') {
    const route = await resourceRoute(call, own, parts, ask)
    return changeSubscription(call, session, route, parts)
  }
  if (!RELAYED.has(method))
    throw new GatewayError(ErrorCode.MethodNotFound, `Method not found: ${method.slice(0, 200)}`)
  if (own !== undefined) {
    const name = call.request.target
    return relayFrom(
      call,
      session,
      {
        ...own,
        ...(name === undefined ? {} : { name }),
        operation: randomUUID(),
        round: 1,
      },
      parts,
    )
  }
  const list = LISTS.get(method)
  if (list !== undefined) {
    const text = await mergedResult(call, parts, () => parts.catalog.list(list, params.cursor, ask))
    return call.succeed(legacyResultText(text, method))
  }
  const route = await routeOf(call, undefined, parts, ask)
  if (!call.ended) await relayFrom(call, session, route, parts)
}

/**
 * Questions of the gateway's own within a call, in the name of the session's client: what a backend lists may depend on
 * what the client declared, and so on whose session it is asked.
 */
function askIn(call: Call, session: ClientSession, parts: LegacyParts): Ask {
  const meta = modernMeta(session.facts.clientInfo, session.facts.capabilities)
  const client: AskingClient = {
    meta,
    session: (backend, headers) => (hasOwnSessions(backend) ? parts.open(session, backend, headers) : undefined),
  }
  return (backend, asked, given, signal) =>
    askForCall(call, backend, asked, given, signal, parts.backend(backend.name)?.passHeaders ?? new Set(), client)
}

/** Each legacy client has a session of its own there, not only a handle on a process that was initialized for all. */
function hasOwnSessions({ type, instances }: Backend): boolean {
  return type === 'stdio' ? instances === 'per-session' : type !== 'replay'
}

async function relayFrom(call: Call, session: ClientSession, route: Route, parts: LegacyParts): Promise<void> {
  call.response.dispatching()
  await relay(call, route, (era) =>
    era === 'legacy'
      ? new LegacyToLegacy(call, route, session, parts.open)
      : new LegacyToModern(
          call,
          route,
          session,
          new MirroredArguments(call, route, parts.catalog, askIn(call, session, parts)),
        ),
  )
}

async function changeSubscription(
  call: Call,
  session: ClientSession,
  route: Route & { name: string },
  parts: LegacyParts,
): Promise<void> {
  const { backend, name: uri, passHeaders } = route
  const headers = passedHeaders(call, passHeaders)
  if (backend.state.era === null) await backend.discover(headers)
  const subscribes = call.request.method === 'resources/subscribe'
  const uris = session.subscriptions.get(backend) ?? new Set()
  session.subscriptions.set(backend, uris)
  if (subscribes) uris.add(uri)
  else uris.delete(uri)
  if (backend.state.era !== 'legacy') {
    await parts.resubscribe(session, backend)
    return call.succeed('{}')
  }
  const upstream = await opened(parts.open(session, backend, headers))
  if (upstream !== undefined) {
    const last = subscribes ? want(upstream, uri, session) : unwant(upstream, uri, session)
    // On a connection that clients share, the others still want what this one leaves.
    if (!subscribes && !last) return call.succeed('{}')
  }
  await relayFrom(call, session, route, parts)
}

/** The session, or undefined when there is none: relaying the call will say why. */
async function opened(opening: Promise<LegacySession>): Promise<LegacySession | undefined> {
  try {
    return await opening
  } catch (error) {
    if (error instanceof SessionError) return undefined
    throw error
  }
}

function setLevel(call: Call, session: ClientSession, parts: LegacyParts): void {
  const { level } = call.request.params
  if (!isLogLevel(level)) {
    throw new GatewayError(ErrorCode.InvalidParams, `Invalid params: "level" must be one of ${LOG_LEVELS.join(', ')}.`)
  }
  session.logLevel = level
  void session.upstreams().then((open) => Promise.all(open.map((one) => parts.logLevel.want(one, session, level))))
  call.succeed('{}')
}

async function resourceRoute(
  call: Call,
  own: ConfiguredBackend | undefined,
  parts: LegacyParts,
  ask: Ask,
): Promise<Route & { name: string }> {
  const { uri } = call.request.params
  if (typeof uri !== 'string')
    throw new GatewayError(ErrorCode.InvalidParams, 'Invalid params: "uri" must be a string.')
  if (own !== undefined) return { ...own, name: uri, operation: randomUUID(), round: 1 }
  const found = await parts.catalog.resolve('resource', uri, ask)
  if ('refused' in found) throw new GatewayError(found.refused.code, found.refused.message, found.refused.data)
  const configured = parts.backend(found.backend.name) ?? { backend: found.backend, passHeaders: new Set<string>() }
  return { ...configured, name: uri, operation: randomUUID(), round: 1 }
}
