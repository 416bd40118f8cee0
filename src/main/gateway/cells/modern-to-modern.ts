import { ErrorCode } from '../../../shared/protocol/errors'
import type { JsonObject } from '../../../shared/protocol/json-rpc'
import { mirroredNameParam, MULTI_ROUND_METHODS, TASK_METHODS } from '../../../shared/protocol/methods'
import type { UpstreamPart, UpstreamRequest } from '../../backends/backend'
import type { Call } from '../call'
import type { Catalog } from '../catalog/contract'
import { EditedText } from '../edited-text'
import { judge } from '../gate'
import { restoreToken, withClientToken } from '../progress-token'
import type { Route } from '../relay'
import { editRequest, type RequestEdits } from '../request-edits'
import { editResponse, editSubscriptionNotification, type ResponseEdits } from '../response-edits'
import type { StateSealer } from '../state-sealer'
import { prefixedTaskId, type TaskOperations } from '../tasks'
import type { UpstreamMessage } from '../upstream-message'
import type { Answered, Cell, Withheld } from './cell'
import type { CancelSignal } from '../../backends/cancel-signal'

type Response = UpstreamMessage & { kind: 'response' }

export interface ModernParts {
  sealer: StateSealer
  tasks: TaskOperations
  catalog: Pick<Catalog, 'expire'>
}

/** A modern client's call to a modern backend: byte for byte but for id, name, progress token on shared connections, and the sealed request state. */
export class ModernToModern implements Cell {
  readonly #call: Call
  readonly #route: Route
  readonly #parts: ModernParts

  constructor(call: Call, route: Route, parts: ModernParts) {
    this.#call = call
    this.#route = route
    this.#parts = parts
  }

  request(upstreamId: number): EditedText {
    const { request } = this.#call
    const { name, requestState, referencedPrompt, backend } = this.#route
    const member = mirroredNameParam(request.method)
    const changes: RequestEdits = { upstreamId: String(upstreamId) }
    if (member !== undefined && name !== undefined) changes.target = { member, name }
    if (requestState !== undefined) changes.requestState = requestState
    if (referencedPrompt !== undefined) changes.referencedPrompt = referencedPrompt
    if (backend.sharesConnection) changes.progressToken = String(upstreamId)
    return editRequest(request.body, changes, request.top)
  }

  exchange(request: UpstreamRequest, signal: CancelSignal): AsyncIterableIterator<UpstreamPart> {
    return this.#route.backend.exchange(request, signal)
  }

  notification(message: JsonObject, text: string, upstreamId: number): EditedText | Withheld {
    const { request } = this.#call
    const shared = this.#route.backend.sharesConnection
    const verdict = judge(shared ? withClientToken(message, upstreamId, request.progressToken) : message, request)
    if (!verdict.pass) return verdict
    if (request.method === 'subscriptions/listen') return editSubscriptionNotification(text, request.idRaw)
    return shared ? restoreToken(text, request.body) : new EditedText(text)
  }

  serverRequest(): Withheld {
    const detail = 'a server may not send requests in this revision; it must answer input_required'
    return { reason: 'server-request', detail }
  }

  response(read: Response, text: string): Promise<Answered> | Answered {
    const { result } = read
    if (result?.resultType !== 'input_required' || !MULTI_ROUND_METHODS.has(this.#call.request.method))
      return this.#answer(read, text)
    return this.#seal(result).then((requestState) => this.#answer(read, text, requestState))
  }

  #answer(read: Response, text: string, requestState?: string): Answered {
    const { request } = this.#call
    const taskId = this.#taskId(read.result)
    // The client reads the list again and calls once more (transports/streamable-http): it must not get the same list.
    if (read.error?.code === ErrorCode.HeaderMismatch) this.#parts.catalog.expire(this.#route.backend.name, 'tools')
    const changes: ResponseEdits = { clientId: request.idRaw }
    if (taskId !== undefined) changes.taskId = taskId
    if (requestState !== undefined) changes.requestState = requestState
    if (request.method === 'resources/read' && isRetry(request.params)) changes.uncacheable = true
    if (request.method === 'subscriptions/listen') changes.subscription = true
    return { pass: editResponse(text, changes) }
  }

  /** The id under which the client gets the task that the result is, or tells of. */
  #taskId(result: JsonObject | undefined): string | undefined {
    const { backend, namesTasks } = this.#route
    const begins = result?.resultType === 'task'
    if (result === undefined || !(begins || TASK_METHODS.has(this.#call.request.method))) return undefined
    if (begins) this.#parts.tasks.begun(backend.name, result, this.#route)
    return namesTasks === true && typeof result.taskId === 'string'
      ? prefixedTaskId(backend.name, result.taskId)
      : undefined
  }

  #seal(result: JsonObject): Promise<string> {
    const { backend, operation, round } = this.#route
    const inner = typeof result.requestState === 'string' ? result.requestState : undefined
    return this.#parts.sealer.seal(this.#call, {
      backend: backend.name,
      operation,
      round,
      ...(inner === undefined ? {} : { inner }),
    })
  }
}

function isRetry(params: JsonObject): boolean {
  return params.inputResponses !== undefined || params.requestState !== undefined
}
