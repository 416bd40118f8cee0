import type { JsonObject, JsonValue } from '../protocol/json-rpc'
import { isObject } from '../protocol/json-rpc'
import { configurationProblem, type ConfigurationProblem } from './problem'

/** The member that holds the backends: `mcpServers` in most tools' files, `servers` in VS Code's. */
export type ServersKey = 'mcpServers' | 'servers'

export interface ImportedDocument {
  /** In the shape of `Configuration`, without the entries that `problems` name. */
  document: JsonObject
  /** Where the file itself has its backends: paths of problems and edits of the file go there. */
  serversKey: ServersKey
  problems: ConfigurationProblem[]
}

/** Spellings of Streamable HTTP in other tools' files. */
const STREAMABLE_HTTP: ReadonlySet<string> = new Set(['streamablehttp', 'streamable_http', 'streamable http'])
const HTTP_SSE: ReadonlySet<string> = new Set(['sse', 'http+sse', 'legacy-sse'])

/** Where a document that may come from another tool has its backends. */
export function serversKeyOf(root: JsonObject): ServersKey {
  return root.servers !== undefined && root.mcpServers === undefined ? 'servers' : 'mcpServers'
}

/**
 * Brings a document of another tool into our own shape: `servers` (VS Code) becomes `mcpServers`, its `inputs` go.
 * Entries of kinds that no connector serves are reported, not dropped in silence.
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
  if (!isObject(entries)) return { document: withServers(rest, entries), serversKey, problems }
  const kept: [string, JsonValue][] = []
  for (const [name, entry] of Object.entries(entries)) {
    if (entry === undefined) continue
    const refusal = isObject(entry) ? unsupported([serversKey, name], entry) : undefined
    if (refusal !== undefined) problems.push(refusal)
    else kept.push([name, isObject(entry) ? normalised(entry) : entry])
  }
  return { document: withServers(rest, Object.fromEntries(kept)), serversKey, problems }
}

function withServers(rest: JsonObject, servers: JsonValue | undefined): JsonObject {
  return servers === undefined ? rest : { ...rest, mcpServers: servers }
}

function unsupported(at: string[], entry: JsonObject): ConfigurationProblem | undefined {
  const type = typeof entry.type === 'string' ? entry.type.toLowerCase() : undefined
  if (type === 'stdio' || (type === undefined && entry.command !== undefined && entry.url === undefined))
    return configurationProblem(
      at,
      'is a stdio server (a command), which is not supported yet',
      'serve it over Streamable HTTP and give its "url", or remove the entry',
    )
  if (type !== undefined && HTTP_SSE.has(type))
    return configurationProblem(
      at,
      'is an HTTP+SSE server (2024-11-05), which is not supported yet',
      'if the server also speaks Streamable HTTP, use "type": "http" with that URL; else remove the entry',
    )
  return undefined
}

function normalised(entry: JsonObject): JsonObject {
  return typeof entry.type === 'string' && STREAMABLE_HTTP.has(entry.type.toLowerCase())
    ? { ...entry, type: 'streamable-http' }
    : entry
}
