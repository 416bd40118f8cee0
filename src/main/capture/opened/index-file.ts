import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { open, readFile, realpath, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { z } from 'zod'
import { CaptureFileError, openRegularFile } from '../capture-file'
import { makeFolder } from '../make-folder'
import { RowIndex } from './row-index'
import type { CaptureFacts, CaptureScan } from './scan'

/**
 * An index file spares another pass over a capture: a line of JSON, the parts of a `RowIndex`, and a seal. It is believed
 * only when this user's Sluice sealed it (HMAC-SHA256 with a key in the data folder), since a capture may come with an
 * index that says something else than the capture, and when the capture is still the same.
 */
const FORMAT = 'sluice-capture-index'
/** Another number makes all indexes be built anew: raise it when rows or their counting change. */
const VERSION = 5
const SEAL_BYTES = 32
/** An index of as many calls and events as are listed is smaller. */
const MAX_INDEX_BYTES = 536_870_912
/** Read and sealed at a time: other work comes in between. */
const BLOCK_BYTES = 1_048_576
const EDGE_BYTES = 65_536
/** The parts begin at a multiple of this, as their columns need it. */
const ALIGNMENT = 8

const Head = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  identity: z.object({ bytes: z.number(), modified: z.number(), edges: z.string() }),
  calls: z.int().min(0),
  rows: z.int().min(0),
  places: z.int().min(0),
  facts: z.custom<CaptureFacts>((value) => typeof value === 'object' && value !== null),
})
type Head = z.infer<typeof Head>

/** The places at which the index of a capture may stand, best first. */
async function indexPlaces(capture: string, dataFolder: string): Promise<string[]> {
  const name = createHash('sha256')
    .update(await realpath(capture))
    .digest('hex')
  return [`${capture}.idx`, join(dataFolder, 'indexes', `${name.slice(0, 32)}.idx`)]
}

/** The index of a capture, if there is one that holds; of the beginning of the capture when that has grown since. */
export async function loadIndex(
  capture: string,
  dataFolder: string,
): Promise<{ scan: CaptureScan; whole: boolean } | undefined> {
  const key = await indexKey(dataFolder)
  for (const place of await indexPlaces(capture, dataFolder)) {
    const read = await readIndex(place, key)
    if (read === undefined) continue
    const fit = await fits(capture, read.identity)
    if (fit !== 'no') return { scan: read.scan, whole: fit === 'whole' }
  }
  return undefined
}

/** Writes the index of a capture, at the first place where that is possible. Returns the place, or why there is none. */
export async function saveIndex(
  capture: string,
  dataFolder: string,
  { facts, index }: CaptureScan,
): Promise<{ place: string } | { problem: string }> {
  const key = await indexKey(dataFolder)
  const { bytes, calls, rows, places } = index.parts
  const head: Head = {
    format: FORMAT,
    version: VERSION,
    identity: await identityOf(capture, facts.bytes),
    calls,
    rows,
    places,
    facts,
  }
  const parts = [headLine(head), bytes]
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  const seal = hmac.digest()
  let problem = ''
  for (const place of await indexPlaces(capture, dataFolder)) {
    try {
      await replaceFile(place, [...parts, seal])
      return { place }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      problem = error.message
    }
  }
  return { problem }
}

/** Removes what a thread that was stopped has left of an index. Rejects with the error of the system. */
export async function removeUnfinished(capture: string, dataFolder: string, thread: number): Promise<void> {
  for (const place of await indexPlaces(capture, dataFolder)) await rm(unfinished(place, thread), { force: true })
}

function unfinished(place: string, thread: number): string {
  return `${place}.${process.pid}-${thread}.tmp`
}

/** With spaces before its line feed, so that what follows is aligned. */
function headLine(head: Head): Buffer {
  const json = Buffer.from(JSON.stringify(head))
  const line = Buffer.alloc(Math.ceil((json.length + 1) / ALIGNMENT) * ALIGNMENT, ' ')
  json.copy(line)
  line[line.length - 1] = LINE_FEED
  return line
}

const LINE_FEED = 0x0a

async function replaceFile(place: string, parts: readonly Uint8Array[]): Promise<void> {
  const temporary = unfinished(place, threadId)
  makeFolder(dirname(place))
  const file = await open(temporary, 'wx', 0o600)
  try {
    try {
      for (const part of parts) await writeAll(file, part)
    } finally {
      await file.close()
    }
    await rename(temporary, place)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten
}

/** Undefined when there is none at `place`, or none that holds. */
async function readIndex(
  place: string,
  key: Buffer,
): Promise<{ identity: Head['identity']; scan: CaptureScan } | undefined> {
  const content = await sealedContent(place, key)
  const feed = content?.indexOf(LINE_FEED) ?? -1
  if (content === undefined || feed < 0) return undefined
  // Sealed is what this user's Sluice wrote, perhaps another version of it.
  const read = Head.safeParse(JSON.parse(content.toString('utf8', 0, feed)))
  if (!read.success) return undefined
  const { identity, facts, calls, rows, places } = read.data
  const index = RowIndex.of({ calls, rows, places, bytes: content.subarray(feed + 1) })
  return index === undefined ? undefined : { identity, scan: { facts, index } }
}

/** What stands before the seal of a file, if the seal holds. */
async function sealedContent(place: string, key: Buffer): Promise<Buffer<ArrayBuffer> | undefined> {
  let file: FileHandle
  try {
    file = await openRegularFile(place)
  } catch (error) {
    // No index, or none that this user may read: the capture is looked at instead.
    if (error instanceof CaptureFileError) return undefined
    throw error
  }
  try {
    const { size } = await file.stat()
    if (size <= SEAL_BYTES || size > MAX_INDEX_BYTES) return undefined
    const content = Buffer.from(new ArrayBuffer(size))
    const end = size - SEAL_BYTES
    const hmac = createHmac('sha256', key)
    for (let at = 0; at < size;) {
      const { bytesRead } = await file.read(content, at, Math.min(BLOCK_BYTES, size - at), at)
      if (bytesRead === 0) return undefined
      hmac.update(content.subarray(at, Math.min(at + bytesRead, end)))
      at += bytesRead
    }
    return timingSafeEqual(hmac.digest(), content.subarray(end)) ? content.subarray(0, end) : undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  } finally {
    await file.close()
  }
}

async function identityOf(capture: string, bytes: number): Promise<Head['identity']> {
  const { mtimeMs } = await stat(capture)
  return { bytes, modified: mtimeMs, edges: await edgesOf(capture, bytes) }
}

/** Digest of the first and the last bytes of the first `bytes` of a file. */
async function edgesOf(capture: string, bytes: number): Promise<string> {
  const file = await openRegularFile(capture)
  try {
    const hash = createHash('sha256')
    const length = Math.min(EDGE_BYTES, bytes)
    for (const position of [0, bytes - length]) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
      hash.update(buffer.subarray(0, bytesRead))
    }
    return hash.digest('hex')
  } finally {
    await file.close()
  }
}

async function fits(capture: string, identity: Head['identity']): Promise<'whole' | 'beginning' | 'no'> {
  const { size, mtimeMs } = await stat(capture)
  if (size < identity.bytes || (size === identity.bytes && mtimeMs !== identity.modified)) return 'no'
  if ((await edgesOf(capture, identity.bytes)) !== identity.edges) return 'no'
  return size === identity.bytes ? 'whole' : 'beginning'
}

async function indexKey(dataFolder: string): Promise<Buffer> {
  const path = join(dataFolder, 'index.key')
  makeFolder(dataFolder)
  try {
    await writeFile(path, randomBytes(32), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readFile(path)
}
