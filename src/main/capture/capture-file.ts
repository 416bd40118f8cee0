import { open, type FileHandle } from 'node:fs/promises'
import type { CaptureEvent, CaptureHeader } from '../../shared/capture/events'
import { readEvent, readHeader } from '../../shared/capture/schema'
import { LineSplitter, type SplitLine } from './line-splitter'

/** A file that cannot be read as a capture; `message` says why and what helps. */
export class CaptureFileError extends Error {
  override readonly name = 'CaptureFileError'
}

/** What could not be read of a capture file. */
export interface CaptureProblems {
  /** Lines that are no event. */
  badLines: number
  /** Lines over the bound. */
  longLines: number
  /** True when the file ends within a line, as after a crash. */
  torn: boolean
  /** The first few bad lines, in words. */
  examples: string[]
}

export interface CaptureReader {
  header: CaptureHeader
  /** Grows while events are read. */
  problems: CaptureProblems
  /** The events in the order of the file. To be read once; closes the file at its end, or when it is left early. */
  events(): AsyncGenerator<CaptureEvent, void, undefined>
  close(): Promise<void>
}

const BLOCK = 1_048_576
const MAX_LINE_BYTES = 268_435_456
const MAX_HEADER_BYTES = 1_048_576
const MAX_EXAMPLES = 5

/**
 * Opens a capture file. Rejects with `CaptureFileError` when it is no capture, or one of a newer format. Files come
 * from anywhere: memory is bounded by the longest line, and lines that are no events are counted and passed over.
 */
export async function openCapture(path: string, maxLineBytes = MAX_LINE_BYTES): Promise<CaptureReader> {
  const file = await openFile(path)
  try {
    const lines = linesOf(file, maxLineBytes)
    const first = await lines.next()
    const header = parseHeader(path, first.done === true ? undefined : first.value)
    const problems: CaptureProblems = { badLines: 0, longLines: 0, torn: false, examples: [] }
    return {
      header,
      problems,
      async *events() {
        try {
          for await (const line of lines) {
            const event = parseLine(line, problems)
            if (event !== undefined) yield event
          }
        } finally {
          await file.close()
        }
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

interface FileLine extends SplitLine {
  number: number
  last: boolean
}

async function* linesOf(file: FileHandle, maxLineBytes: number): AsyncGenerator<FileLine, void, undefined> {
  const splitter = new LineSplitter(maxLineBytes)
  let number = 0
  for (let position = 0; ;) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(BLOCK), 0, BLOCK, position)
    if (bytesRead === 0) break
    position += bytesRead
    for (const line of splitter.push(buffer.subarray(0, bytesRead))) yield { ...line, number: ++number, last: false }
  }
  const rest = splitter.rest()
  if (rest !== undefined) yield { ...rest, number: number + 1, last: true }
}

async function openFile(path: string): Promise<FileHandle> {
  let file: FileHandle
  try {
    file = await open(path, 'r')
  } catch (error) {
    throw new CaptureFileError(`${path} cannot be opened: ${error instanceof Error ? error.message : String(error)}`)
  }
  // Pipes and devices may never end, and have no positions.
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new CaptureFileError(`${path} is no regular file`)
}

function parseHeader(path: string, line: FileLine | undefined): CaptureHeader {
  if (line === undefined) throw new CaptureFileError(`${path} is empty; a capture begins with a header line`)
  if (line.length > MAX_HEADER_BYTES) throw new CaptureFileError(`${path} is no capture: its first line is too long`)
  const value = parseJson(line.bytes)
  if (value === undefined) throw new CaptureFileError(`${path} is no capture: its first line is no JSON`)
  const read = readHeader(value)
  if (!read.ok) throw new CaptureFileError(`${path}: ${read.problem}`)
  return read.value
}

function parseLine(line: FileLine, problems: CaptureProblems): CaptureEvent | undefined {
  if (line.length === 0) return undefined
  if (line.bytes === null) {
    problems.longLines++
    return undefined
  }
  const value = parseJson(line.bytes)
  const read = value === undefined ? { ok: false as const, problem: 'no JSON' } : readEvent(value)
  if (read.ok) return read.value
  if (line.last && value === undefined) problems.torn = true
  else {
    problems.badLines++
    if (problems.examples.length < MAX_EXAMPLES) problems.examples.push(`line ${line.number}: ${read.problem}`)
  }
  return undefined
}

function parseJson(bytes: Buffer | null): unknown {
  if (bytes === null) return undefined
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    // What is no JSON is no value either; the callers say what that means.
    return undefined
  }
}
