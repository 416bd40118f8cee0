import { createHash, randomUUID } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ConfiguredBackend, WrittenChange } from '../../shared/api/contract'
import { configurationProblem, type ConfigurationProblem } from '../../shared/config/problem'
import type { Configuration } from '../../shared/config/schema'
import type { SecretSource } from '../../shared/config/secrets'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { ConfigurationError } from './configuration-error'
import { editFile } from './edit-file'
import { insertMember } from './insert-member'
import { maskEntry, type MaskedEntry } from './kept-values'
import { parseConfiguration, readConfigurationText } from './load-configuration'
import { parseDocument } from './parse-document'
import { problemsWithoutValues } from './problems-without-values'
import { removeMember } from './remove-member'
import { rewriteValue } from './rewrite-value'
import {
  checkNewName,
  findEntry,
  findServers,
  withNewEntry,
  type FoundEntry,
  type ServersOfFile,
} from './servers-of-file'
import { unmaskEntry } from './unmask-entry'

export interface EntryChange {
  name: string
  newName: string
  /** The entry as JSON text, with marks as `read` gave them. */
  entry: string
  version: string
}

export interface ConfiguredBackendsOptions {
  file: string
  env: NodeJS.ProcessEnv
  secrets: SecretSource
  /** Texts that are secret wherever they stand. */
  spellings: () => readonly string[]
  /** What else is wrong with a configuration in this run. */
  refuse: (configuration: Configuration) => Promise<ConfigurationProblem[]>
}

interface RemovedEntry {
  name: string
  source: string
  /** The file's text with it, and without. */
  before: string
  after: string
}

/** As many removals can be undone. */
const MOST_REMOVED = 20

/**
 * Reads and edits the backends of a configuration file, each by its name. Edits change the characters of that entry only.
 * All reject with `ConfigurationError`, and then nothing is written.
 */
export class ConfiguredBackends {
  readonly #options: ConfiguredBackendsOptions
  readonly #removed = new Map<string, RemovedEntry>()

  constructor(options: ConfiguredBackendsOptions) {
    this.#options = options
  }

  async read(name: string): Promise<ConfiguredBackend> {
    const path = await realpath(resolve(this.#options.file)).catch(() => resolve(this.#options.file))
    const text = await readConfigurationText(path)
    const found = findEntry(text, path, findServers(text, path), name)
    if (!isObject(found.value)) throw noObject(path, findServers(text, path), name)
    const { entry } = maskEntry(found.value, this.#options.spellings())
    const off = found.value.disabled === true
    return { name, file: path, entry, off, version: versionOf(found, entry) }
  }

  /** Adds a backend at the end. `text`: its entry, as JSON. */
  async add(name: string, text: string): Promise<WrittenChange> {
    return this.#write(async (document, path) => {
      const servers = findServers(document, path)
      checkNewName(servers, path, name)
      const at = [servers.key, name]
      const entry = entryOf(text, path, at)
      await this.#check(path, at, entry, { entry, kept: [] })
      return withNewEntry(document, servers, name, entry)
    })
  }

  async edit({ name, newName, entry, version }: EntryChange): Promise<WrittenChange> {
    return this.#write(async (text, path) => {
      const servers = findServers(text, path)
      const found = findEntry(text, path, servers, name)
      if (!isObject(found.value)) throw noObject(path, servers, name)
      const { entry: masked, kept } = maskEntry(found.value, this.#options.spellings())
      checkVersion(versionOf(found, masked), version, path, servers, name)
      if (newName !== name) checkNewName(servers, path, newName)
      const at = [servers.key, newName]
      const given = entryOf(entry, path, at)
      const { entry: plain, problems } = unmaskEntry(given, kept, at, this.#options.spellings())
      if (problems.length > 0) throw new ConfigurationError(path, problems)
      await this.#check(path, at, plain, { entry: given, kept })
      const [keyNode] = found.member.children ?? []
      const renamed =
        newName === name || keyNode === undefined
          ? text
          : text.slice(0, keyNode.offset) + JSON.stringify(newName) + text.slice(keyNode.offset + keyNode.length)
      return rewriteValue(renamed, at, plain)
    })
  }

  /** Turns it off (`"disabled": true`) or on. Without a version it is turned, whatever it is by now. */
  async turn(name: string, on: boolean, version?: string): Promise<WrittenChange> {
    return this.#write(async (text, path) => {
      const servers = findServers(text, path)
      const found = findEntry(text, path, servers, name)
      const { value, member } = found
      const [, valueNode] = member.children ?? []
      if (!isObject(value) || valueNode === undefined) throw noObject(path, servers, name)
      if (version !== undefined) {
        const { entry } = maskEntry(value, this.#options.spellings())
        checkVersion(versionOf(found, entry), version, path, servers, name)
      }
      const at = [servers.key, name]
      if (!on) {
        if (value.disabled === undefined) return insertMember(text, valueNode, 'disabled', true, true)
        return rewriteValue(text, [...at, 'disabled'], true)
      }
      const { disabled: _, ...rest } = value
      await this.#check(path, at, rest, maskEntry(rest, this.#options.spellings()))
      const disabled = valueNode.children?.find((one) => one.children?.[0]?.value === 'disabled')
      return disabled === undefined ? text : removeMember(text, valueNode, disabled)
    })
  }

