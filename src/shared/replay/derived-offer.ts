import type { JsonObject, JsonValue } from '../protocol/json-rpc'
import { isObject } from '../protocol/json-rpc'
import { MODERN_VERSION } from '../protocol/revisions'
import { META } from '../protocol/meta'

/** What a server was asked for: all that is known of what it offers, where its lists were not recorded. */
export interface AskedFor {
  method: string
  name: string | null
  params: JsonObject
}

/** The member of a list's result that holds its entries, by method. */
export const LIST_MEMBERS: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
}

/** Said in the description of an entry that was made here. */
const DERIVED = 'Known from recorded calls only: the capture has no list of this server.'

/**
 * A list that the capture lacks: the least that makes the recorded calls possible. `listed` are the names that
 * recorded pages of the list have already.
 */
export function derivedList(method: string, asked: readonly AskedFor[], listed: ReadonlySet<string>): JsonObject {
  const entries = new Map<string, JsonObject>()
  for (const { method: used, name } of asked) {
    if (name === null || listed.has(name) || entries.has(name)) continue
    if (method === 'tools/list' && used === 'tools/call')
      entries.set(name, { name, description: DERIVED, inputSchema: { type: 'object' } })
    if (method === 'resources/list' && used === 'resources/read')
      entries.set(name, { uri: name, name, description: DERIVED })
    if (method === 'prompts/list' && used === 'prompts/get') entries.set(name, derivedPrompt(name, asked))
  }
  return { [LIST_MEMBERS[method] ?? '']: [...entries.values()] }
}

function derivedPrompt(name: string, asked: readonly AskedFor[]): JsonObject {
  const keys = new Set<string>()
  for (const one of asked)
    if (one.method === 'prompts/get' && one.name === name && isObject(one.params.arguments))
      for (const key of Object.keys(one.params.arguments)) keys.add(key)
  return { name, description: DERIVED, arguments: [...keys].map((key): JsonValue => ({ name: key })) }
}

/** The capabilities of a server that was asked so. */
export function derivedCapabilities(methods: ReadonlySet<string>): JsonObject {
  const has = (...names: string[]): boolean => names.some((name) => methods.has(name))
  return {
    ...(has('tools/call', 'tools/list') && { tools: {} }),
    ...(has('prompts/get', 'prompts/list') && { prompts: {} }),
    ...(has('resources/read', 'resources/list', 'resources/templates/list') && { resources: {} }),
    ...(has('completion/complete') && { completions: {} }),
    ...(has('notifications/message', 'logging/setLevel') && { logging: {} }),
  }
}

/** An answer to `server/discover` that the capture lacks, with what is known of the server. */
export function derivedDiscovery(
  methods: ReadonlySet<string>,
  serverInfo: JsonObject,
  { capabilities = derivedCapabilities(methods), instructions }: { capabilities?: JsonObject; instructions?: string },
): JsonObject {
  return {
    ...complete({ supportedVersions: [MODERN_VERSION], capabilities }),
    ...(instructions !== undefined && { instructions }),
    _meta: { [META.serverInfo]: serverInfo },
  }
}

/** A result as 2026-07-28 wants it, not to be kept (server/utilities/caching). */
export function complete(result: JsonObject): JsonObject {
  return { resultType: 'complete', ...result, ttlMs: 0, cacheScope: 'private' }
}
