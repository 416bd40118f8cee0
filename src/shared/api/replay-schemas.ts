import { z } from 'zod'
import { MAX_FILTER_LENGTH } from '../capture/filter'
import { BackendName } from '../config/schema'
import { EXPORT_FORMATS, type ExportCommands } from './export'
import type { ReplayCommands } from './replay'

const id = z.string().min(1).max(200)
const path = z.string().min(1).max(4_096)
const calls = z.array(z.int().min(1).max(Number.MAX_SAFE_INTEGER)).min(1).max(200_000)
const pointer = z.string().min(1).max(2_000)

type Schemas<C extends Record<string, { request: unknown }>> = { [N in keyof C]: z.ZodType<C[N]['request']> }

/** What the commands of replay and export may be asked with. */
export const REPLAY_REQUEST_SCHEMAS: Schemas<
  { [N in keyof ReplayCommands]: ReplayCommands[N] } & { [N in keyof ExportCommands]: ExportCommands[N] }
> = {
  'replay.plan': z.strictObject({
    capture: id.optional(),
    calls: calls.optional(),
    filter: z.string().max(MAX_FILTER_LENGTH).optional(),
    mapping: z.record(z.string().max(200), BackendName).optional(),
    instead: id.optional(),
  }),
  'replay.start': z.strictObject({
    replay: id,
    consented: z.union([z.literal('all'), z.array(z.int().min(0)).max(200_000)]),
    pacing: z.enum(['in-order', 'captured']),
    ignore: z.array(pointer).max(1_000),
  }),
  'replay.pause': z.strictObject({ replay: id, paused: z.boolean() }),
  'replay.stop': z.strictObject({ replay: id }),
  'replay.show': z.strictObject({ replay: id }),
  'replay.save': z.strictObject({ replay: id, to: path, replace: z.boolean() }),
  'replay.keep': z.strictObject({ replay: id }),
  'replay.close': z.strictObject({ replay: id }),
  'replay.list': z.strictObject({}),
  'replay.addBackend': z.strictObject({
    capture: id,
    name: BackendName,
    backend: z.string().min(1).max(200).optional(),
  }),
  'capture.export': z.strictObject({
    capture: id.optional(),
    format: z.enum(EXPORT_FORMATS),
    to: path,
    calls: calls.optional(),
    sensitive: z.boolean(),
    replace: z.boolean(),
    export: id.optional(),
  }),
  'capture.exporting': z.strictObject({ export: id }),
  'capture.stopExport': z.strictObject({ export: id }),
}
