import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import type { CaptureEvent, CaptureHeader } from '../../shared/capture/events'
import { noNotes, type CaptureNotes } from '../../shared/capture/notes'
import { readEvent, readHeader } from '../../shared/capture/schema'
import { isBeingWritten } from './capture-lock'
import { LineSplitter, type SplitLine } from './line-splitter'

/** A file that cannot be read as a capture; `message` says why and what helps. */
export class CaptureFileError extends Error {
  override readonly name = 'CaptureFileError'
}

/** An event, and where its line stands in the file. */
export interface FileEvent {
  event: CaptureEvent
  /** Bytes from the beginning of the file. */
  offset: number
  /** Bytes of the line without its line feed. */
  length: number
  /** The line itself. Keeping it keeps the whole block in memory. */
  line: Buffer
  /** Which line of the file it is, from 1. */
  number: number
}

/** How far a file was read, to go on from there when it has grown. */
export interface ReadPosition {
  /** Where the next line begins, in bytes. */
  offset: number
  /** Lines before it. */
  lines: number
  /** `seq` of the last event. */
  seq: number
}

export interface CaptureReader {
  header: CaptureHeader
  /** Bytes of the file when it was opened; later ones are not read. */
  bytes: number
  /** Grows while events are read. */
  notes: CaptureNotes
  /** Where reading stands. */
  position: ReadPosition
  /** The events in the order of the file, as many at a time as a block had. To be read once; closes the file at its end, or when it is left early. */
  batches(): AsyncGenerator<FileEvent[], void, undefined>
  /** The same, one by one. */
  events(): AsyncGenerator<CaptureEvent, void, undefined>
  close(): Promise<void>
}

export interface ReadOptions {
  /** Longer lines are passed over. */
  maxLineBytes?: number
  /** Goes on from there instead of the beginning, with what was noted up to there. */
  from?: { position: ReadPosition; notes: CaptureNotes }
}

const BLOCK = 1_048_576
/** The recorder writes none longer. Reading one takes several times its length in memory. */
export const MAX_LINE_BYTES = 67_108_864
const MAX_HEADER_BYTES = 1_048_576
const MAX_EXAMPLES = 5
const MAX_REASONS = 5
const MAX_NAME_LENGTH = 200

/**
 * Opens a capture file to read it from its beginning to its end. Rejects with `CaptureFileError` when it is no capture,
 * or one of a newer format. Files come from anywhere: memory is bounded by the longest line, and lines that are no
 * events are counted and passed over.
 */
export async function readCapture(path: string, options: ReadOptions = {}): Promise<CaptureReader> {
  const { maxLineBytes = MAX_LINE_BYTES, from } = options
  const file = await openRegularFile(path)
  try {
    const bytes = (await file.stat()).size
    const header = await readHeaderLine(file, path, bytes)
    const start = from?.position ?? { offset: header.length, lines: 1, seq: 0 }
    const notes = from === undefined ? begin(header.value) : structuredClone(from.notes)
    const reader: CaptureReader = {
      header: header.value,
      bytes,
      notes,
      position: { ...start },
      async *batches() {
        try {
          const lines = new EventLines(reader, maxLineBytes)
          for await (const block of blocks(file, start.offset, bytes)) yield lines.push(block)
          yield lines.end(isBeingWritten(path))
        } finally {
          await file.close()
        }
      },
      async *events() {
        for await (const batch of reader.batches()) for (const { event } of batch) yield event
      },
      close: () => file.close(),
    }
    return reader
  } catch (error) {
    await file.close()
    throw error
  }
}

function begin(header: CaptureHeader): CaptureNotes {
  const notes = noNotes()
  notes.lost.events = header.lost.events
  notes.lost.bytes = header.lost.bytes
  notes.continues = header.continues?.file.slice(0, MAX_NAME_LENGTH) ?? null
  return notes
}

