import { randomUUID } from 'node:crypto'
import type { SealedState } from '../../shared/capture/events'
import { ErrorCode } from '../../shared/protocol/errors'

import { isObject } from '../../shared/protocol/json-rpc'
import { MODERN_METHODS, MULTI_ROUND_METHODS, TASK_METHODS } from '../../shared/protocol/methods'
import type { Backend } from '../backends/backend'
import { askForCall } from './ask'
import { backendFailure } from './backend-failure'
import type { Call } from './call'
import {
  CatalogError,
  type Ask,
  type Catalog,
  type ListKind,
  type MergedAnswer,
  type Resolution,
} from './catalog/contract'
import { ModernToLegacy } from './cells/modern-to-legacy'
import { ModernSubscription } from './cells/modern-subscription'
import { ModernToModern } from './cells/modern-to-modern'
import { GatewayError } from './gateway-error'
import { discoverResult } from './legacy/discover-result'
import type { UpstreamLogLevel } from './legacy/upstream-log-level'
import { passedHeaders } from './passed-headers'
import { relay, type Route } from './relay'
import type { StateSealer } from './state-sealer'
import { backendDeclaresTasks, clientDeclaresTasks, ownerOf, type TaskOperations } from './tasks'

/** A backend together with what its configuration says of passing header fields on. */
export interface ConfiguredBackend {
  backend: Backend
  /** Names of client header fields that it may see, lower case. */
  passHeaders: ReadonlySet<string>
}

export interface DispatchParts {
  catalog: Catalog
  sealer: StateSealer
  tasks: TaskOperations
  logLevel: UpstreamLogLevel
  backend(name: string): ConfiguredBackend | undefined
  backends(): readonly ConfiguredBackend[]
  /** Serves `subscriptions/listen` over all backends, or over one whose era does not know it. */
  listen(call: Call, only?: ConfiguredBackend): Promise<void>
  /** A backend sent a notification: what is kept of a list that it is about is stale. */
  announced(backend: Backend, method: string): void
}

