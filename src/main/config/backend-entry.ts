import type { NewBackend } from '../../shared/api/contract'
import type { JsonObject } from '../../shared/protocol/json-rpc'

/** How a backend is written into the configuration. */
export function backendEntry(backend: NewBackend): JsonObject {
  if ('url' in backend) {
    const { url, transport = 'http', headers = {} } = backend
    return { type: transport, url, ...(Object.keys(headers).length > 0 && { headers }) }
  }
  const { command, args, env, cwd } = backend
  return {
    type: 'stdio',
    command,
    ...(args.length > 0 && { args }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(cwd !== undefined && { cwd }),
  }
}
