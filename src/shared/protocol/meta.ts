/** Reserved `_meta` keys of 2026-07-28 (basic/index, "_meta"). */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const

/** Log levels from the most to the least verbose (server/utilities/logging, RFC 5424). */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export function isLogLevel(value: unknown): value is LogLevel {
  return typeof value === 'string' && (LOG_LEVELS as readonly string[]).includes(value)
}

/** True when a message at `level` reaches a caller that asked for `threshold` (at or above it). */
export function passesLogLevel(level: LogLevel, threshold: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(threshold)
}

/**
 * Of a request to a stdio server that came through gateways: their `Via` (RFC 9110 7.6.3), since lines have no header
 * fields. `sluice connect` sends it on, so that gateways that lead to each other are found out.
 */
export const VIA_META = 'dev.sluice/via'
