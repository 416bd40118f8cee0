import { z } from 'zod'
import { readPattern } from '../replay/pointer'

export const NamePolicy = z.enum(['prefix', 'on-conflict', 'priority', 'manual'])
export type NamePolicy = z.infer<typeof NamePolicy>

const milliseconds = (least: number): z.ZodInt => z.int().min(least).max(3_600_000)
const CREDENTIALS = /^https?:[/\\]*[^/\\?#]*@/i

/** Fields that the gateway writes itself, or that belong to one connection (RFC 9110, 7.6.1). */
const RESERVED_FIELDS: ReadonlySet<string> = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** A header field name (RFC 9110, 5.1) that configuration may set or pass. */
const FieldName = z
  .string()
  .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'is not a header field name')
  .refine((name) => !RESERVED_FIELDS.has(name.toLowerCase()), 'is a header field that the gateway writes itself')
/** A header field value (RFC 9110, 5.5): no line breaks, no control characters, nothing beyond Latin-1. */
const FieldValue = z
  .string()
  .regex(
    /^[\t\x20-\x7e\x80-\xff]*$/,
    'has characters that a header field cannot carry (line breaks, control characters)',
  )

/** Text that can be handed to a process (POSIX exec takes no NUL). */
const ProcessText = z.string().refine((text) => !text.includes('\0'), 'has a NUL character, which no process can get')

const Url = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !CREDENTIALS.test(url), 'carries a user name or password, which is not sent: use "headers"')
const REPLACED = '${NAME} and ${NAME:-default} are replaced from the environment.'

/** What every backend has, whatever its transport. */
const offered = {
  disabled: z
    .boolean()
    .optional()
    .describe('Turned off: it is not started and offers nothing, and the rest of its entry is not looked at.'),
  include: z
    .array(z.string())
    .optional()
    .describe(
      'Own names of tools and prompts, and URIs of resources, to offer; "*" stands for any text. All when absent.',
    ),
  exclude: z
    .array(z.string())
    .default([])
    .describe('Own names of tools and prompts, and URIs of resources, not to offer; "*" stands for any text.'),
  rename: z
    .record(z.string(), z.string().min(1))
    .default({})
    .describe(
      'New names of tools and prompts by their own names. Under the policy "prefix" the prefix is put before the new name.',
    ),
}
/** What every backend that is reached by HTTP has. */
const overHttp = {
  headers: z
    .record(FieldName, FieldValue)
    .default({})
    .describe(`Header fields sent to this backend with every request. ${REPLACED}`),
  passHeaders: z
    .array(FieldName)
    .default([])
    .describe('Names of client header fields that are passed on to this backend. None by default.'),
}
const Era = z
  .enum(['auto', 'modern', 'legacy'])
  .default('auto')
  .describe(
    'Protocol era of the backend: found by asking it (auto), 2026-07-28 (modern), or 2025-11-25 and older (legacy).',
  )

export const HttpBackendConfig = z
  .strictObject({
    type: z.enum(['http', 'streamable-http']).default('http').describe('Transport. Both values mean Streamable HTTP.'),
    url: Url.describe(`The MCP endpoint of the backend. ${REPLACED}`),
    ...overHttp,
    era: Era,
    ...offered,
  })
  .describe('A backend that is reached by Streamable HTTP.')
export type HttpBackendConfig = z.infer<typeof HttpBackendConfig>

export const SseBackendConfig = z
  .strictObject({
    type: z.literal('sse').describe('Transport: HTTP+SSE, as it was in 2024-11-05.'),
    url: Url.describe(`The event stream of the backend. ${REPLACED}`),
    ...overHttp,
    ...offered,
  })
  .describe('A backend that is reached by HTTP+SSE (2024-11-05).')
export type SseBackendConfig = z.infer<typeof SseBackendConfig>

