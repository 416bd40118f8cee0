import type { JsonObject, JsonValue } from '../protocol/json-rpc'
import { isObject } from '../protocol/json-rpc'
import { configurationProblem, type ConfigurationProblem } from './problem'
import type { OffBackend } from './schema'

/** The member that holds the backends: `mcpServers` in most tools' files, `servers` in VS Code's. */
export type ServersKey = 'mcpServers' | 'servers'

export interface ImportedDocument {
  /** In the shape of `Configuration`, without the entries that `problems` name. */
  document: JsonObject
  /** Where the file itself has its backends: paths of problems and edits of the file go there. */
  serversKey: ServersKey
  /** Entries that are turned off, which `document` does not have. */
  off: OffBackend[]
  problems: ConfigurationProblem[]
}

/** Spellings of Streamable HTTP in other tools' files. */
const STREAMABLE_HTTP: ReadonlySet<string> = new Set(['streamablehttp', 'streamable_http', 'streamable http'])
const HTTP_SSE: ReadonlySet<string> = new Set(['http+sse', 'legacy-sse'])
const STDIO: ReadonlySet<string> = new Set(['local', 'command'])

/** What other tools write into entries and Sluice has no use for. */
const FOREIGN_KEYS: ReadonlySet<string> = new Set([
  'alwaysAllow',
  'autoApprove',
  'description',
  'gallery',
  'icon',
  'timeout',
  'trust',
  'version',
])

/** Where a document that may come from another tool has its backends. */
export function serversKeyOf(root: JsonObject): ServersKey {
  return root.servers !== undefined && root.mcpServers === undefined ? 'servers' : 'mcpServers'
}

/**
 * Brings a document of another tool into our own shape: `servers` (VS Code) becomes `mcpServers`, its `inputs` go, and
 * every entry gets its `type`, which most tools leave out: a `command` is started, a `url` is reached by HTTP.
 */
export function importDocument(root: JsonObject): ImportedDocument {
  const problems: ConfigurationProblem[] = []
  const serversKey = serversKeyOf(root)
  const { servers, inputs, ...rest } = root
  if (servers !== undefined && root.mcpServers !== undefined)
    problems.push(
      configurationProblem(['servers'], 'stands beside "mcpServers"', 'keep one of them, with the entries of both'),
    )
  // VS Code asks for the values of `inputs`; where one is used, its `${input:…}` is reported by the substitution.
  if (inputs !== undefined && serversKey === 'mcpServers') rest.inputs = inputs
  const entries = root[serversKey]
  if (!isObject(entries)) return { document: withServers(rest, entries), serversKey, off: [], problems }
  const kept: [string, JsonValue][] = []
  const off: OffBackend[] = []
  for (const [place, [name, entry]] of Object.entries(entries).entries()) {
    if (entry === undefined) continue
    if (isObject(entry) && entry.disabled === true) {
      off.push({ name, type: transportOf(entry), place })
      continue
    }
    const refusal = isObject(entry) ? contradictory([serversKey, name], entry) : undefined
    if (refusal !== undefined) problems.push(refusal)
    else kept.push([name, isObject(entry) ? normalised(entry) : entry])
  }
  return { document: withServers(rest, Object.fromEntries(kept)), serversKey, off, problems }
}

function withServers(rest: JsonObject, servers: JsonValue | undefined): JsonObject {
  return servers === undefined ? rest : { ...rest, mcpServers: servers }
}

function contradictory(at: string[], entry: JsonObject): ConfigurationProblem | undefined {
  if (entry.type !== undefined || entry.command === undefined || entry.url === undefined) return undefined
  return configurationProblem(at, 'has both "command" and "url"', 'keep one of them')
}

/** The transport of an entry, in the spelling of the schema where it is one of ours. */
export function transportOf(entry: JsonObject): string {
  const { type } = normalised(entry)
  return typeof type === 'string' ? type : 'unknown'
}

function normalised(given: JsonObject): JsonObject {
  const entry = Object.fromEntries(Object.entries(given).filter(([key]) => !FOREIGN_KEYS.has(key)))
  if (entry.disabled === false) delete entry.disabled
  if (entry.type === undefined) return { ...entry, type: entry.command === undefined ? 'http' : 'stdio' }
  const type = typeof entry.type === 'string' ? entry.type.toLowerCase() : undefined
  if (type === undefined) return entry
  if (STREAMABLE_HTTP.has(type)) return { ...entry, type: 'streamable-http' }
  if (HTTP_SSE.has(type)) return { ...entry, type: 'sse' }
  return STDIO.has(type) ? { ...entry, type: 'stdio' } : entry
}
