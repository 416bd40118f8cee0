import { createHash, randomUUID } from 'node:crypto'
import { ErrorCode } from '../../shared/protocol/errors'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { META } from '../../shared/protocol/meta'
import type { Backend } from '../backends/backend'
import type { Call } from './call'
import { PREFIX_END } from './catalog/offer'
import { GatewayError } from './gateway-error'

/** The tasks extension (SEP-2663). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'
const MOST_KNOWN = 10_000

/** Whether capabilities of a client or a server declare the extension. */
export function declaresTasks(capabilities: unknown): boolean {
  return (
    isObject(capabilities) && isObject(capabilities.extensions) && isObject(capabilities.extensions[TASKS_EXTENSION])
  )
}

export function clientDeclaresTasks({ request }: Pick<Call, 'request'>): boolean {
  return declaresTasks(request.meta[META.clientCapabilities])
}

export function backendDeclaresTasks({ state }: Backend): boolean {
  return state.era !== 'legacy' && declaresTasks(state.discovered?.capabilities)
}

/** A task id as clients of the aggregate endpoint have it: it says where the task is. */
export function prefixedTaskId(backend: string, taskId: string): string {
  return `${backend}${PREFIX_END}${taskId}`
}

/** The backend's name and its own task id; undefined when the id is none of the aggregate endpoint. */
export function splitTaskId(taskId: string): { backend: string; taskId: string } | undefined {
  const end = taskId.indexOf(PREFIX_END)
  if (end < 1) return undefined
  return { backend: taskId.slice(0, end), taskId: taskId.slice(end + PREFIX_END.length) }
}

/** The backend that owns a task, among those that declare the extension. Throws what the client gets when there is none. */
export function ownerOf<Configured extends { backend: Backend }>(
  call: Call,
  backend: (name: string) => Configured | undefined,
): { owner: Configured; taskId: string } {
  if (!clientDeclaresTasks(call)) {
    const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } }
    throw new GatewayError(
      ErrorCode.MissingRequiredClientCapability,
      `${call.request.method} needs a client that declares the extension "${TASKS_EXTENSION}".`,
      { requiredCapabilities },
    )
  }
  const found = splitTaskId(call.request.target ?? '')
  const owner = found === undefined ? undefined : backend(found.backend)
  if (found === undefined || owner === undefined || !backendDeclaresTasks(owner.backend)) {
    const taskId = JSON.stringify((call.request.target ?? '').slice(0, 200))
    throw new GatewayError(
      ErrorCode.InvalidParams,
      `Unknown task: ${taskId} names no task of a configured backend that has tasks.`,
    )
  }
  return { owner, taskId: found.taskId }
}

/**
 * Which operation a task belongs to, so that its calls are shown with the one that made it. Only for showing: a task whose
 * beginning is not known here (any more) is an operation of its own.
 */
export class TaskOperations {
  readonly #known = new Map<string, { operation: string; round: number }>()

  /** A call was answered by a task. */
  begun(backend: string, result: JsonObject, place: { operation: string; round: number }): void {
    if (typeof result.taskId === 'string') this.#keep(keyOf(backend, result.taskId), place)
  }

  /** The place of the next call that is about the task. */
  next(backend: string, taskId: string): { operation: string; round: number } {
    const key = keyOf(backend, taskId)
    const last = this.#known.get(key) ?? { operation: randomUUID(), round: 0 }
    const place = { operation: last.operation, round: last.round + 1 }
    this.#keep(key, place)
    return place
  }

  #keep(key: string, place: { operation: string; round: number }): void {
    this.#known.delete(key)
    this.#known.set(key, { operation: place.operation, round: place.round })
    if (this.#known.size <= MOST_KNOWN) return
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }
}

/** Ids may be long, and backends choose them. */
function keyOf(backend: string, taskId: string): string {
  return createHash('sha256').update(`${backend}\n${taskId}`).digest('base64')
}
