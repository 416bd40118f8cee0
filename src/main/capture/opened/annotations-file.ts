import { createHash } from 'node:crypto'
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { readAnnotation, writeAnnotation, type Annotation } from '../../../shared/capture/annotation'
import { makeFolder } from '../make-folder'

/**
 * What readers put on the calls of a capture file stands in a file of its own beside it, `<file>.marks`, since a capture is
 * never changed once it was recorded; or in the data folder where nothing can be written beside it. A file from elsewhere may
 * come with one: it is bounded and checked as the capture is.
 */
const FORMAT = 'sluice-marks'
const VERSION = 1
const MAX_BYTES = 16_777_216

/** By number of call. Null: what the capture itself says of the call was taken off. */
export type Annotations = ReadonlyMap<number, Annotation | null>

const Written = z.looseObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  calls: z.record(z.string(), z.unknown()),
})
const One = z.looseObject({
  mark: z.string().optional(),
  pinned: z.boolean().optional(),
  comment: z.string().optional(),
})

/** The places at which annotations of a capture may stand, best first. */
async function placesOf(capture: string, dataFolder: string | undefined): Promise<string[]> {
  const beside = `${capture}.marks`
  if (dataFolder === undefined) return [beside]
  const name = createHash('sha256')
    .update(await realpath(capture))
    .digest('hex')
  return [beside, join(dataFolder, 'marks', `${name.slice(0, 32)}.marks`)]
}

/** What was put on the calls of a capture; `problem` says in words why some of it could not be read. */
export async function readAnnotations(
  capture: string,
  dataFolder?: string,
): Promise<{ annotations: Map<number, Annotation | null>; problem: string | null }> {
  const annotations = new Map<number, Annotation | null>()
  let problem: string | null = null
  // The worse place was written to when the better one could not be, so it is the newer one.
  for (const place of await placesOf(capture, dataFolder)) {
    const read = await readPlace(place)
    if (typeof read === 'string') problem = read
    else for (const [call, annotation] of read) annotations.set(call, annotation)
  }
  return { annotations, problem }
}

async function readPlace(place: string): Promise<Annotations | string> {
  let text: string
  try {
    const { size } = await stat(place)
    if (size > MAX_BYTES) return `${place} has more than ${MAX_BYTES} bytes`
    text = await readFile(place, 'utf8')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    // Most captures have none.
    return error.code === 'ENOENT' ? new Map() : error.message
  }
  const read = Written.safeParse(parsed(text))
  if (!read.success) return `${place} is no file of marks that this Sluice can read`
  const annotations = new Map<number, Annotation | null>()
  for (const [name, value] of Object.entries(read.data.calls)) {
    const call = Number(name)
    const one = One.safeParse(value)
    if (Number.isSafeInteger(call) && call > 0 && one.success) annotations.set(call, readAnnotation(one.data))
  }
  return annotations
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Said in words by whoever asked.
    return undefined
  }
}

/** Writes all annotations of a capture, at the first place where that is possible. Rejects with the error of the system. */
export async function saveAnnotations(
  capture: string,
  dataFolder: string | undefined,
  annotations: Annotations,
): Promise<void> {
  const calls = Object.fromEntries([...annotations].map(([call, each]) => [call, writeAnnotation(each)]))
  const text = `${JSON.stringify({ format: FORMAT, version: VERSION, calls })}\n`
  const places = await placesOf(capture, dataFolder)
  for (const [at, place] of places.entries()) {
    try {
      await replace(place, text)
      // One at a worse place is older now.
      for (const worse of places.slice(at + 1)) await rm(worse, { force: true })
      return
    } catch (error) {
      if (at === places.length - 1 || !(error instanceof Error && 'code' in error)) throw error
    }
  }
}

async function replace(place: string, text: string): Promise<void> {
  const temporary = `${place}.${process.pid}.tmp`
  makeFolder(dirname(place))
  const file = await open(temporary, 'w', 0o600)
  try {
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, place)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
