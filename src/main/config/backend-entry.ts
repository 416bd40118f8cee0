import type { NewBackend, NewCommandBackend, NewUrlBackend } from '../../shared/api/contract'
import { configurationProblem, type ConfigurationProblem } from '../../shared/config/problem'
import { HttpBackendConfig, StdioBackendConfig } from '../../shared/config/schema'
import type { JsonObject } from '../../shared/protocol/json-rpc'

/** How a backend is written into the configuration, and what is wrong with it. `at` is where it will stand. */
export function backendEntry(
  backend: NewBackend,
  at: readonly string[],
): { entry: JsonObject; problems: ConfigurationProblem[] } {
  return 'url' in backend ? urlEntry(backend, at) : commandEntry(backend, at)
}

function urlEntry({ url, transport = 'http' }: NewUrlBackend, at: readonly string[]): ReturnType<typeof backendEntry> {
  const entry = { type: transport, url }
  // A URL with variables is checked when the file is loaded, where the environment is known.
  if (HttpBackendConfig.shape.url.safeParse(url).success || url.includes('${')) return { entry, problems: [] }
  const fix = 'write a whole URL without a password, such as "http://127.0.0.1:3000/mcp"'
  return {
    entry,
    problems: [configurationProblem([...at, 'url'], 'is not an http or https URL that can be used', fix)],
  }
}

function commandEntry(
  { command, args, env, cwd }: NewCommandBackend,
  at: readonly string[],
): ReturnType<typeof backendEntry> {
  const entry = {
    type: 'stdio',
    command,
    ...(args.length > 0 && { args }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(cwd !== undefined && { cwd }),
  }
  const { error } = StdioBackendConfig.safeParse(entry)
  const problems = (error?.issues ?? []).map(({ code, path, message }) =>
    configurationProblem(
      [...at, ...path.map(String)],
      code === 'too_small' ? 'is empty' : message,
      'give a program, its arguments one by one, and names with values',
    ),
  )
  return { entry, problems }
}
