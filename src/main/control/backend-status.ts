import type { BackendStatus } from '../../shared/api/contract'
import { redactUrl } from '../../shared/capture/redact-fields'
import { redactionRules } from '../../shared/capture/redaction-rules'
import { MODERN_VERSION } from '../../shared/protocol/revisions'
import type { ControlSources } from './control-sources'

/** What a URL in the configuration may have that is not shown; `key` is no secret in every URL that passes, but here it may be. */
const RULES = redactionRules({ keys: ['key'] })

/** The state of one backend as the desk shows it; undefined when there is none of that name. */
export function backendStatus(
  gateway: ControlSources['gateway'],
  name: string,
  isOfDemo: ControlSources['isOfDemo'],
): BackendStatus | undefined {
  const backend = gateway.backends().find((one) => one.name === name)
  if (backend === undefined) return undefined
  const { health, era, reason, changedAt, serverInfo, challenge, initialized } = backend.state
  const { url, command, instances } = backend
  const protocolVersion = era === 'legacy' ? initialized?.protocolVersion : era === null ? undefined : MODERN_VERSION
  return {
    name,
    type: backend.type,
    ...(url !== undefined && { url: redactUrl(url, RULES) }),
    ...(command !== undefined && { command }),
    ...(instances !== undefined && { instances }),
    ...(backend.restart !== undefined && { restartable: true }),
    ...(isOfDemo(name) && { ofDemo: true }),
    endpoint: `${gateway.base}/mcp/${name}`,
    era,
    health,
    ...(reason !== undefined && { reason }),
    changedAt,
    ...(serverInfo !== undefined && { serverInfo }),
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(challenge !== undefined && { challenge }),
    counts: gateway.counts(name),
  }
}
