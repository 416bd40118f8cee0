import type { BackendStatus } from '../../shared/api/contract'
import type { ControlSources } from './control-sources'

/** The state of one backend as the desk shows it; undefined when there is none of that name. */
export function backendStatus(gateway: ControlSources['gateway'], name: string): BackendStatus | undefined {
  const backend = gateway.backends().find((one) => one.name === name)
  if (backend === undefined) return undefined
  const { health, era, reason, changedAt, serverInfo } = backend.state
  return {
    name,
    type: backend.type,
    ...(backend.url !== undefined && { url: backend.url }),
    endpoint: `${gateway.base}/mcp/${name}`,
    era,
    health,
    ...(reason !== undefined && { reason }),
    changedAt,
    ...(serverInfo !== undefined && { serverInfo }),
    counts: gateway.counts(name),
  }
}
