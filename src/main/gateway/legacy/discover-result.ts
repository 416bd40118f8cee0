import type { JsonObject } from '../../../shared/protocol/json-rpc'
import { META } from '../../../shared/protocol/meta'
import { MODERN_VERSION } from '../../../shared/protocol/revisions'
import type { Initialized } from '../../backends/backend'

/** Capabilities that exist in legacy revisions only (changelog 2026-07-28: tasks became an extension). */
const LEGACY_ONLY = new Set(['tasks'])

/** What a legacy backend said at `initialize`, in the form of a `server/discover` result (server/discover). */
export function discoverResult({ capabilities, instructions, serverInfo }: Initialized): JsonObject {
  return {
    resultType: 'complete',
    supportedVersions: [MODERN_VERSION],
    capabilities: Object.fromEntries(Object.entries(capabilities).filter(([name]) => !LEGACY_ONLY.has(name))),
    ...(instructions === undefined ? {} : { instructions }),
    ttlMs: 0,
    cacheScope: 'private',
    ...(serverInfo === undefined ? {} : { _meta: { [META.serverInfo]: serverInfo } }),
  }
}
