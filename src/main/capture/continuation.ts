import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { CaptureHeader } from '../../shared/capture/events'
import { readHeader } from '../../shared/capture/schema'
import { describeFileError } from './append-file'

/** What is at the place of a new capture. */
export type Continuation =
  | { kind: 'new' }
  /** Numbers are the highest in the file, `at` the latest. */
  | { kind: 'continued'; header: CaptureHeader; bytes: number; seq: number; at: number; call: number; exchange: number }
  /** Something that must not be written to; `problem` says what, in words. */
  | { kind: 'refused'; problem: string }

const MAX_HEADER_BYTES = 1_048_576
/** Of longer files only the end is read, and numbers are taken that are certainly free. */
const MAX_SCANNED_BYTES = 67_108_864
const BLOCK = 1_048_576

/**
 * Looks at the file that a capture is to be written to. A capture that is there already (of the run before) is
 * continued: its numbers go on and its clock stays, so that the file remains one capture. Reads synchronously, since
 * the first event may come at once.
 */
export function readContinuation(path: string): Continuation {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
      return { kind: 'new' }
    }
    return { kind: 'refused', problem: describeFileError(error, path) }
  }
  try {
    return read(file, path)
  } catch (error) {
    return { kind: 'refused', problem: describeFileError(error, path) }
  } finally {
    closeSync(file)
  }
}

function read(file: number, path: string): Continuation {
  const stat = fstatSync(file)
  if (!stat.isFile()) return { kind: 'refused', problem: `${path} is no regular file; name a file to record to` }
  const bytes = stat.size
  if (bytes === 0) return { kind: 'new' }
  const first = block(file, 0, Math.min(bytes, MAX_HEADER_BYTES)).toString('utf8')
  const header = parseHeader(first.slice(0, Math.max(first.indexOf('\n'), 0)).replace(/^\uFEFF/, ''))
  if (typeof header === 'string') {
    return { kind: 'refused', problem: `${path} is there already and was not touched: ${header}` }
  }
  const numbers = { seq: 0, at: 0, call: 0, exchange: 0 }
  const start = Math.max(0, bytes - MAX_SCANNED_BYTES)
  let rest = ''
  for (let at = start; at < bytes; at += BLOCK) {
    const text = rest + block(file, at, Math.min(BLOCK, bytes - at)).toString('latin1')
    const end = text.lastIndexOf('\n')
    for (const line of text.slice(0, end + 1).split('\n')) count(line, numbers)
    // Only the beginning of a line is looked at, so that of a long one no more needs to be kept.
    rest = text.slice(end + 1).slice(0, 4_096)
  }
  if (start > 0) {
    // Every call and every exchange has an event of its own, hence a number beyond their count is free.
    numbers.call = numbers.seq
    numbers.exchange = numbers.seq
  }
  return { kind: 'continued', header, bytes, ...numbers }
}

/** The writer puts the numbers of an event first, so that they are found without parsing bodies. */
const NUMBERS = /^\{"seq":(\d{1,15}),"at":(\d{1,15})[,}]/
const CALL = /^.{0,200}?"call":(\d{1,15})[,}]/
const EXCHANGE = /^.{0,200}?"exchange":(\d{1,15})[,}]/

function count(line: string, numbers: { seq: number; at: number; call: number; exchange: number }): void {
  const found = NUMBERS.exec(line)
  if (found === null) return
  const raise = (name: keyof typeof numbers, text: string | undefined): void => {
    if (text !== undefined) numbers[name] = Math.max(numbers[name], Number(text))
  }
  raise('seq', found[1])
  raise('at', found[2])
  raise('call', CALL.exec(line)?.[1])
  if (line.includes('"kind":"upstream.')) raise('exchange', EXCHANGE.exec(line)?.[1])
}

function parseHeader(line: string): CaptureHeader | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'it is no capture'
  }
  const read = readHeader(value)
  return read.ok ? read.value : read.problem
}

function block(file: number, at: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const count = readSync(file, buffer, filled, length - filled, at + filled)
    if (count === 0) break
    filled += count
  }
  return buffer.subarray(0, filled)
}
