import type { HeaderList } from '../../shared/capture/events'
import { HttpClientError } from './http-client-error'

/** Hears of the responses on one connection, in order. */
export interface ParsedResponse {
  /** Names and values as they were sent; the same list again for the same head. Not called for interim (1xx) responses. */
  head(status: number, headers: HeaderList): void
  /** A part of the body, there until this returns; chunks of the chunked coding need not be parts. */
  data(bytes: Buffer): void
  /** `reusable`: the server keeps the connection. */
  end(reusable: boolean): void
}

/** The head of a response, and the trailer section of a chunked one, in bytes. */
const MAX_SECTION_BYTES = 65_536
/** A chunk's size with its extensions. */
const MAX_SIZE_LINE = 4_096
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9][0-9]{2})(?: [\t\x20-\x7e\x80-\uffff]*)?$/
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\uffff]*$/
const DIGITS = /^[0-9]{1,15}$/
const CHUNK_SIZE = /^0*([0-9A-Fa-f]{1,12})[\t ]*(?:;.*)?$/
const BEGINNING = 'HTTP/1.'
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

type State =
  | { at: 'head' }
  | { at: 'fixed'; left: number }
  | { at: 'until-close' }
  | { at: 'size' }
  | { at: 'chunk'; left: number }
  | { at: 'chunk-end' }
  | { at: 'trailer'; left: number }

/**
 * Reads HTTP/1.1 responses (RFC 9112) from the bytes of a connection, without a copy of bodies. Strict where two readers
 * could differ: line ends are CRLF, a field line is not continued, and a length is given once and in one way.
 */
export class ResponseParser {
  #state: State = { at: 'head' }
  /** Bytes of a section or line that is not whole yet. */
  #rest: Buffer | undefined
  #persistent = true
  #whole = false
  /** The last head that was read whole: servers send the same one again and again, but for its date. */
  #last: Head | undefined

  constructor(readonly response: ParsedResponse) {}

  /** Nothing of a response has come since the last one ended. */
  get idle(): boolean {
    return this.#state.at === 'head' && this.#rest === undefined
  }

  /** Throws `HttpClientError` for what is no response. Keeps nothing of `bytes` but copies. */
  push(bytes: Buffer): void {
    let from = 0
    while (from < bytes.length) {
      from = this.#read(bytes, from)
      // What follows a whole response was not asked for, and must not be taken for the answer to the next request.
      if (this.#whole) return this.#end(from === bytes.length)
    }
  }

  /** The server sends no more. Throws `HttpClientError` in the middle of a response. */
  close(): void {
    if (this.#state.at === 'until-close') this.#end(false)
    else if (!this.idle)
      throw new HttpClientError('ended', 'the server closed the connection in the middle of a response')
  }

  /** Reads on at `from`; returns how far it came. */
  #read(bytes: Buffer, from: number): number {
    const state = this.#state
    switch (state.at) {
      case 'head': {
        const last = this.#last
        if (last !== undefined && this.#rest === undefined && beginsWith(bytes, from, last.bytes)) {
          this.#head(last)
          return from + last.bytes.length
        }
        const section = this.#until(bytes, from, '\r\n\r\n', MAX_SECTION_BYTES)
        if (section === undefined) return bytes.length
        this.#last = readHead(section.text)
        this.#head(this.#last)
        return section.next
      }
      case 'fixed': {
        const end = Math.min(bytes.length, from + state.left)
        state.left -= end - from
        this.response.data(bytes.subarray(from, end))
        if (state.left === 0) this.#whole = true
        return end
      }
      case 'until-close':
        this.response.data(from === 0 ? bytes : bytes.subarray(from))
        return bytes.length
      case 'size': {
        const line = this.#until(bytes, from, '\r\n', MAX_SIZE_LINE)
        if (line === undefined) return bytes.length
        const size = CHUNK_SIZE.exec(line.text)?.[1]
        if (size === undefined) throw malformed(`a chunk begins with ${quote(line.text)}`)
        const left = Number.parseInt(size, 16)
        this.#state = left === 0 ? { at: 'trailer', left: MAX_SECTION_BYTES } : { at: 'chunk', left }
        return line.next
      }
      case 'chunk': {
        const end = Math.min(bytes.length, from + state.left)
        state.left -= end - from
        this.response.data(bytes.subarray(from, end))
        if (state.left === 0) this.#state = { at: 'chunk-end' }
        return end
      }
      case 'chunk-end': {
        const line = this.#until(bytes, from, '\r\n', 2)
        if (line === undefined) return bytes.length
        if (line.text !== '') throw malformed('a chunk is longer than its size says')
        this.#state = { at: 'size' }
        return line.next
      }
      case 'trailer': {
        const line = this.#until(bytes, from, '\r\n', MAX_SECTION_BYTES)
        if (line === undefined) return bytes.length
        state.left -= line.text.length + 2
        if (state.left < 0) throw tooLong(MAX_SECTION_BYTES)
        if (line.text === '') this.#whole = true
        return line.next
      }
    }
  }

  /** The text up to `mark`, also when it came in several pieces; undefined while the mark has not come. */
  #until(bytes: Buffer, from: number, mark: string, most: number): { text: string; next: number } | undefined {
    const before = this.#rest
    const joined = before === undefined ? bytes : Buffer.concat([before, bytes.subarray(from)])
    const begin = before === undefined ? from : 0
    const at = joined.indexOf(mark, begin, 'latin1')
    const length = (at === -1 ? joined.length : at) - begin
    if (length > most) throw tooLong(most)
    if (at === -1) {
      this.#rest = before === undefined ? Buffer.from(joined.subarray(begin)) : joined
      if (this.#state.at === 'head') checkBeginning(this.#rest)
      checkLineEnds(this.#rest, before === undefined ? 0 : before.length)
      return undefined
    }
    this.#rest = undefined
    const next = at + mark.length
    return { text: joined.toString('utf8', begin, at), next: before === undefined ? next : from + next - before.length }
  }

  #head({ code, fields }: Head): void {
    if (code === 101) throw malformed('it switches to another protocol, which was not asked for')
    if (code < 200) return
    this.#persistent = fields.persistent
    this.#state = bodyOf(code, fields)
    this.response.head(code, fields.list)
    if (this.#state.at === 'fixed' && this.#state.left === 0) this.#whole = true
  }

  #end(reusable: boolean): void {
    this.#state = { at: 'head' }
    this.#whole = false
    this.response.end(reusable && this.#persistent)
  }
}

interface Head {
  /** With the empty line after it. */
  bytes: Buffer
  code: number
  fields: HeadFields
}

function beginsWith(bytes: Buffer, from: number, beginning: Buffer): boolean {
  const to = from + beginning.length
  return to <= bytes.length && beginning.compare(bytes, from, to) === 0
}

function readHead(text: string): Head {
  const lines = text.split('\r\n')
  const status = STATUS_LINE.exec(lines[0] ?? '')
  if (status === null) throw malformed(`it begins with ${quote(lines[0] ?? '')}`)
  const fields = new HeadFields(status[1] === '1')
  for (let index = 1; index < lines.length; index++) fields.add(lines[index] ?? '')
  Object.freeze(fields.list)
  return { bytes: Buffer.from(`${text}\r\n\r\n`), code: Number(status[2]), fields }
}

/** The fields of a head, and what they say of the message's end. */
class HeadFields {
  readonly list: HeaderList = []
  length: number | undefined
  chunked = false
  persistent: boolean
  #closes = false

  constructor(keepsByDefault: boolean) {
    this.persistent = keepsByDefault
  }

  add(line: string): void {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon)
    if (colon < 1 || !FIELD_NAME.test(name)) throw malformed(`a header line is ${quote(line)}`)
    const value = trimmed(line, colon + 1)
    if (!FIELD_VALUE.test(value)) throw malformed(`the value of ${name} has a control character`)
    this.list.push([name, value])
    // Few names are as long as those that matter here.
    if (name.length === 14 && isNamed(name, 'content-length')) this.#length(value)
    else if (name.length === 17 && isNamed(name, 'transfer-encoding')) this.#coding(value)
    else if (name.length === 10 && isNamed(name, 'connection')) this.#connection(value)
  }

  #length(value: string): void {
    if (!DIGITS.test(value)) throw malformed(`its Content-Length is ${quote(value)}`)
    const length = Number(value)
    if (this.length !== undefined && this.length !== length) throw malformed('it has two different Content-Length')
    this.length = length
  }

