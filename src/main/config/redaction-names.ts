import type { RedactionNames } from '../../shared/capture/redaction-rules'
import type { Configuration } from '../../shared/config/schema'

/**
 * What a configuration wants redacted, the header fields that it sends to backends, whose values are its secrets, and
 * the values of secrets that it uses by name.
 */
export function redactionNames(
  { gateway, mcpServers }: Configuration,
  { values }: { values: readonly string[] },
): RedactionNames {
  const sent = Object.values(mcpServers).flatMap((config) => ('headers' in config ? Object.keys(config.headers) : []))
  return { ...gateway.redact, sent, values }
}
