import { z } from 'zod'
import type { JsonValue } from '../protocol/json-rpc'
import type { CaptureEvent, CaptureHeader } from './events'
import { problemWords } from './problem-words'

/**
 * What a line of a capture file must look like to be believed. Files come from anywhere, so every member that our code
 * reads is checked; members that it does not know stay as they are.
 */

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
const number = z.int().min(1).max(Number.MAX_SAFE_INTEGER)
const era = z.enum(['modern', 'legacy'])
const id = z.union([z.string(), z.number()])
const headers = z.array(z.tuple([z.string(), z.string()]))
const json = z.custom<JsonValue>((value) => value !== undefined)

const edit = z.looseObject({
  what: z.enum([
    'id',
    'name',
    'requestState',
    'progressToken',
    'ttlMs',
    'meta',
    'capabilities',
    'header',
    'subscriptionId',
    'filter',
    'taskId',
    'era',
  ]),
  at: z.string(),
  was: z.string().optional(),
  now: z.string().optional(),
  offset: count.optional(),
})
const edits = z.array(edit)
const reference = z.looseObject({ seq: number, edits })

const base = { seq: number, at: count, cut: count.optional() }
const ofCall = { ...base, call: number }
const person = z.looseObject({ name: z.string(), version: z.string().optional() })

const sealed = z.looseObject({
  version: z.literal(1),
  backend: z.string(),
  endpoint: z.string(),
  method: z.string(),
  target: z.string(),
  inner: z.string().optional(),
  paramsDigest: z.string(),
  callerDigest: z.string().nullable(),
  operation: z.string(),
  round: number,
  issuedAt: z.number(),
  expiresAt: z.number(),
})

const backendKinds = [
  'backend.started',
  'backend.probed',
  'backend.catalog',
  'backend.stderr',
  'backend.noise',
  'backend.exited',
  'backend.restarted',
] as const

const backendEvent = z.looseObject({
  ...base,
  kind: z.enum(backendKinds),
  backend: z.string(),
  era: era.optional(),
  health: z.enum(['starting', 'ready', 'degraded', 'needs-sign-in', 'down']).optional(),
  reason: z.string().optional(),
  url: z.string().optional(),
  serverInfo: person.optional(),
  result: z.string().optional(),
  counts: z.looseObject({ tools: count, prompts: count, resources: count, resourceTemplates: count }).optional(),
  text: z.string().optional(),
})

export const CaptureEventSchema = z.discriminatedUnion('kind', [
  z.looseObject({
    ...ofCall,
    kind: z.literal('call.received'),
    endpoint: z.string(),
    era,
    http: z.looseObject({ method: z.string(), path: z.string(), headers }),
    body: z.string(),
    id: id.optional(),
    method: z.string().optional(),
    name: z.string().optional(),
    progressToken: id.optional(),
    logLevel: z.string().optional(),
    client: person.optional(),
    deferralWindowMs: z.number().min(0),
    pingIntervalMs: z.number().min(0).optional(),
    responseMode: z.enum(['auto', 'json', 'sse']),
  }),
  z.looseObject({
    ...ofCall,
    kind: z.literal('call.routed'),
    backend: z.string().nullable(),
    backends: z.array(z.string()).optional(),
    backendEra: era.optional(),
    name: z.string().optional(),
    operation: z.string(),
    round: number,
    edits,
  }),
  z.looseObject({
    ...ofCall,
    kind: z.literal('upstream.sent'),
    exchange: number,
    backend: z.string(),
    era: era.optional(),
    again: z.enum(['repeat', 'resume']).optional(),
    http: z.looseObject({ method: z.string(), url: z.string(), headers }),
    body: z.string().optional(),
    bodyFrom: reference.optional(),
  }),
  z.looseObject({ ...ofCall, kind: z.literal('upstream.head'), exchange: number, status: count, headers }),
  z.looseObject({
    ...ofCall,
    kind: z.literal('upstream.frame'),
    exchange: number,
    form: z.enum(['event', 'comment', 'body', 'line']),
    unasked: z.string().optional(),
    raw: z.string(),
    bytes: z.string().optional(),
  }),
  z.looseObject({
    ...ofCall,
    kind: z.literal('upstream.ended'),
    exchange: number,
    reason: z.enum(['complete', 'cancelled', 'refused', 'lost', 'timeout', 'protocol']),
    detail: z.string().optional(),
  }),
  z.looseObject({
    ...ofCall,
    kind: z.literal('response.committed'),
    form: z.enum(['json', 'sse']),
    status: count,
    cause: z.enum(['result', 'error', 'notification', 'window', 'mode']),
    headers,
  }),
  z.looseObject({
    ...ofCall,
    kind: z.literal('response.frame'),
    form: z.enum(['event', 'body']),
    message: z.enum(['notification', 'request', 'result', 'error']),
    kept: z.literal(true).optional(),
    raw: z.string().optional(),
    rawFrom: reference.optional(),
    from: number.optional(),
    edits,
  }),
  z.looseObject({
    ...ofCall,
    kind: z.literal('request.answered'),
    to: number.optional(),
    by: z.enum(['client', 'gateway']),
    raw: z.string(),
  }),
  z.looseObject({ ...ofCall, kind: z.literal('response.ping') }),
  z.looseObject({
    ...ofCall,
    kind: z.literal('response.withheld'),
    from: number,
    method: z.string().optional(),
    reason: z.enum([
      'no-progress-token',
      'progress-token-mismatch',
      'no-log-level',
      'below-log-level',
      'not-request-scoped',
      'server-request',
      'after-result',
      'json-mode',
      'not-subscribed',
      'merged',
      'not-json-rpc',
    ]),
    detail: z.string(),
  }),
  z.looseObject({ ...ofCall, kind: z.literal('state.sealed'), outer: z.string(), kid: z.string(), sealed }),
  z.looseObject({ ...ofCall, kind: z.literal('state.opened'), outer: z.string(), kid: z.string(), sealed }),
  z.looseObject({
    ...ofCall,
    kind: z.literal('state.refused'),
    outer: z.string(),
    reason: z.enum([
      'malformed',
      'unauthentic',
      'unknown_key',
      'expired',
      'caller_mismatch',
      'request_mismatch',
      'backend_gone',
    ]),
    sealed: sealed.optional(),
    differs: z.looseObject({ field: z.string(), sealed: json, now: json }).optional(),
  }),
  z.looseObject({
    ...ofCall,
    kind: z.literal('call.ended'),
    outcome: z.enum(['result', 'tool-error', 'error', 'input-required', 'task', 'cancelled']),
    by: z.enum(['backend', 'client', 'gateway']),
    error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
    detail: z.string().optional(),
  }),
  z.looseObject({
    ...ofCall,
    kind: z.literal('call.annotated'),
    mark: z.string().optional(),
    pinned: z.boolean().optional(),
    comment: z.string().optional(),
  }),
  backendEvent,
  z.looseObject({ ...base, kind: z.literal('capture.lost'), events: count, bytes: count, reason: z.string() }),
  z.looseObject({ ...base, kind: z.literal('capture.continued'), file: z.string() }),
])