  #coding(value: string): void {
    if (this.chunked || value.toLowerCase() !== 'chunked') throw malformed(`its Transfer-Encoding is ${quote(value)}`)
    this.chunked = true
  }

  #connection(value: string): void {
    const options = value.toLowerCase().split(/[\t ]*,[\t ]*/)
    if (options.includes('close')) this.#closes = true
    this.persistent = !this.#closes && (this.persistent || options.includes('keep-alive'))
  }
}

/** RFC 9112 6.3. */
function bodyOf(status: number, { chunked, length }: HeadFields): State {
  if (chunked && length !== undefined) throw malformed('it has both Transfer-Encoding and Content-Length')
  if (status === 204 || status === 304) return { at: 'fixed', left: 0 }
  if (chunked) return { at: 'size' }
  return length === undefined ? { at: 'until-close' } : { at: 'fixed', left: length }
}

/** Said at once of what is no head: on a port where something else speaks, its end may never come. */
function checkBeginning(head: Buffer): void {
  if (BEGINNING.startsWith(head.toString('latin1', 0, BEGINNING.length))) return
  const [line = ''] = head.toString('utf8', 0, 400).split(/[\r\n]/, 1)
  throw malformed(`it begins with ${quote(line)}`)
}

/** A bare LF from `from` on ends no line here, so that what comes after it would be waited for in vain. */
function checkLineEnds(text: Buffer, from: number): void {
  for (let at = text.indexOf(LINE_FEED, from); at !== -1; at = text.indexOf(LINE_FEED, at + 1))
    if (text[at - 1] !== CARRIAGE_RETURN) throw malformed('a line ends without a carriage return')
}

/** Without the white space around it (RFC 9110 5.5). */
function trimmed(line: string, from: number): string {
  let begin = from
  let end = line.length
  while (begin < end && isSpace(line.charCodeAt(begin))) begin++
  while (end > begin && isSpace(line.charCodeAt(end - 1))) end--
  return line.slice(begin, end)
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09
}

function isNamed(name: string, lowerCase: string): boolean {
  return name === lowerCase || name.toLowerCase() === lowerCase
}

function malformed(what: string): HttpClientError {
  return new HttpClientError('protocol', `what the server sent is no HTTP/1.1 response: ${what}`)
}

function tooLong(most: number): HttpClientError {
  return malformed(`a line or section is longer than ${most} bytes`)
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}
