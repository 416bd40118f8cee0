import { findNodeAtLocation, type Node } from 'jsonc-parser'
import { serversKeyOf, type ServersKey } from '../../shared/config/importers'
import { configurationProblem, type ConfigurationProblem } from '../../shared/config/problem'
import { BackendName } from '../../shared/config/schema'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'
import { ConfigurationError } from './configuration-error'
import { insertMember } from './insert-member'
import { parseDocument } from './parse-document'

/** The backends as they stand in the text of a configuration file. */
export interface ServersOfFile {
  /** The member of the root that has them. */
  key: ServersKey
  root: Node
  /** Undefined when the file has no such member. */
  node: Node | undefined
  entries: JsonObject
  locate(problem: ConfigurationProblem): ConfigurationProblem
}

/** One entry, and where it stands. */
export interface FoundEntry {
  name: string
  value: JsonValue
  /** The whole member (`"name": { … }`). */
  member: Node
  /** The source of its value. */
  source: string
}

/** Throws `ConfigurationError` when the text is no configuration that could be edited. */
export function findServers(text: string, path: string): ServersOfFile {
  const { value, root, problems, locate } = parseDocument(text)
  if (problems.length > 0) throw new ConfigurationError(path, problems)
  if (!isObject(value) || root === undefined)
    throw new ConfigurationError(path, [configurationProblem([], 'is not an object', 'write { "mcpServers": {} }')])
  const key = serversKeyOf(value)
  const servers = value[key]
  if (servers !== undefined && !isObject(servers))
    throw new ConfigurationError(path, [configurationProblem([key], 'is not an object', 'write {} there')])
  return { key, root, node: findNodeAtLocation(root, [key]), entries: servers ?? {}, locate }
}

/** Throws `ConfigurationError` when there is no entry of that name. */
export function findEntry(text: string, path: string, { key, root, entries }: ServersOfFile, name: string): FoundEntry {
  const value = Object.hasOwn(entries, name) ? entries[name] : undefined
  const node = findNodeAtLocation(root, [key, name])
  if (value === undefined || node?.parent === undefined)
    throw new ConfigurationError(path, [
      configurationProblem([key, name], 'is not in the file any more', 'look at what the file has now'),
    ])
  return { name, value, member: node.parent, source: text.slice(node.offset, node.offset + node.length) }
}

/** Throws `ConfigurationError` when no new backend can have this name. `fix`: what to do when another one has it. */
export function checkNewName(
  { key, entries, locate }: ServersOfFile,
  path: string,
  name: string,
  fix = 'choose another name',
): void {
  const at = [key, name]
  if (Object.hasOwn(entries, name))
    throw new ConfigurationError(path, [locate(configurationProblem(at, 'exists already', fix))])
  const checked = BackendName.safeParse(name)
  if (!checked.success)
    throw new ConfigurationError(path, [
      configurationProblem(at, checked.error.issues[0]?.message ?? 'is no backend name', 'choose another name'),
    ])
}

/** The text with one more entry at the end. */
export function withNewEntry(
  text: string,
  { key, root, node }: ServersOfFile,
  name: string,
  entry: JsonObject,
): string {
  return node === undefined ? insertMember(text, root, key, { [name]: entry }) : insertMember(text, node, name, entry)
}
