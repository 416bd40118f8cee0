import { z } from 'zod'

export const NamePolicy = z.enum(['prefix', 'on-conflict', 'priority', 'manual'])

export const BackendConfig = z.strictObject({
  type: z.enum(['http', 'streamable-http']).default('http'),
  url: z.url({ protocol: /^https?$/ }),
  /** Sent to this backend with every request; `${NAME}` is replaced from the environment. */
  headers: z.record(z.string(), z.string()).default({}),
  /** Names of client header fields that are passed on to this backend. None by default. */
  passHeaders: z.array(z.string()).default([]),
  era: z.enum(['auto', 'modern']).default('auto'),
  /** Names (or, for resources, URIs) to offer; all when absent. */
  include: z.array(z.string()).optional(),
  exclude: z.array(z.string()).default([]),
  /** New names by the backend's own names. */
  rename: z.record(z.string(), z.string()).default({}),
})
export type BackendConfig = z.infer<typeof BackendConfig>

export const GatewayConfig = z.strictObject({
  host: z.enum(['127.0.0.1', '::1', 'localhost']).default('127.0.0.1'),
  port: z.int().min(0).max(65535).default(7420),
  responseMode: z.enum(['auto', 'json', 'sse']).default('auto'),
  deferralWindowMs: z.int().min(0).max(3_600_000).default(15_000),
  pingIntervalMs: z.int().min(10).max(3_600_000).default(15_000),
  maxBodyBytes: z.int().min(1024).max(1_073_741_824).default(4_194_304),
  /** Largest single message of a backend; a larger one ends the exchange with an error. */
  maxMessageBytes: z.int().min(1024).max(1_073_741_824).default(67_108_864),
  /** Life of a sealed request state. */
  requestStateTtlSeconds: z.int().min(1).max(86_400).default(600),
  names: z.strictObject({ policy: NamePolicy.default('prefix') }).prefault({}),
  /** Extra values accepted in `Host` and `Origin`, exactly as sent. */
  allowedHosts: z.array(z.string()).default([]),
  allowedOrigins: z.array(z.string()).default([]),
  redact: z.strictObject({ headers: z.array(z.string()).default([]), keys: z.array(z.string()).default([]) }).prefault({}),
})
export type GatewayConfig = z.infer<typeof GatewayConfig>

/** Backend names are part of tool names and URL paths. */
export const BackendName = z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9.-]|_(?!_))*$/, 'use letters, digits, ".", "-" and single "_"')

export const Configuration = z.strictObject({
  gateway: GatewayConfig.prefault({}),
  mcpServers: z.record(BackendName, BackendConfig).default({}),
})
export type Configuration = z.infer<typeof Configuration>