export const LISTS: ReadonlyMap<string, ListKind> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
])
/** Methods of legacy revisions that 2026-07-28 took away (changelog). */
const REMOVED = new Set(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'])
const TARGET_KINDS: ReadonlyMap<string, 'tool' | 'prompt' | 'resource'> = new Map([
  ['tools/call', 'tool'],
  ['prompts/get', 'prompt'],
  ['resources/read', 'resource'],
])

/**
 * Serves one accepted call. On `/mcp/<backend>` everything goes to that backend, unknown methods too; on `/mcp` lists
 * and discovery are merged, and calls are routed by the catalog, or, for re-issued calls, by their request state.
 */
export async function dispatch(call: Call, own: ConfiguredBackend | undefined, parts: DispatchParts): Promise<void> {
  const { request } = call
  if (own === undefined && !MODERN_METHODS.has(request.method) && !servesTasks(request.method, parts)) {
    throw new GatewayError(ErrorCode.MethodNotFound, `Method not found: ${request.method.slice(0, 200)}`)
  }
  const state = request.params.requestState === undefined ? undefined : await openState(call, parts)
  if (call.ended) return
  if (own !== undefined) {
    // The first call may come before the backend was probed.
    if (own.backend.state.era === null) await own.backend.discover(passedHeaders(call, own.passHeaders))
    if (own.backend.state.era === 'legacy' && (await composed(call, own, parts))) return
    call.response.dispatching()
    const { target } = request
    const place =
      target !== undefined && TASK_METHODS.has(request.method)
        ? parts.tasks.next(own.backend.name, target)
        : chain(state)
    await relayModern(call, routeTo(own, target, place), parts)
    return
  }
  const ask: Ask = (backend, method, params, signal) =>
    askForCall(call, backend, method, params, signal, parts.backend(backend.name)?.passHeaders ?? new Set())
  const list = LISTS.get(request.method)
  if (list !== undefined)
    return call.succeed(await mergedResult(call, parts, () => parts.catalog.list(list, request.params.cursor, ask)))
  if (request.method === 'server/discover')
    return call.succeed(await mergedResult(call, parts, () => parts.catalog.discover(ask)))
  if (request.method === 'subscriptions/listen') return parts.listen(call)
  const routing = TASK_METHODS.has(request.method) ? taskRoute(call, parts) : routeOf(call, state, parts, ask)
  const route = routing instanceof Promise ? await routing : routing
  if (call.ended) return
  call.response.dispatching()
  // Only where both sides know of tasks does an id have a meaning for the gateway.
  route.namesTasks = clientDeclaresTasks(call) && backendDeclaresTasks(route.backend)
  await relayModern(call, route, parts)
}

/** The methods of the tasks extension are there when a backend has them. */
function servesTasks(method: string, parts: DispatchParts): boolean {
  return TASK_METHODS.has(method) && parts.backends().some(({ backend }) => backendDeclaresTasks(backend))
}

function taskRoute(call: Call, parts: DispatchParts): Route {
  const { owner, taskId } = ownerOf(call, (name) => parts.backend(name))
  return routeTo(owner, taskId, parts.tasks.next(owner.backend.name, taskId))
}

function relayModern(call: Call, route: Route, parts: DispatchParts): Promise<void> {
  return relay(call, route, (era) => {
    if (era === 'legacy') return new ModernToLegacy(call, route, parts.logLevel)
    if (call.request.method !== 'subscriptions/listen') return new ModernToModern(call, route, parts)
    const configured = (backend: Backend): boolean => parts.backend(backend.name)?.backend === backend
    return new ModernSubscription(call, route, { ...parts, configured })
  })
}

/** What a modern client may ask of a legacy backend that does not know it: discovery and subscriptions are composed. */
async function composed(call: Call, own: ConfiguredBackend, parts: DispatchParts): Promise<boolean> {
  const { method } = call.request
  if (REMOVED.has(method)) throw new GatewayError(ErrorCode.MethodNotFound, `Method not found: ${method}`)
  if (method === 'subscriptions/listen') {
    await parts.listen(call, own)
    return true
  }
  if (method !== 'server/discover') return false
  if (own.backend.state.initialized === undefined) await own.backend.discover(passedHeaders(call, own.passHeaders))
  const { initialized, reason, challenge } = own.backend.state
  if (initialized === undefined) {
    const detail = reason ?? 'it does not answer'
    call.fail(backendFailure(own.backend.name, { reason: 'refused', detail }, 0, challenge), 200)
    return true
  }
  call.response.dispatching()
  const routed = {
    backend: own.backend.name,
    backendEra: 'legacy' as const,
    operation: randomUUID(),
    round: 1,
    edits: [],
  }
  call.tap.record({ kind: 'call.routed', call: call.number, ...routed })
  call.succeed(JSON.stringify(discoverResult(initialized)))
  return true
}

async function openState(call: Call, parts: DispatchParts): Promise<SealedState | undefined> {
  const { method, params } = call.request
  if (params.requestState === undefined || !MULTI_ROUND_METHODS.has(method)) return undefined
  return parts.sealer.open(call, params.requestState, (name) => parts.backend(name) !== undefined)
}

type Place = Pick<Route, 'operation' | 'round' | 'requestState'>

/** The place of a call in its operation: a new one, or the round after the one that got the state. */
function chain(state: SealedState | undefined): Place {
  if (state === undefined) return { operation: randomUUID(), round: 1 }
  return { operation: state.operation, round: state.round + 1, requestState: state.inner ?? null }
}

/** Member by member: spreading objects costs every call several times what this does. */
function routeTo(owner: ConfiguredBackend, name: string | undefined, place: Place): Route {
  const { operation, round, requestState } = place
  const route: Route = { backend: owner.backend, passHeaders: owner.passHeaders, operation, round }
  if (name !== undefined) route.name = name
  if (requestState !== undefined) route.requestState = requestState
  return route
}

/** Where a call goes that names a tool, a prompt, a resource or what is to be completed. */
export function routeOf(
  call: Call,
  state: SealedState | undefined,
  parts: DispatchParts,
  ask: Ask,
): Promise<Route> | Route {
  const { method, params, target } = call.request
  if (method === 'completion/complete') {
    return settle(parts.catalog.resolveCompletion(params.ref, ask), (found) => {
      const route = routeTo(configured(found.backend, parts), undefined, chain(undefined))
      if (isObject(params.ref) && params.ref.type === 'ref/prompt') route.referencedPrompt = found.name
      return route
    })
  }
  const kind = TARGET_KINDS.get(method)
  if (kind === undefined || target === undefined)
    throw new GatewayError(ErrorCode.MethodNotFound, `Method not found: ${method}`)
  if (state !== undefined && kind === 'resource') {
    const bound = parts.backend(state.backend)
    if (bound !== undefined) return routeTo(bound, target, chain(state))
  }
  return settle(parts.catalog.resolve(kind, target, ask), (found) => {
    if (state !== undefined && found.backend.name !== state.backend) {
      // The catalog changed between the rounds: the backend that asked no longer offers what the call names.
      parts.sealer.refuse(call, String(params.requestState), 'backend_gone', { sealed: state })
    }
    return routeTo(configured(found.backend, parts), found.name, chain(state))
  })
}

type Found = Exclude<Resolution, { refused: unknown }>

/** The route to what was found; at once when the catalog knew it. */
function settle(
  resolution: Resolution | Promise<Resolution>,
  routeTo: (found: Found) => Route,
): Promise<Route> | Route {
  if (resolution instanceof Promise) return resolution.then((found) => settle(found, routeTo))
  if ('refused' in resolution) {
    const { code, message, data } = resolution.refused
    throw new GatewayError(code, message, data)
  }
  return routeTo(resolution)
}

function configured(backend: Backend, parts: DispatchParts): ConfiguredBackend {
  return parts.backend(backend.name) ?? { backend, passHeaders: new Set() }
}

/** The result of an answer that the gateway composes from several backends, as the call's routing is recorded. */
export async function mergedResult(
  call: Call,
  parts: DispatchParts,
  answer: () => Promise<MergedAnswer>,
): Promise<string> {
  call.response.dispatching()
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
    return (await answer()).resultText
  } catch (error) {
    if (error instanceof CatalogError) throw new GatewayError(error.code, error.message, error.data)
    throw error
  }
}

/** The backends of an endpoint: one, or all. */
export function configuredBackends(parts: DispatchParts, name: string | undefined): readonly ConfiguredBackend[] {
  if (name === undefined) return parts.backends()
  const own = parts.backend(name)
  return own === undefined ? [] : [own]
}
