import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { configurationProblem } from '../../shared/config/problem'
import { ConfigurationError } from './configuration-error'
import { readConfigurationText } from './load-configuration'
import { replaceFile } from './replace-file'

/** Makes another text of that of a file; `path` is the file's own, through links. */
type Edit = (text: string, path: string) => string | Promise<string>

/** The last edit of each file: one waits for the other, so that none undoes what another one wrote. */
const turns = new Map<string, Promise<unknown>>()

/**
 * Replaces the text of a configuration file by what `edit` makes of it; nothing is written when that is the same. Rejects
 * with `ConfigurationError`, also when the file cannot be written, or is changed by somebody else meanwhile; then it is
 * left alone.
 */
export async function editFile(file: string, edit: Edit): Promise<void> {
  // Written through a link, so that the link stays. A path that does not resolve is reported when it is read.
  const path = await realpath(resolve(file)).catch(() => resolve(file))
  const before = turns.get(path)
  const turn = (async () => {
    // Whether it failed is told to whoever asked for it.
    await before?.catch(() => undefined)
    await editNow(path, edit)
  })()
  turns.set(path, turn)
  try {
    await turn
  } finally {
    if (turns.get(path) === turn) turns.delete(path)
  }
}

async function editNow(path: string, edit: Edit): Promise<void> {
  const text = await readConfigurationText(path)
  const edited = await edit(text, path)
  if (edited === text) return
  // A new file in its place would be written without asking who may.
  if (((await stat(path)).mode & 0o222) === 0) throw notWritten(path, 'is read-only, so that nothing was changed')
  try {
    await replaceFile(path, edited, async () => {
      if ((await readConfigurationText(path)) === text) return
      const message = 'was changed by another program at the same moment; nothing was written'
      throw new ConfigurationError(path, [configurationProblem([], message, 'try again')])
    })
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    throw notWritten(path, `cannot be written: ${reasonOf(error)}`)
  }
}

function notWritten(path: string, message: string): ConfigurationError {
  const fix = 'change the permissions of the file and of its folder, or edit it with the program that keeps it'
  return new ConfigurationError(path, [configurationProblem([], message, fix)])
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write to its folder',
  EPERM: 'this user may not write to its folder',
  EROFS: 'it is on a file system that is read-only',
  ENOSPC: 'there is no space left on the disk',
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? error.message
}
