import { z } from 'zod'
import { BackendName } from '../config/schema'
import { isObject, type JsonObject } from '../protocol/json-rpc'
import { LOG_LEVELS } from '../protocol/meta'
import type { ComposeCommands } from './compose'

const MOST_HEADERS = 100
const LONGEST_PARAMS = 16_777_216
const LONGEST_META = 262_144

/** An endpoint of this gateway: a path and nothing else, so that no other server can be meant. */
const EndpointPath = z.string().refine((path) => {
  const [, root, backend, ...rest] = path.split('/')
  if (!path.startsWith('/') || root !== 'mcp' || rest.length > 0) return false
  return backend === undefined || BackendName.safeParse(backend).success
}, 'is no endpoint of Sluice: use /mcp or /mcp/<backend>')

/** Fields that belong to the connection, or that HTTP itself writes (RFC 9110, 7.6.1 and 8.6). */
const CONNECTION_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const ComposedHeader = z.strictObject({
  name: z
    .string()
    .max(200)
    .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'is not a header field name')
    .refine((name) => !CONNECTION_FIELDS.has(name.toLowerCase()), 'is a field that HTTP itself writes'),
  value: z
    .string()
    .max(8_192)
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'has characters that a header field cannot carry'),
})

/** Text of a JSON object. What is wrong with it is said as the parser says it. */
const ObjectText = z
  .string()
  .max(LONGEST_PARAMS)
  .superRefine((text, context) => {
    try {
      if (!isObject(JSON.parse(text))) context.addIssue({ code: 'custom', message: 'is no JSON object' })
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
    }
  })

const Json = z
  .custom<JsonObject>(isObject, 'is no JSON object')
  .refine((value) => JSON.stringify(value).length <= LONGEST_META, 'is too large')

const Era = z.enum(['modern', 'legacy'])
const Settings = z.strictObject({
  capabilities: Json,
  logLevel: z.enum(LOG_LEVELS).nullable(),
  progress: z.boolean(),
  headers: z.array(ComposedHeader).max(MOST_HEADERS),
  meta: Json,
})
const request = {
  endpoint: EndpointPath,
  era: Era,
  method: z.string().min(1).max(200),
  params: ObjectText,
  settings: Settings,
}
export const SavedRequestSchema = z.strictObject({ name: z.string().min(1).max(200), ...request })

/** Also the name of a file on every system: no separators, no dots first, no spaces at the ends. */
export const CollectionName = z
  .string()
  .max(80)
  .regex(
    /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]*[\p{L}\p{N}_-])?$/u,
    'is no name for a collection: use letters, digits, spaces, ".", "-" and "_"',
  )
  .refine((name) => !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name), 'is a name that Windows keeps for itself')

const id = z.string().min(1).max(100)
const ArgumentText = z.string().max(65_536)

/** What the commands of compose may be asked with. */
export const COMPOSE_REQUEST_SCHEMAS: {
  [N in keyof ComposeCommands]: z.ZodType<ComposeCommands[N]['request']>
} = {
  'compose.offer': z.strictObject({ endpoint: EndpointPath, era: Era }),
  'compose.complete': z.strictObject({
    endpoint: EndpointPath,
    era: Era,
    ref: z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('ref/prompt'), name: ArgumentText }),
      z.strictObject({ type: z.literal('ref/resource'), uri: ArgumentText }),
    ]),
    argument: z.strictObject({ name: ArgumentText, value: ArgumentText }),
    known: z.record(ArgumentText, ArgumentText),
  }),
  'compose.send': z.strictObject(request),
  'compose.answer': z.strictObject({ id, responses: z.record(z.string().max(1_000), Json).nullable() }),
  'compose.cancel': z.strictObject({ id }),
  'compose.calls': z.strictObject({}),
  'compose.openUrl': z.strictObject({ id, key: z.string().max(1_000) }),
  'compose.collections': z.strictObject({}),
  'compose.saveCollection': z.strictObject({
    name: CollectionName,
    requests: z.array(SavedRequestSchema).max(1_000),
  }),
  'compose.deleteCollection': z.strictObject({ name: CollectionName }),
}