async function* blocks(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer, void, undefined> {
  for (let position = start; position < end;) {
    const length = Math.min(BLOCK, end - position)
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Turns blocks into events. */
class EventLines {
  private readonly splitter: LineSplitter

  constructor(
    private readonly reader: Pick<CaptureReader, 'notes' | 'position'>,
    maxLineBytes: number,
  ) {
    this.splitter = new LineSplitter(maxLineBytes, reader.position.offset)
  }

  push(block: Buffer): FileEvent[] {
    const events: FileEvent[] = []
    for (const line of this.splitter.push(block)) {
      this.take(line, events)
      this.reader.position.lines++
    }
    this.reader.position.offset = this.splitter.offset
    return events
  }

  end(growing: boolean): FileEvent[] {
    const { notes, position } = this.reader
    notes.growing = growing
    notes.torn = false
    const rest = this.splitter.rest()
    const events: FileEvent[] = []
    if (rest === undefined) return events
    if (rest.bytes !== null && parseJson(rest.bytes) === undefined) {
      // Whoever is writing is about to write its end.
      notes.torn = !growing
      return events
    }
    this.take(rest, events)
    position.offset = this.splitter.offset
    return events
  }

  private take(line: SplitLine, events: FileEvent[]): void {
    const { notes, position } = this.reader
    if (line.length === 0) return
    if (line.bytes === null) {
      notes.longLines++
      this.example('is too long')
      return
    }
    const value = parseJson(line.bytes)
    const read = value === undefined ? { ok: false as const, problem: 'no JSON' } : readEvent(value)
    if (!read.ok) {
      if ('unknown' in read) notes.unknownEvents++
      else notes.badLines++
      return this.example(read.problem)
    }
    const event = read.value
    if (event.seq <= position.seq) {
      notes.badLines++
      return this.example(`its seq ${event.seq} does not come after ${position.seq}`)
    }
    position.seq = event.seq
    if (event.cut !== undefined) notes.cutEvents++
    if (event.kind === 'capture.lost') this.lost(event)
    // Said in vain when something follows.
    notes.continuedIn = event.kind === 'capture.continued' ? event.file.slice(0, MAX_NAME_LENGTH) : null
    events.push({ event, offset: line.offset, length: line.length, line: line.bytes, number: position.lines + 1 })
  }

  private lost({ events, bytes, reason }: { events: number; bytes: number; reason: string }): void {
    const { lost } = this.reader.notes
    lost.events += events
    lost.bytes += bytes
    const short = reason.slice(0, 200)
    if (lost.reasons.length < MAX_REASONS && !lost.reasons.includes(short)) lost.reasons.push(short)
  }

  private example(problem: string): void {
    const { notes, position } = this.reader
    if (notes.examples.length < MAX_EXAMPLES) notes.examples.push(`line ${position.lines + 1}: ${problem}`)
  }
}

/** Opens a file of which the rest of this program may read. Rejects with `CaptureFileError`. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  let file: FileHandle
  try {
    // A pipe that nobody writes to would not even open; Windows has no such flag.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    throw new CaptureFileError(openingProblem(error, path))
  }
  // Pipes and devices may never end, and have no positions.
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new CaptureFileError(`${path} is no regular file`)
}

function openingProblem(error: unknown, path: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `${path} does not exist; check the path`
    case 'EACCES':
    case 'EPERM':
      return `${path} may not be read; change its permissions`
    case 'EMFILE':
    case 'ENFILE':
      return `${path} cannot be opened: too many files are open`
    default:
      return `${path} cannot be opened: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** True when the file begins as a HAR does, of which a capture can be made. Rejects with `CaptureFileError`. */
export async function isHarFile(path: string): Promise<boolean> {
  const file = await openRegularFile(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HAR_BEGIN_BYTES), 0, HAR_BEGIN_BYTES, 0)
    return HAR.test(buffer.toString('utf8', 0, bytesRead))
  } finally {
    await file.close()
  }
}

const HAR_BEGIN_BYTES = 1_000
const BYTE_ORDER_MARK = Buffer.from('\uFEFF')
const HAR = /^\uFEFF?\s*\{\s*"log"\s*:/

async function readHeaderLine(
  file: FileHandle,
  path: string,
  bytes: number,
): Promise<{ value: CaptureHeader; length: number }> {
  if (bytes === 0) throw new CaptureFileError(`${path} is empty; a capture begins with a header line`)
  const length = Math.min(bytes, MAX_HEADER_BYTES)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
  const head = buffer.subarray(0, bytesRead)
  refuseOtherEncodings(head, path)
  if (HAR.test(head.toString('utf8', 0, HAR_BEGIN_BYTES))) {
    throw new CaptureFileError(
      `${path} is a HAR file; make a capture of it with: sluice capture import FILE --out CAPTURE`,
    )
  }
  const end = head.indexOf('\n')
  if (end < 0 && bytesRead === MAX_HEADER_BYTES) {
    throw new CaptureFileError(`${path} is no capture: its first line is too long`)
  }
  // Editors may put a byte order mark there, which changes nothing.
  const value = parseJson(head.subarray(head.indexOf(BYTE_ORDER_MARK) === 0 ? 3 : 0, end < 0 ? head.length : end))
  if (value === undefined)
    throw new CaptureFileError(
      `${path} is no capture: its first line is no JSON; open the .ndjson that Sluice wrote, or a HAR`,
    )
  const read = readHeader(value)
  if (!read.ok) throw new CaptureFileError(`${path}: ${read.problem}`)
  return { value: read.value, length: end < 0 ? bytesRead : end + 1 }
}

/** Throws `CaptureFileError` where a file begins as what no reader here takes, and says what to do with it. */
export function refuseOtherEncodings(head: Buffer, path: string): void {
  if (head[0] === 0x1f && head[1] === 0x8b) {
    throw new CaptureFileError(`${path} is compressed; unpack it first (gunzip) and open what comes out`)
  }
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) {
    throw new CaptureFileError(`${path} is UTF-16 text, as PowerShell writes it; convert it to UTF-8 first`)
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    // What is no JSON is no value either; the callers say what that means.
    return undefined
  }
}
