import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { open, readFile, realpath, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { openRegularFile } from '../capture-file'
import { makeFolder } from '../make-folder'
import type { EncodedScan } from './index-code'

/**
 * An index file spares another pass over a capture: a line of JSON, the table, the rows, and a seal. It is believed only
 * when this user's Sluice sealed it (HMAC-SHA256 with a key in the data folder), since a capture may come with an index
 * that says something else than the capture, and when the capture is still the same.
 */
const FORMAT = 'sluice-capture-index'
/** Another number makes all indexes be built anew: raise it when rows or their counting change. */
const VERSION = 3
const SEAL_BYTES = 32
const MAX_HEAD_BYTES = 16_777_216
const EDGE_BYTES = 65_536

const Head = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  identity: z.object({ bytes: z.number(), modified: z.number(), edges: z.string() }),
  events: z.int().min(0),
  rowsBytes: z.int().min(0),
  scan: z.custom<Pick<EncodedScan, 'header' | 'notes' | 'bytes' | 'position' | 'servers'>>(
    (value) => typeof value === 'object',
  ),
})
type Head = z.infer<typeof Head>

/** The places at which the index of a capture may stand, best first. */
export async function indexPlaces(capture: string, dataFolder: string): Promise<string[]> {
  const name = createHash('sha256')
    .update(await realpath(capture))
    .digest('hex')
  return [`${capture}.idx`, join(dataFolder, 'indexes', `${name.slice(0, 32)}.idx`)]
}

/** The index of a capture, if there is one that holds; of the beginning of the capture when that has grown since. */
export async function loadIndex(
  capture: string,
  dataFolder: string,
): Promise<{ encoded: EncodedScan; whole: boolean } | undefined> {
  const key = await indexKey(dataFolder)
  for (const place of await indexPlaces(capture, dataFolder)) {
    const read = await readIndex(place, key)
    if (read === undefined) continue
    const fit = await fits(capture, read.head.identity)
    if (fit !== 'no') return { encoded: read.encoded, whole: fit === 'whole' }
  }
  return undefined
}

/** Writes the index of a capture, at the first place where that is possible. Returns the place, or why there is none. */
export async function saveIndex(
  capture: string,
  dataFolder: string,
  encoded: EncodedScan,
): Promise<{ place: string } | { problem: string }> {
  const key = await indexKey(dataFolder)
  const { header, notes, bytes, position, servers, events, table, rows } = encoded
  const head: Head = {
    format: FORMAT,
    version: VERSION,
    identity: await identityOf(capture, bytes),
    events,
    rowsBytes: rows.length,
    scan: { header, notes, bytes, position, servers },
  }
  const parts = [Buffer.from(`${JSON.stringify(head)}\n`), Buffer.from(table), rows]
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

async function replaceFile(place: string, parts: readonly Uint8Array[]): Promise<void> {
  const temporary = `${place}.${process.pid}.tmp`
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

async function readIndex(place: string, key: Buffer): Promise<{ head: Head; encoded: EncodedScan } | undefined> {
  let content: Buffer
  try {
    content = await readFile(place)
  } catch (error) {
    // No index, or none that this user may read: the capture is looked at instead.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
  const end = content.length - SEAL_BYTES
  const feed = content.subarray(0, MAX_HEAD_BYTES).indexOf(0x0a)
  if (end <= 0 || feed < 0) return undefined
  const seal = createHmac('sha256', key).update(content.subarray(0, end)).digest()
  if (!timingSafeEqual(seal, content.subarray(end))) return undefined
  // Sealed is what this user's Sluice wrote, perhaps an older one.
  const read = Head.safeParse(JSON.parse(content.toString('utf8', 0, feed)))
  if (!read.success) return undefined
  const { events, rowsBytes, scan } = read.data
  const tableEnd = feed + 1 + events * 24
  const rows = new Uint8Array(content.subarray(tableEnd, tableEnd + rowsBytes))
  const table = new Uint8Array(content.subarray(feed + 1, tableEnd)).buffer
  return { head: read.data, encoded: { ...scan, events, table, rows } }
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
