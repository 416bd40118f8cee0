import { randomUUID } from 'node:crypto'
import { ErrorCode } from '../../../shared/protocol/errors'
import { isLogLevel, LOG_LEVELS } from '../../../shared/protocol/meta'
import type { HeaderList } from '../../../shared/capture/events'
import type { Backend, LegacySession } from '../../backends/backend'
import { askForCall } from '../ask'
import type { Call } from '../call'
import type { Ask } from '../catalog/contract'
import { CatalogError } from '../catalog/contract'
import { LegacyToLegacy } from '../cells/legacy-to-legacy'
import { LegacyToModern } from '../cells/legacy-to-modern'
import { LISTS, routeOf, type ConfiguredBackend, type DispatchParts } from '../dispatch'
import { GatewayError } from '../gateway-error'
import { relay, type Route } from '../relay'
import type { ClientSession } from './client-session'
import { legacyResultText } from './legacy-result'
import { modernMeta } from './modern-request'
import type { ResourceSubscriptions } from './resource-subscriptions'

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
  subscriptions: ResourceSubscriptions
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
  if (method === 'logging/setLevel') return setLevel(call, session)
  const meta = modernMeta(session.facts.clientInfo, session.facts.capabilities)
  const ask: Ask = (backend, asked, given, signal) =>
    askForCall(call, backend, asked, given, signal, parts.backend(backend.name)?.passHeaders ?? new Set(), meta)
  if (method === 'resources/subscribe' || method === 'resources/unsubscribe') {
    const route = await resourceRoute(call, own, parts, ask)
    if (route.backend.state.era === 'legacy') return relayFrom(call, session, route)
    return parts.subscriptions.change(call, session, route.backend)
  }
  if (!RELAYED.has(method))
    throw new GatewayError(ErrorCode.MethodNotFound, `Method not found: ${method.slice(0, 200)}`)
  if (own !== undefined) {
    const name = call.request.target
    return relayFrom(call, session, {
      ...own,
      ...(name === undefined ? {} : { name }),
      operation: randomUUID(),
      round: 1,
    })
  }
  const list = LISTS.get(method)
  if (list !== undefined) {
    const backends = parts.backends().map(({ backend }) => backend.name)
    call.tap.record({
      kind: 'call.routed',
      call: call.number,
      backend: null,
      backends,
      operation: randomUUID(),
      round: 1,
      edits: [],
    })
    try {
      const { resultText } = await parts.catalog.list(list, params.cursor, ask)
      return call.succeed(legacyResultText(resultText, method))
    } catch (error) {
      if (error instanceof CatalogError) throw new GatewayError(error.code, error.message, error.data)
      throw error
    }
  }
  const route = await routeOf(call, undefined, parts, ask)
  if (!call.ended) await relayFrom(call, session, route)
}

async function relayFrom(call: Call, session: ClientSession, route: Route): Promise<void> {
  await relay(call, route, (era) =>
    era === 'legacy'
      ? new LegacyToLegacy(call, route, session, openUpstream)
      : new LegacyToModern(call, route, session),
  )
}

/** A client's own session with a legacy backend: what the backend sends outside of calls goes to the client's GET stream. */
export async function openUpstream(
  session: ClientSession,
  backend: Backend,
  headers: HeaderList,
): Promise<LegacySession> {
  return session.upstream(backend, async () => {
    const { clientInfo, capabilities, protocolVersion } = session.facts
    const upstream = await backend.open({ clientInfo, capabilities, protocolVersion, headers })
    upstream.onStray((stray) => {
      if (stray.respond === undefined) session.push(stray.data)
      else stray.respond(refusalOf(stray.data))
    })
    return upstream
  })
}

function refusalOf(request: string): string {
  const { id } = JSON.parse(request) as { id: unknown }
  const message = 'Sluice: this request names no call that it belongs to, so it cannot be given to a client.'
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: ErrorCode.MethodNotFound, message } })
}

function setLevel(call: Call, session: ClientSession): void {
  const { level } = call.request.params
  if (!isLogLevel(level)) {
    throw new GatewayError(ErrorCode.InvalidParams, `Invalid params: "level" must be one of ${LOG_LEVELS.join(', ')}.`)
  }
  session.logLevel = level
  const text = JSON.stringify({
    jsonrpc: '2.0',
    id: `sluice-level-${call.number}`,
    method: 'logging/setLevel',
    params: { level },
  })
  void session.upstreams().then(async (open) => {
    for (const upstream of open) await drain(upstream, text, `sluice-level-${call.number}`)
  })
  call.succeed('{}')
}

async function drain(upstream: LegacySession, body: string, id: string): Promise<void> {
  const parts = upstream.exchange({ method: 'logging/setLevel', id, body, headers: [] }, AbortSignal.timeout(2_000))
  for await (const part of parts) if (part.kind === 'frame' && part.data !== undefined) return
}

async function resourceRoute(
  call: Call,
  own: ConfiguredBackend | undefined,
  parts: LegacyParts,
  ask: Ask,
): Promise<Route> {
  const { uri } = call.request.params
  if (typeof uri !== 'string')
    throw new GatewayError(ErrorCode.InvalidParams, 'Invalid params: "uri" must be a string.')
  if (own !== undefined) return { ...own, name: uri, operation: randomUUID(), round: 1 }
  const found = await parts.catalog.resolve('resource', uri, ask)
  if ('refused' in found) throw new GatewayError(found.refused.code, found.refused.message, found.refused.data)
  const configured = parts.backend(found.backend.name) ?? { backend: found.backend, passHeaders: new Set<string>() }
  return { ...configured, name: uri, operation: randomUUID(), round: 1 }
}
