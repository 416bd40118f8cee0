import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { findNodeAtLocation } from 'jsonc-parser'
import { serversKeyOf } from '../../shared/config/importers'
import { configurationProblem, type ConfigurationProblem } from '../../shared/config/problem'
import { BackendName } from '../../shared/config/schema'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import type { NewBackend } from '../../shared/api/contract'
import { backendEntry } from './backend-entry'
import { ConfigurationError } from './configuration-error'
import { insertMember } from './insert-member'
import { readConfigurationText } from './load-configuration'
import { parseDocument } from './parse-document'
import { replaceFile } from './replace-file'

/**
 * Adds a backend at the end of the file's backends; comments and layout survive, and a reader sees the old file or the
 * new one, nothing between. Rejects with `ConfigurationError` when the name is taken or not allowed, the URL or command is
 * none, or the file cannot be read as JSON.
 */
export async function addBackendToFile(file: string, name: string, backend: NewBackend): Promise<void> {
  await addEntryToFile(file, name, (at) => backendEntry(backend, at))
}

/** The same for an entry in the shape of the file; `entryAt` is told where it will stand. */
export async function addEntryToFile(
  file: string,
  name: string,
  entryAt: (at: readonly string[]) => { entry: JsonObject; problems: ConfigurationProblem[] },
): Promise<void> {
  // Written through a link, so that the link stays. A path that does not resolve is reported when it is read.
  const path = await realpath(resolve(file)).catch(() => resolve(file))
  const text = await readConfigurationText(path)
  const document = parseDocument(text)
  if (document.problems.length > 0) throw new ConfigurationError(path, document.problems)
  if (!isObject(document.value) || document.root === undefined)
    throw new ConfigurationError(path, [configurationProblem([], 'is not an object', 'write { "mcpServers": {} }')])
  const serversKey = serversKeyOf(document.value)
  const servers = document.value[serversKey]
  const at = [serversKey, name]
  if (servers !== undefined && !isObject(servers))
    throw new ConfigurationError(path, [configurationProblem([serversKey], 'is not an object', 'write {} there')])
  if (servers !== undefined && Object.hasOwn(servers, name))
    throw new ConfigurationError(path, [
      document.locate(configurationProblem(at, 'exists already', 'choose another name')),
    ])
  const checkedName = BackendName.safeParse(name)
  if (!checkedName.success)
    throw new ConfigurationError(path, [
      configurationProblem(at, checkedName.error.issues[0]?.message ?? 'is no backend name', 'choose another name'),
    ])
  const { entry, problems } = entryAt(at)
  if (problems.length > 0) throw new ConfigurationError(path, problems)
  const serversNode = findNodeAtLocation(document.root, [serversKey])
  await replaceFile(
    path,
    serversNode === undefined
      ? insertMember(text, document.root, serversKey, { [name]: entry })
      : insertMember(text, serversNode, name, entry),
  )
}