export const StdioBackendConfig = z
  .strictObject({
    type: z.literal('stdio').default('stdio').describe('Transport: a process that is started here.'),
    command: ProcessText.min(1).describe(`The program to start, without arguments. ${REPLACED}`),
    args: z.array(ProcessText).default([]).describe(`Its arguments, one a text; no shell reads them. ${REPLACED}`),
    env: z
      .record(z.string().regex(/^[^=\0]+$/, 'is not the name of an environment variable'), ProcessText)
      .default({})
      .describe(`Environment variables, beside those that Sluice itself has. ${REPLACED}`),
    cwd: ProcessText.min(1).optional().describe(`The folder to start it in. Sluice's own when absent. ${REPLACED}`),
    instances: z
      .enum(['shared', 'per-session'])
      .default('shared')
      .describe('One process for all clients (shared), or one for every session of a legacy client (per-session).'),
    era: Era,
    ...offered,
  })
  .describe('A backend that is started as a process and spoken to on its standard streams.')
export type StdioBackendConfig = z.infer<typeof StdioBackendConfig>

export const ReplayBackendConfig = z
  .strictObject({
    type: z.literal('replay').describe('No server: a capture file, which answers as the recorded server did.'),
    file: ProcessText.min(1).describe(
      `The capture file. A relative path is taken from the folder of this configuration. ${REPLACED}`,
    ),
    backend: z
      .string()
      .min(1)
      .optional()
      .describe('Which backend of the capture; when absent the one of this name, else the only one.'),
    answers: z
      .enum(['strict', 'any'])
      .default('strict')
      .describe(
        'Answers to input requests that are not the recorded ones end the call with an error (strict), or go on as recorded (any).',
      ),
    pace: z
      .enum(['recorded', 'at-once'])
      .default('recorded')
      .describe('Frames come with the silence that was between them (recorded), or without (at-once).'),
    speed: z.number().min(0.01).max(1_000).default(1).describe('How many times faster than recorded.'),
    repeat: z
      .enum(['last', 'loop'])
      .default('last')
      .describe(
        'Equal requests get the recorded answers in order, and then the last one again (last) or all anew (loop).',
      ),
    ignore: z
      .array(
        z.string().refine((text) => !('problem' in readPattern(text)), 'is no JSON pointer, such as "/arguments/at"'),
      )
      .default([])
      .describe('JSON pointers into the params of requests that need not match; "*" stands for any key or index.'),
    ...offered,
  })
  .describe('A backend that is replayed from a capture file.')
export type ReplayBackendConfig = z.infer<typeof ReplayBackendConfig>

export const BackendConfig = z
  .union([HttpBackendConfig, SseBackendConfig, StdioBackendConfig, ReplayBackendConfig])
  .describe('One backend: an MCP server behind the gateway. Without "type", "command" says stdio and "url" says http.')
export type BackendConfig = z.infer<typeof BackendConfig>

