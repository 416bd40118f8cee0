import { checkConfiguration } from '../../shared/config/check'
import { importDocument } from '../../shared/config/importers'
import { BackendName } from '../../shared/config/schema'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'
import { hiddenProblems } from '../config/hidden-problems'
import { parseDocument } from '../config/parse-document'
import { readClientFile } from './client-file'
import { CLIENTS, clientFile, type ClientName, type McpClient, type Places, type Scope } from './clients'

/** One server of another tool's configuration. */
export interface ImportableEntry {
  /** As it is called there. */
  name: string
  /** A name that a backend may have, made of it. */
  as: string
  /** In the shape of our own configuration; variables are not replaced. */
  entry: JsonObject
  /** Why it cannot be taken over, in words. */
  problem: string | null
}

/** What one file of another tool offers. */
export interface ImportableFile {
  client: string
  scope: Scope
  file: string
  entries: ImportableEntry[]
  /** Why the file could not be read, in words. */
  problem: string | null
}

/** Looks into the configuration files of the clients that are known; files that do not exist are left out. */
export async function importableFiles(places: Places): Promise<ImportableFile[]> {
  const found: ImportableFile[] = []
  for (const [name, client] of Object.entries(CLIENTS) as [ClientName, McpClient][]) {
    for (const scope of ['user', 'project'] as const) {
      const file = clientFile(client, scope, places)
      const read = file === undefined ? undefined : await readOne(name, client, file, places.env)
      if (file !== undefined && read !== undefined) found.push({ client: client.title, scope, file, ...read })
    }
  }
  return found
}

async function readOne(
  name: ClientName,
  client: McpClient,
  file: string,
  env: Places['env'],
): Promise<Pick<ImportableFile, 'entries' | 'problem'> | undefined> {
  try {
    const { exists, text } = await readClientFile(file)
    if (!exists || text.trim() === '') return undefined
    const { value, problems } = parseDocument(text)
    const [problem] = problems
    if (problem !== undefined) return { entries: [], problem: `${problem.path} ${problem.message}`.trim() }
    const servers = isObject(value) ? value[client.key] : undefined
    if (servers === undefined) return undefined
    if (!isObject(servers)) return { entries: [], problem: `"${client.key}" is not an object` }
    return { entries: entriesOf(name, servers, env), problem: null }
  } catch (error) {
    return { entries: [], problem: error instanceof Error ? error.message : String(error) }
  }
}

function entriesOf(client: ClientName, servers: JsonObject, env: Places['env']): ImportableEntry[] {
  const found: ImportableEntry[] = []
  for (const [name, given] of Object.entries(servers)) {
    if (given === undefined) continue
    const { document, problems } = importDocument({ mcpServers: { [name]: inOurWords(client, given) } })
    const entries = document.mcpServers
    const entry = isObject(entries) ? entries[name] : undefined
    // A disabled entry is left out by the importer without a word.
    if (entry === undefined && problems.length === 0) continue
    const as = backendNameOf(name)
    found.push({
      name,
      as,
      entry: isObject(entry) ? entry : {},
      problem: problems[0]?.message ?? (entry === undefined ? null : problemOf(as, entry, env)),
    })
  }
  return found
}

/** Members that only this client spells so (see `CLIENTS`). */
function inOurWords(client: ClientName, given: JsonValue): JsonValue {
  if (!isObject(given)) return given
  const { serverUrl, httpUrl, ...rest } = given
  if (client === 'windsurf' && serverUrl !== undefined) return { ...rest, url: serverUrl }
  if (client === 'gemini' && httpUrl !== undefined) return { ...rest, url: httpUrl, type: 'http' }
  // Gemini CLI takes `url` for HTTP+SSE.
  if (client === 'gemini' && rest.url !== undefined && rest.type === undefined) return { ...rest, type: 'sse' }
  return given
}

function problemOf(as: string, entry: JsonValue, env: Places['env']): string | null {
  const checked = checkConfiguration({ mcpServers: { [as]: entry } }, env)
  if (checked.ok) return null
  const [problem] = hiddenProblems({ mcpServers: { [as]: entry } }, checked.problems, (masked) => {
    const again = checkConfiguration(masked, env)
    return again.ok ? [] : again.problems
  })
  return problem === undefined ? 'it cannot be used' : `${problem.at.slice(2).join('.')} ${problem.message}`.trim()
}

/** Letters, digits, ".", "-" and single "_" of a name; the rest becomes "-". */
function backendNameOf(name: string): string {
  const cleaned = name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/__+/g, '_')
    .replace(/^[^A-Za-z0-9]+|[-._]+$/g, '')
    .slice(0, 64)
    .replace(/_$/, '')
  return BackendName.safeParse(cleaned).success ? cleaned : `server-${cleaned}`.replace(/-$/, '')
}
