import type { NewBackend } from '../../shared/api/contract'
import type { ConfigurationProblem } from '../../shared/config/problem'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import { backendEntry } from './backend-entry'
import { ConfigurationError } from './configuration-error'
import { editFile } from './edit-file'
import { checkNewName, findServers, withNewEntry } from './servers-of-file'

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
  await editFile(file, (text, path) => {
    const servers = findServers(text, path)
    checkNewName(servers, path, name)
    const { entry, problems } = entryAt([servers.key, name])
    if (problems.length > 0) throw new ConfigurationError(path, problems)
    return withNewEntry(text, servers, name, entry)
  })
}
