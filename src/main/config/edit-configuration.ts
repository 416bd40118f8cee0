import type { ConfigurationProblem } from '../../shared/config/problem'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import { ConfigurationError } from './configuration-error'
import { editFile } from './edit-file'
import { checkNewName, findServers, withNewEntry } from './servers-of-file'

/**
 * Adds an entry at the end of the file's backends; comments and layout survive, and a reader sees the old file or the new
 * one, nothing between. `entryAt` is told where it will stand. Rejects with `ConfigurationError` when the name is taken or
 * not allowed, the entry has problems, or the file cannot be read as JSON or written.
 */
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
