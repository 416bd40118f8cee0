import type { JsonObject } from '../protocol/json-rpc'
import { isObject } from '../protocol/json-rpc'

/** Methods that a server answers without doing anything (server/tools "annotations" are for `tools/call` alone). */
const READING: ReadonlySet<string> = new Set([
  'server/discover',
  'ping',
  'tools/list',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
])

export type ReadOnlyHint = 'read-only' | 'not read-only' | 'not annotated' | 'not listed'

/** What the list of a server says of a tool. */
export function readOnlyHint(tool: JsonObject | undefined): ReadOnlyHint {
  if (tool === undefined) return 'not listed'
  const { annotations } = tool
  const hint = isObject(annotations) ? annotations.readOnlyHint : undefined
  if (hint === true) return 'read-only'
  return hint === false ? 'not read-only' : 'not annotated'
}

/**
 * Why a request may only be sent again when the user says so; undefined when it changes nothing. The current list of the
 * server counts more than the recorded one; a tool that either of them calls not read-only is asked for.
 */
export function consentNeeded(
  method: string,
  hints: { recorded: ReadOnlyHint; current: ReadOnlyHint },
): string | undefined {
  if (READING.has(method)) return undefined
  if (method !== 'tools/call') return `what ${method} does is not known`
  const said = hints.current === 'not listed' ? hints.recorded : hints.current
  if (hints.recorded !== 'not read-only' && said === 'read-only') return undefined
  if (hints.recorded === 'not read-only' || said === 'not read-only') return 'its list says that it is not read-only'
  if (said === 'not annotated') return 'its list does not say that it is read-only'
  return 'no list says that it is read-only'
}
