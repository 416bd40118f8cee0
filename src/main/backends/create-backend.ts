import type { BackendConfig } from '../../shared/config/schema'
import type { Backend } from './backend'
import type { BackendOptions } from './backend-options'
import { HttpBackend } from './http-backend'
import { ReplayBackend } from './replay/replay-backend'
import { SseBackend } from './sse-backend'
import { StdioBackend } from './stdio-backend'

/** The connector for a configured backend. It asks and starts nothing before `discover()`, or the first call. */
export function createBackend(name: string, config: BackendConfig, options: BackendOptions): Backend {
  switch (config.type) {
    case 'http':
    case 'streamable-http':
      return new HttpBackend(name, config, options)
    case 'sse':
      return new SseBackend(name, config, options)
    case 'stdio':
      return new StdioBackend(name, config, options)
    case 'replay':
      return new ReplayBackend(name, config, options)
  }
}
