import { z } from 'zod'
import { MARKS, MAX_COMMENT_LENGTH } from '../capture/annotation'
import { BackendName } from '../config/schema'
import { COMPOSE_REQUEST_SCHEMAS } from './compose-schemas'
import { REPLAY_REQUEST_SCHEMAS } from './replay-schemas'
import type { CommandName, Commands } from './contract'

const number = z.int().min(1).max(Number.MAX_SAFE_INTEGER)
const name = z.string().min(1).max(200)
const text = z.string().max(32_000)
/** Of an entry in a file: one that is turned off may be called anything. */
const entryName = z.string().max(100_000)
const path = z.string().min(1).max(4_096)
const ofCapture = { capture: name.optional() }

/** JSON text of an entry. */
const entry = z.string().max(1_000_000)

/** Longest piece of an upload, in characters of base64. */
const MAX_UPLOAD_PIECE = 699_052

/** What each command may be asked with. Requests come from a page: nothing of them is believed before this. */
export const REQUEST_SCHEMAS: { [N in CommandName]: z.ZodType<Commands[N]['request']> } = {
  'desk.status': z.strictObject({}),
  'calls.list': z.strictObject({
    after: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    limit: z.int().min(1).max(1_000).optional(),
    ...ofCapture,
  }),
  'call.events': z.strictObject({
    call: number,
    after: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
    limit: number.optional(),
    ...ofCapture,
  }),
  'call.text': z.strictObject({ call: number, seq: number, ...ofCapture }),
  'call.annotate': z.strictObject({
    call: number,
    annotation: z
      .strictObject({
        mark: z.enum(MARKS).nullable(),
        pinned: z.boolean(),
        comment: z.string().max(MAX_COMMENT_LENGTH).nullable(),
      })
      .nullable(),
    ...ofCapture,
  }),
  'operation.calls': z.strictObject({ operation: name, ...ofCapture }),
  'calls.search': z.strictObject({ text: z.string().min(1).max(2_000), ...ofCapture }),
  'findings.list': z.strictObject({ ...ofCapture }),
  'captures.list': z.strictObject({}),
  'capture.open': z.strictObject({ file: path, handedOver: z.literal(true).optional() }),
  'capture.close': z.strictObject({ capture: name }),
  'capture.upload': z.strictObject({
    name: z.string().min(1).max(255),
    upload: name.optional(),
    data: z.base64().max(MAX_UPLOAD_PIECE),
    last: z.boolean(),
  }),
  'backend.catalog': z.strictObject({ backend: name }),
  'backend.refresh': z.strictObject({ backend: name }),
  'backend.restart': z.strictObject({ backend: name }),
  'backend.activity': z.strictObject({ backend: name }),
  'config.addBackend': z.strictObject({ name: BackendName, entry }),
  'config.backend': z.strictObject({ name: entryName }),
  'config.editBackend': z.strictObject({
    name: entryName,
    newName: entryName,
    entry,
    version: z.string().max(100),
  }),
  'config.turnBackend': z.strictObject({ name: entryName, on: z.boolean(), version: z.string().max(100).optional() }),
  'config.removeBackend': z.strictObject({ name: entryName, version: z.string().max(100).optional() }),
  'config.restoreBackend': z.strictObject({ undo: z.string().max(100) }),
  'config.settings': z.strictObject({}),
  'config.set': z.strictObject({
    path: z.array(z.string().min(1).max(100)).min(1).max(5),
    value: z.union([z.null(), z.number(), text, z.array(text).max(1_000)]),
  }),
  'config.importable': z.strictObject({}),
  'config.import': z.strictObject({
    file: path,
    names: z.array(z.string().max(1_000)).min(1).max(1_000),
  }),
  ...COMPOSE_REQUEST_SCHEMAS,
  ...REPLAY_REQUEST_SCHEMAS,
  'secrets.list': z.strictObject({}),
  'secrets.set': z.strictObject({ name: z.string().max(200), value: z.string().max(100_000) }),
  'secrets.remove': z.strictObject({ name }),
  'recording.set': z.strictObject({ on: z.boolean() }),
  'demo.set': z.strictObject({ running: z.boolean() }),
}

export function isCommandName(value: unknown): value is CommandName {
  return typeof value === 'string' && Object.hasOwn(REQUEST_SCHEMAS, value)
}
