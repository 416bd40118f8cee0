import type { BackendState } from '../../src/main/backends/backend'
import type { ControlSources } from '../../src/main/control/control-sources'

const STATE: BackendState = { health: 'ready', era: 'modern', changedAt: 7, serverInfo: { name: 'weather-server' } }
export const COMMAND = 'npx -y files-server --token «secret»'
const LEGACY_STATE: BackendState = {
  health: 'needs-sign-in',
  era: 'legacy',
  changedAt: 8,
  reason: 'it answered 401',
  challenge: 'Bearer realm="files"',
  initialized: { protocolVersion: '2025-06-18', capabilities: {}, raw: {} },
}
export const COUNTS = { tools: 1, prompts: 0, resources: 0, resourceTemplates: 0 }

/** What was asked of the gateway. */
interface Heard {
  restarts: number
  /** Desks for which backends are listened to. */
  watching: number
  /** Tells that a backend has changed. */
  changed: () => void
}

/** A gateway with two backends, `weather` and `files`, that sends nothing. */
export function idleGateway(): { gateway: ControlSources['gateway']; heard: Heard } {
  const heard: Heard = { restarts: 0, watching: 0, changed: () => undefined }
  const gateway: ControlSources['gateway'] = {
    base: 'http://127.0.0.1:7420',
    backends: () => [
      {
        name: 'weather',
        type: 'http',
        url: 'http://127.0.0.1:9/mcp',
        state: STATE,
        sharesConnection: false,
        onState: () => () => undefined,
        onActivity: () => () => undefined,
        shared: () => Promise.reject(new Error('control opens no session')),
        open: () => Promise.reject(new Error('control opens no session')),
        discover: async () => STATE,
        exchange: () => {
          throw new Error('control sends nothing')
        },
        close: async () => undefined,
        retire: async () => undefined,
      },
      {
        name: 'files',
        type: 'stdio',
        command: COMMAND,
        instances: 'shared',
        state: LEGACY_STATE,
        sharesConnection: true,
        onState: () => () => undefined,
        onActivity: () => () => undefined,
        shared: () => Promise.reject(new Error('control opens no session')),
        open: () => Promise.reject(new Error('control opens no session')),
        discover: async () => LEGACY_STATE,
        exchange: () => {
          throw new Error('control sends nothing')
        },
        restart: async () => void heard.restarts++,
        close: async () => undefined,
        retire: async () => undefined,
      },
    ],
    onBackends: (listener) => {
      heard.changed = listener
      return () => undefined
    },
    catalog: async () => ({ entries: [], problems: ['none yet'] }),
    refresh: async (name) => {
      if (name !== 'weather') throw new Error('unreachable')
    },
    watch: () => {
      heard.watching++
      return () => void heard.watching--
    },
    counts: () => COUNTS,
  }
  return { gateway, heard }
}