/** The version of the format that this code writes, and the newest that it reads. */
export const CAPTURE_VERSION = 1

export const CaptureHeaderSchema = z.looseObject({
  format: z.literal('sluice-capture'),
  version: z.literal(CAPTURE_VERSION),
  startedAt: z.iso.datetime({ offset: true }),
  gateway: z.looseObject({
    name: z.string(),
    version: z.string(),
    endpoint: z.string().optional(),
    platform: z.string().optional(),
  }),
  backends: z.array(z.looseObject({ name: z.string(), type: z.string(), url: z.string().optional() })),
  redaction: z.looseObject({
    headers: z.array(z.string()),
    keys: z.array(z.string()),
    paths: z.array(z.string()).optional(),
  }),
  excerpt: z.literal(true).optional(),
  imported: z.string().optional(),
  continues: z.looseObject({ file: z.string(), seq: count }).optional(),
  lost: z.looseObject({ events: count, bytes: count }),
})

export type Reading<T> =
  | { ok: true; value: T }
  /** `unknown`: it is an event, of a kind that only a newer Sluice knows. */
  | { ok: false; problem: string; unknown?: true }

const KINDS: ReadonlySet<string> = new Set(
  CaptureEventSchema.options.flatMap(({ shape }) =>
    shape.kind instanceof z.ZodEnum ? shape.kind.options : [...shape.kind.values],
  ),
)
/** Members of events nest a few levels; what is deeper was made to break whoever writes it out again. */
const MAX_DEPTH = 32

/** An event of a file, or in words what is wrong with it. */
export function readEvent(value: unknown): Reading<CaptureEvent> {
  if (isDeeper(value, MAX_DEPTH)) return { ok: false, problem: `nested deeper than ${MAX_DEPTH} levels` }
  const stamp = Stamp.safeParse(value)
  if (stamp.success && !KINDS.has(stamp.data.kind)) {
    return { ok: false, problem: `unknown kind ${JSON.stringify(stamp.data.kind.slice(0, 60))}`, unknown: true }
  }
  const read = CaptureEventSchema.safeParse(value)
  // The schema says the same as the type, member by member; the test of this file holds both together.
  return read.success
    ? { ok: true, value: read.data as CaptureEvent }
    : { ok: false, problem: problemWords(read.error, value) }
}

/** The header of a file, or in words what is wrong with it. */
export function readHeader(value: unknown): Reading<CaptureHeader> {
  const named = z.looseObject({ format: z.literal('sluice-capture'), version: z.int() }).safeParse(value)
  if (!named.success) return { ok: false, problem: 'this is no capture: its first line is no "sluice-capture" header' }
  if (named.data.version > CAPTURE_VERSION) {
    return {
      ok: false,
      problem:
        `this capture has format version ${named.data.version}, and this Sluice reads up to version ` +
        `${CAPTURE_VERSION}; open it with a newer Sluice`,
    }
  }
  if (named.data.version < 1) {
    return {
      ok: false,
      problem: `its header has format version ${named.data.version}, and there is none below 1; the file was changed or made by something else`,
    }
  }
  const read = CaptureHeaderSchema.safeParse(value)
  return read.success
    ? { ok: true, value: read.data }
    : { ok: false, problem: `its header cannot be used: ${problemWords(read.error, value)}` }
}

const Stamp = z.object({ seq: number, at: count, kind: z.string() })

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const member of Object.values(value)) if (isDeeper(member, levels - 1)) return true
  return false
}