  /** Takes it out of the file; `restore` puts it back. Without a version it goes, whatever it is by now. */
  async remove(name: string, version?: string): Promise<WrittenChange & { undo: string }> {
    const undo = randomUUID()
    const written = await this.#write(async (text, path) => {
      const servers = findServers(text, path)
      const found = findEntry(text, path, servers, name)
      if (version !== undefined && isObject(found.value)) {
        const { entry } = maskEntry(found.value, this.#options.spellings())
        checkVersion(versionOf(found, entry), version, path, servers, name)
      }
      if (servers.node === undefined) throw noObject(path, servers, name)
      const after = removeMember(text, servers.node, found.member)
      this.#removed.set(undo, { name, source: found.source, before: text, after })
      return after
    }).catch((error: unknown) => {
      this.#removed.delete(undo)
      throw error
    })
    for (const oldest of this.#removed.keys()) {
      if (this.#removed.size <= MOST_REMOVED) break
      this.#removed.delete(oldest)
    }
    return { ...written, undo }
  }

  /** Undoes a removal: at its old place where the file is as it was left, else at the end. */
  async restore(undo: string): Promise<WrittenChange & { name: string }> {
    const removed = this.#removed.get(undo)
    if (removed === undefined)
      throw new ConfigurationError(this.#options.file, [
        configurationProblem(
          [],
          'has nothing to be put back: this was undone before, or is too long ago',
          'add it anew',
        ),
      ])
    const { name, source, before, after } = removed
    const written = await this.#write(async (text, path) => {
      if (text === after) return before
      const servers = findServers(text, path)
      checkNewName(servers, path, name, 'rename or remove that one, and undo this again')
      const added = withNewEntry(text, servers, name, {})
      const node = findEntry(added, path, findServers(added, path), name).member.children?.[1]
      if (node === undefined) return added
      return added.slice(0, node.offset) + source + added.slice(node.offset + node.length)
    })
    this.#removed.delete(undo)
    return { ...written, name }
  }

  async #write(edit: (text: string, path: string) => Promise<string>): Promise<WrittenChange> {
    let held: string | null = null
    await editFile(this.#options.file, async (text, path) => {
      const edited = await edit(text, path)
      held = this.#problemOf(edited, path)
      return edited
    })
    return { held }
  }

  /** Why a file is not used, the entry in question being right. */
  #problemOf(text: string, path: string): string | null {
    try {
      parseConfiguration(text, path, this.#options.env, this.#options.secrets)
      return null
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error
      const [problem] = error.problems
      return problem === undefined ? null : wordsOf(problem)
    }
  }

  /**
   * Throws `ConfigurationError` when the entry could not be used, in words that tell nothing of what `masked` keeps. One
   * that is turned off need not find its variables.
   */
  async #check(path: string, at: readonly string[], entry: JsonObject, masked: MaskedEntry): Promise<void> {
    const off = entry.disabled === true
    const found = await this.#problemsOf(at, entry, path)
    const problems = found.filter((one) => !off || one.ofEnvironment !== true)
    if (problems.length === 0) return
    const ofMasked = await this.#problemsOf(at, masked.entry, path)
    throw new ConfigurationError(path, problemsWithoutValues(problems, ofMasked, masked.kept))
  }

  async #problemsOf(
    [key = '', name = '']: readonly string[],
    { disabled, ...rest }: JsonObject,
    path: string,
  ): Promise<ConfigurationProblem[]> {
    // What is turned off is looked at as if it were on.
    const entry = disabled === true ? rest : { ...rest, disabled }
    try {
      const text = JSON.stringify({ [key]: { [name]: entry } })
      const { configuration } = parseConfiguration(text, path, this.#options.env, this.#options.secrets)
      return await this.#options.refuse(configuration)
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error
      // Lines are those of a text that nobody sees.
      return error.problems.map(({ line: _line, column: _column, ...problem }) => problem)
    }
  }
}

/** Of the entry as it stands there and as it was shown: marks that another text gave would stand for other values. */
function versionOf({ name, source }: FoundEntry, shown: JsonObject): string {
  return createHash('sha256')
    .update(JSON.stringify([name, source, shown]))
    .digest('hex')
    .slice(0, 32)
}

function checkVersion(now: string, wanted: string, path: string, { key, locate }: ServersOfFile, name: string): void {
  if (now === wanted) return
  const message = 'was changed in the file since it was read here; nothing was written'
  const problem = configurationProblem([key, name], message, 'close this and open it again, to see what it is now')
  throw new ConfigurationError(path, [locate(problem)])
}

function noObject(path: string, { key, locate }: ServersOfFile, name: string): ConfigurationError {
  const problem = configurationProblem([key, name], 'is no object', 'correct it in the file, or remove it')
  return new ConfigurationError(path, [locate(problem)])
}

function entryOf(text: string, path: string, at: readonly string[]): JsonObject {
  const { value, problems } = parseDocument(text)
  if (problems.length > 0)
    throw new ConfigurationError(
      path,
      problems.map(({ at: inside, message, fix, line }) => {
        const where = line === undefined ? '' : `, in line ${line} of it`
        return configurationProblem([...at, ...inside], message + where, fix)
      }),
    )
  if (isObject(value)) return value
  throw new ConfigurationError(path, [
    configurationProblem(at, 'is no object', 'write an object, such as { "url": "http://127.0.0.1:3000/mcp" }'),
  ])
}

function wordsOf(problem: ConfigurationProblem): string {
  const line = problem.line === undefined ? '' : ` (line ${problem.line})`
  return `${problem.path} ${problem.message}${line}`
}