export const GatewayConfig = z.strictObject({
  host: z.enum(['127.0.0.1', '::1', 'localhost']).default('127.0.0.1').describe('Address to listen on: loopback only.'),
  port: z
    .int()
    .min(0)
    .max(65535)
    .default(7420)
    .describe('Preferred port. 0 lets the system choose one; when it is taken, the next free one is used.'),
  responseMode: z
    .enum(['auto', 'json', 'sse'])
    .default('auto')
    .describe('How calls are answered: decided late (auto), never as a stream (json), always as a stream (sse).'),
  deferralWindowMs: milliseconds(0)
    .default(15_000)
    .describe('Milliseconds in which a call can still be answered as plain JSON before a stream is begun.'),
  pingIntervalMs: milliseconds(10)
    .default(15_000)
    .describe('Milliseconds without a frame after which an open stream gets a ping.'),
  pushLingerMs: milliseconds(0)
    .default(60_000)
    .describe(
      'Milliseconds that a legacy client may be away (no GET stream, no call) before backends are no longer listened to for it.',
    ),
  listTimeoutMs: milliseconds(10)
    .default(5_000)
    .describe('Milliseconds that one backend has for its part of a merged list. A slower one is left out and named.'),
  maxBodyBytes: z
    .int()
    .min(1024)
    .max(1_073_741_824)
    .default(4_194_304)
    .describe('Largest request body of a client in bytes; a larger one is refused with 413.'),
  maxMessageBytes: z
    .int()
    .min(1024)
    .max(1_073_741_824)
    .default(67_108_864)
    .describe('Largest single message of a backend in bytes; a larger one ends the exchange with an error.'),
  requestStateTtlSeconds: z
    .int()
    .min(1)
    .max(86_400)
    .default(600)
    .describe('Life of a sealed request state in seconds.'),
  names: z
    .strictObject({
      policy: NamePolicy.default('prefix').describe(
        'Names of tools and prompts on /mcp: always "<backend>__<name>" (prefix), prefixed only on a conflict (on-conflict), ' +
          'the first configured backend wins (priority), or conflicts are resolved by "rename" only (manual).',
      ),
    })
    .prefault({})
    .describe('How tools and prompts are named on /mcp.'),
  allowedHosts: z.array(z.string()).default([]).describe('Further values accepted in Host, exactly as sent.'),
  allowedOrigins: z.array(z.string()).default([]).describe('Further values accepted in Origin, exactly as sent.'),
  captures: z
    .strictObject({
      record: z
        .boolean()
        .default(true)
        .describe('Whether a run records to a file in the data folder when it is not told another.'),
      keepDays: z
        .int()
        .min(1)
        .max(36_500)
        .default(30)
        .describe('Days after which captures of earlier runs are removed from the data folder.'),
      keepBytes: z
        .int()
        .min(1_048_576)
        .max(Number.MAX_SAFE_INTEGER)
        .default(8_589_934_592)
        .describe('Bytes of captures in the data folder above which the oldest of earlier runs are removed.'),
      fileBytes: z
        .int()
        .min(1_048_576)
        .max(Number.MAX_SAFE_INTEGER)
        .default(1_073_741_824)
        .describe('Bytes of a capture in the data folder above which a run goes on in another file.'),
      fileHours: z.int().min(1).max(87_600).default(24).describe('Hours after which a run goes on in another file.'),
    })
    .prefault({})
    .describe(
      'What is recorded and kept in the data folder. Files elsewhere, and files with other names, are never removed.',
    ),
  redact: z
    .strictObject({
      headers: z.array(z.string()).default([]).describe('Further header fields whose values are redacted.'),
      keys: z.array(z.string()).default([]).describe('JSON member names whose values are redacted.'),
      paths: z
        .array(
          z
            .string()
            .regex(/^(\/([^~/]|~[01])*)+$/, 'is no JSON Pointer: it begins with "/", as in "/params/arguments/*/pin"'),
        )
        .default([])
        .describe('JSON Pointers into messages whose values are redacted; "*" stands for any one member or item.'),
    })
    .prefault({})
    .describe('What is redacted before a capture is written, beyond Authorization and cookies.'),
})
export type GatewayConfig = z.infer<typeof GatewayConfig>

/**
 * Backend names are part of tool names and URL paths. Without "__" inside and "_" at the end, the first "__" of a
 * prefixed name is always the end of the backend's name. Not digits alone: JavaScript orders such keys before all
 * others, and the order of backends is their priority.
 */
export const BackendName = z
  .string()
  .max(64, 'is too long for a backend name, which is part of the names of its tools: use at most 64 characters')
  .regex(
    /^(?![0-9]+$)[A-Za-z0-9](?:[A-Za-z0-9.-]|_(?=[A-Za-z0-9.-]))*$/,
    'is no backend name: use letters, digits, ".", "-" and single "_" between them, and not digits alone',
  )

export const Configuration = z.strictObject({
  $schema: z.string().optional().describe('Address of this schema, for editors.'),
  gateway: GatewayConfig.prefault({}).describe('The gateway itself.'),
  compose: z
    .strictObject({
      collections: z
        .string()
        .min(1)
        .optional()
        .describe(
          'Folder of the collections of saved requests, from the folder of this file on. In the data folder when absent.',
        ),
    })
    .optional()
    .describe('Compose: requests that are made in the desk.'),
  mcpServers: z.record(BackendName, BackendConfig).default({}).describe('The backends by name, in order of priority.'),
})
export type Configuration = z.infer<typeof Configuration> & {
  /** Backends that are turned off: they are not among `mcpServers`. Absent when none is. */
  off?: readonly OffBackend[]
}

/** A backend that is turned off (`"disabled": true`). */
export interface OffBackend {
  name: string
  /** Its transport, as far as the entry says it. */
  type: string
  /** How many backends stand before it in the file. */
  place: number
}
