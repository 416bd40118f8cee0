import { unwatchFile, watch, watchFile, type FSWatcher } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Configuration } from '../../shared/config/schema'
import type { SecretSource, SecretUse } from '../../shared/config/secrets'
import { ConfigurationError } from './configuration-error'
import { parseConfiguration, type ParsedConfiguration, readConfigurationText } from './load-configuration'

export interface ConfigurationListener {
  /**
   * Another configuration is in the file. Also called once, with a configuration that may be the known one, when the
   * file is in order again after `onProblem`.
   */
  onChange(configuration: Configuration): void
  /** Which secrets the file uses: at every look that finds it in order, before `onChange`. */
  onSecrets?(use: SecretUse): void
  /** The file is there and wrong, or gone. The configuration in force stays. */
  onProblem(error: ConfigurationError): void
}

export interface WatchOptions {
  /** The configuration in force. Without it the file as it is now counts as known. */
  current?: Configuration
  secrets?: SecretSource
  /** Tells when values of secrets changed, until the function that it answers with is called: the file is read again. */
  onSecretsChanged?: (listener: () => void) => () => void
  /** Quiet time after a change before the file is read, in milliseconds. */
  debounceMs?: number
  /** How often the file is looked at where the system does not tell of changes, in milliseconds. */
  pollMs?: number
}

/**
 * Watches a configuration file until the returned function is called. The folder is watched, not the file: editors write
 * a new file and rename it over the old one. A slow poll stands beside it for links and network folders.
 */
export function watchConfiguration(
  file: string,
  env: NodeJS.ProcessEnv,
  listener: ConfigurationListener,
  { current, secrets, onSecretsChanged, debounceMs = 100, pollMs = 1_000 }: WatchOptions = {},
): () => void {
  const path = resolve(file)
  let closed = false
  let timer: NodeJS.Timeout | undefined
  /** What the last look found: the text, or the message of why there is none. */
  let seen: string | undefined
  let known = current
  let unreadable = false
  let broken = false
  let looking = Promise.resolve()

  const schedule = (): void => {
    if (closed) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      looking = looking.then(look)
    }, debounceMs)
  }

  const look = async (): Promise<void> => {
    const found = await read(path)
    if (closed) return
    // Between the two steps of a replacement the file is gone, or empty, for a moment: only the second look counts.
    const isMissing = found.error !== undefined || found.text.trim() === ''
    if (isMissing && !unreadable) {
      unreadable = true
      schedule()
      return
    }
    unreadable = isMissing
    const mark = found.error === undefined ? found.text : found.error.message
    if (mark === seen) return
    const isFirst = seen === undefined
    seen = mark
    const checked = found.error === undefined ? check(found.text, path, env, secrets) : found
    if (checked.error !== undefined) {
      broken = true
      listener.onProblem(checked.error)
      return
    }
    const isBaseline = isFirst && known === undefined
    const isChanged = broken || !isDeepStrictEqual(checked.configuration, known)
    broken = false
    known = checked.configuration
    listener.onSecrets?.(checked.secrets)
    if (isChanged && !isBaseline) listener.onChange(checked.configuration)
  }

  const watcher = watchFolder(path, schedule)
  watchFile(path, { interval: pollMs, persistent: false }, schedule)
  const leaveSecrets = onSecretsChanged?.(() => {
    looking = looking.then(() => {
      // The same text means something else now. The baseline, if there is none yet, is not this look's to set.
      if (seen !== undefined) seen = CHANGED
      return look()
    })
  })
  looking = look()

  return () => {
    closed = true
    leaveSecrets?.()
    clearTimeout(timer)
    watcher?.close()
    unwatchFile(path, schedule)
  }
}

/** No text of a configuration. */
const CHANGED = '\0'

type Read = { text: string; error?: undefined } | { error: ConfigurationError }

async function read(path: string): Promise<Read> {
  try {
    return { text: await readConfigurationText(path) }
  } catch (error) {
    if (error instanceof ConfigurationError) return { error }
    throw error
  }
}

function check(
  text: string,
  path: string,
  env: NodeJS.ProcessEnv,
  secrets: SecretSource | undefined,
): (ParsedConfiguration & { error?: undefined }) | { error: ConfigurationError } {
  try {
    return parseConfiguration(text, path, env, secrets)
  } catch (error) {
    if (error instanceof ConfigurationError) return { error }
    throw error
  }
}

/** Undefined where the folder cannot be watched (limit of watches, file systems without events): the poll goes on alone. */
function watchFolder(path: string, onEvent: () => void): FSWatcher | undefined {
  const name = basename(path)
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_event, changed) => {
      if (changed === null || changed === name) onEvent()
    })
    watcher.on('error', () => watcher.close())
    return watcher
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
