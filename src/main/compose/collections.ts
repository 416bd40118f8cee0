import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Collection, SavedRequest } from '../../shared/api/compose'
import { CollectionName, SavedRequestSchema } from '../../shared/api/compose-schemas'
import { isSecretField } from '../../shared/api/secret-field'
import { isObject, type JsonValue } from '../../shared/protocol/json-rpc'
import { replaceFile } from '../config/replace-file'

/** Saved requests in a folder: one JSON file a collection, made to be read and compared by people and by git. */
export interface Collections {
  readonly folder: string
  list(): Promise<Collection[]>
  /** Rejects in words when the file cannot be written, or holds what is no collection. */
  save(name: string, requests: readonly SavedRequest[]): Promise<{ collection: Collection; withheld: string[] }>
  delete(name: string): Promise<void>
}

const FORMAT = 'sluice-collection'
const CollectionFile = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  requests: z.array(z.unknown()).max(1_000),
})
const MOST_BYTES = 33_554_432
const MOST_FILES = 500
const EXTENSION = '.json'

export function collectionsIn(folder: string): Collections {
  const fileOf = (name: string): string => join(folder, `${CollectionName.parse(name)}${EXTENSION}`)

  async function read(name: string): Promise<Collection> {
    try {
      const file = fileOf(name)
      if ((await stat(file)).size > MOST_BYTES) return { name, requests: [], problem: 'the file is too large' }
      return { name, requests: requestsOf(JSON.parse(await readFile(file, 'utf8'))), problem: null }
    } catch (error) {
      return { name, requests: [], problem: wordsOf(error) }
    }
  }

  return {
    folder,

    async list() {
      const files = (await filesIn(folder)).filter((file) => file.endsWith(EXTENSION))
      const names = files.map((file) => file.slice(0, -EXTENSION.length))
      const usable = names.filter((name) => CollectionName.safeParse(name).success).sort()
      return Promise.all(usable.slice(0, MOST_FILES).map(read))
    },

    async save(name, requests) {
      const file = fileOf(name)
      const before = await read(name)
      const exists = (await filesIn(folder)).includes(`${name}${EXTENSION}`)
      if (exists && before.problem !== null)
        throw new Error(`${file} is no collection that could be written over: ${before.problem}`)
      const withheld = new Set<string>()
      const kept = requests.map((request) => withoutSecrets(request, withheld))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const text = fileText(kept)
      if (exists) await replaceFile(file, text)
      else await writeFile(file, text, { flag: 'wx', mode: 0o600 })
      return { collection: { name, requests: kept, problem: null }, withheld: [...withheld] }
    },

    async delete(name) {
      const { problem } = await read(name)
      if (problem !== null) throw new Error(`"${name}" was not deleted: ${problem}`)
      await rm(fileOf(name))
    },
  }
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    // Nothing has been saved yet.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Params are kept as JSON, so that a change of one argument is a change of one line. */
function requestsOf(value: unknown): SavedRequest[] {
  const { requests } = CollectionFile.parse(value)
  return requests.map((request) => {
    const params = isObject(request) ? request.params : undefined
    const settings = isObject(request) && isObject(request.settings) ? request.settings : {}
    return SavedRequestSchema.parse({
      ...(isObject(request) ? request : {}),
      params: JSON.stringify(params ?? {}, null, 2),
      settings: { capabilities: {}, logLevel: null, progress: false, headers: [], meta: {}, ...settings },
    })
  })
}

/** Members in one order always, and only settings that say something. */
function fileText(requests: readonly SavedRequest[]): string {
  const listed = requests.map(({ name, endpoint, era, method, params, settings }) => ({
    name,
    endpoint,
    era,
    method,
    params: JSON.parse(params) as JsonValue,
    settings: {
      ...(Object.keys(settings.capabilities).length > 0 && { capabilities: settings.capabilities }),
      ...(settings.logLevel !== null && { logLevel: settings.logLevel }),
      ...(settings.progress && { progress: true }),
      ...(settings.headers.length > 0 && { headers: settings.headers }),
      ...(Object.keys(settings.meta).length > 0 && { meta: settings.meta }),
    },
  }))
  return `${JSON.stringify({ format: FORMAT, version: 1, requests: listed }, null, 2)}\n`
}

/** A file that may go into git holds no secret: the field stays, its value does not. */
function withoutSecrets(request: SavedRequest, withheld: Set<string>): SavedRequest {
  const headers = request.settings.headers.map((header) => {
    if (header.value === '' || !isSecretField(header.name)) return header
    withheld.add(header.name)
    return { ...header, value: '' }
  })
  return { ...request, settings: { ...request.settings, headers } }
}

function wordsOf(error: unknown): string {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues
    return `${issue?.path.map(String).join('.') ?? ''} ${issue?.message ?? 'is not readable'}`.trim()
  }
  return error instanceof Error ? error.message : String(error)
}
