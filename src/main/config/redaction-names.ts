import type { RedactionNames } from '../../shared/capture/redaction-rules'
import type { Configuration } from '../../shared/config/schema'

/** What a configuration wants redacted, and the header fields that it sends to backends: their values are its secrets. */
export function redactionNames({ gateway, mcpServers }: Configuration): RedactionNames {
  const sent = Object.values(mcpServers).flatMap((config) => ('headers' in config ? Object.keys(config.headers) : []))
  return { ...gateway.redact, sent }
}
