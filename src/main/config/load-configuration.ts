import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { checkConfiguration } from '../../shared/config/check'
import { configurationProblem } from '../../shared/config/problem'
import type { BackendConfig, Configuration } from '../../shared/config/schema'
import type { SecretSource, SecretUse } from '../../shared/config/secrets'
import { ConfigurationError } from './configuration-error'
import { hiddenProblems } from './hidden-problems'
import { parseDocument } from './parse-document'
import { passedSecrets } from './passed-secrets'

/** A configuration is written by hand; what is larger than this is another file. */
const MAX_FILE_BYTES = 16 * 1024 * 1024

export interface ParsedConfiguration {
  configuration: Configuration
  secrets: SecretUse
}
export interface LoadedConfiguration extends ParsedConfiguration {
  /** Absolute path. */
  file: string
}

/** Reads and checks a configuration file. Rejects with `ConfigurationError`, whose message is ready to print. */
export async function loadConfiguration(
  file: string,
  env: NodeJS.ProcessEnv,
  secrets?: SecretSource,
): Promise<LoadedConfiguration> {
  const path = resolve(file)
  return { ...parseConfiguration(await readConfigurationText(path), path, env, secrets), file: path }
}

/** The same for text that has been read already. Throws `ConfigurationError`. */
export function parseConfiguration(
  text: string,
  file: string,
  env: NodeJS.ProcessEnv,
  secrets?: SecretSource,
): ParsedConfiguration {
  const document = parseDocument(text)
  if (document.problems.length > 0) throw new ConfigurationError(file, document.problems)
  const checked = checkConfiguration(document.value, env, secrets)
  if (checked.ok) {
    const { configuration, secrets: use } = checked
    return {
      configuration: withAbsoluteFiles(configuration, dirname(resolve(file))),
      secrets: { ...use, values: [...new Set([...use.values, ...passedSecrets(configuration)])] },
    }
  }
  const told = hiddenProblems(document.value, checked.problems, (masked) => {
    const again = checkConfiguration(masked, env, secrets)
    return again.ok ? [] : again.problems
  })
  const problems = told.map((problem) => document.locate(problem))
  throw new ConfigurationError(
    file,
    problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
  )
}

/** Captures are named from where the configuration is: both are kept together, in a repository for instance. */
function withAbsoluteFiles(configuration: Configuration, folder: string): Configuration {
  const entries = Object.entries(configuration.mcpServers).map(([name, config]): [string, BackendConfig] => [
    name,
    config.type === 'replay' ? { ...config, file: resolve(folder, config.file) } : config,
  ])
  return { ...configuration, mcpServers: Object.fromEntries(entries) }
}

/** Rejects with `ConfigurationError` when the file cannot be read. */
export async function readConfigurationText(path: string): Promise<string> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    throw new ConfigurationError(path, [unreadable(error)])
  }
  if (bytes.length > MAX_FILE_BYTES)
    throw new ConfigurationError(path, [
      configurationProblem([], `has ${bytes.length} bytes, which is no configuration`, 'check the path'),
    ])
  return bytes.toString('utf8')
}

function unreadable(error: unknown): ReturnType<typeof configurationProblem> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  switch (code) {
    case 'ENOENT':
      return configurationProblem([], 'does not exist', 'check the path, or write { "mcpServers": {} } there')
    case 'EACCES':
      return configurationProblem([], 'may not be read by this user', 'change the permissions of the file')
    case 'EISDIR':
      return configurationProblem([], 'is a folder', 'give the path of the file in it')
    default:
      return configurationProblem(
        [],
        `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        'check the path',
      )
  }
}
