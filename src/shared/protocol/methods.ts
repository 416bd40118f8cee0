/** The only methods that may answer `input_required` (basic/patterns/mrtr). */
export const MULTI_ROUND_METHODS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])

/** Methods of the tasks extension (SEP-2663). */
export const TASK_METHODS: ReadonlySet<string> = new Set(['tasks/get', 'tasks/update', 'tasks/cancel'])

/** The request methods of 2026-07-28 that a gateway serves on its aggregate endpoint (schema/2026-07-28). */
export const MODERN_METHODS: ReadonlySet<string> = new Set([
  'server/discover',
  'completion/complete',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'subscriptions/listen',
  'tools/call',
  'tools/list',
])

/**
 * The member of `params` that the `Mcp-Name` header mirrors, or undefined where the header does not apply
 * (transports/streamable-http "Standard headers"; SEP-2663 for tasks).
 */
export function mirroredNameParam(method: string): 'name' | 'uri' | 'taskId' | undefined {
  if (method === 'tools/call' || method === 'prompts/get') return 'name'
  if (method === 'resources/read') return 'uri'
  if (TASK_METHODS.has(method)) return 'taskId'
  return undefined
}
