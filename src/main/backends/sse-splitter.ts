import { StringDecoder } from 'node:string_decoder'

/** One piece of an event stream, with its text as it crossed the wire. */
export type SsePiece =
  /** `raw`: the event's field lines without the closing blank line. `data`: its data lines joined, undefined when it has none. */
  | { form: 'event'; raw: string; data?: string }
  | { form: 'comment'; raw: string }
  /** A line that is JSON without any framing, as some servers write errors into an open stream. */
  | { form: 'body'; raw: string; data: string; /** See `UpstreamFrame`. */ bytes?: string }

export class SseLimitError extends Error {
  constructor(readonly limit: number) {
    super(`one event is larger than ${limit} bytes (gateway.maxMessageBytes)`)
    this.name = 'SseLimitError'
  }
}

/**
 * Splits a `text/event-stream` into events and comments, keeping their raw text, which ready-made parsers drop together
 * with comments, `id:` and `retry:` (HTML Living Standard 9.2.6). Takes CR, LF and CRLF, and code points cut by chunks.
 */
export class SseSplitter {
  #decoder = new StringDecoder('utf8')
  /** Pieces of the line that has not ended yet; joined only when it does, so that a long line costs no more than its length. */
  #partial: string[] = []
  #partialBytes = 0
  #lines: string[] = []
  #lineBytes = 0
  #begun = false
  /** The last chunk ended with CR: an LF that follows belongs to the same line end. */
  #skipLineFeed = false

  constructor(readonly limit: number) {}

  /** Pieces completed by `chunk`. Throws `SseLimitError` when an event outgrows the limit, as soon as that is known. */
  push(chunk: Uint8Array): SsePiece[] {
    return this.#split(this.#decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)))
  }

  /** Pieces and the unfinished event (its text) that the stream's end leaves behind. */
  end(): { pieces: SsePiece[]; unfinished?: string } {
    const pieces = this.#split(this.#decoder.end())
    if (this.#partial.length > 0) this.#line(this.#takeLine(''), pieces)
    const unfinished = this.#lines.join('\n')
    this.#lines = []
    return unfinished === '' ? { pieces } : { pieces, unfinished }
  }

  #split(decoded: string): SsePiece[] {
    const pieces: SsePiece[] = []
    if (decoded === '') return pieces
    let text = decoded
    if (!this.#begun) {
      this.#begun = true
      if (text.startsWith('\ufeff')) text = text.slice(1)
    }
    if (this.#skipLineFeed) {
      this.#skipLineFeed = false
      if (text.startsWith('\n')) text = text.slice(1)
    }
    let from = 0
    let lineFeed = text.indexOf('\n')
    let carriageReturn = text.indexOf('\r')
    while (lineFeed !== -1 || carriageReturn !== -1) {
      const byReturn = lineFeed === -1 || (carriageReturn !== -1 && carriageReturn < lineFeed)
      const end = byReturn ? carriageReturn : lineFeed
      this.#line(this.#takeLine(text.slice(from, end)), pieces)
      from = end + 1
      if (byReturn) {
        if (from === text.length) this.#skipLineFeed = true
        else if (lineFeed === from) from++
        carriageReturn = text.indexOf('\r', from)
      }
      if (lineFeed !== -1 && lineFeed < from) lineFeed = text.indexOf('\n', from)
    }
    if (from < text.length) {
      const rest = text.slice(from)
      this.#partial.push(rest)
      this.#partialBytes += Buffer.byteLength(rest)
      this.#check(this.#partialBytes)
    }
    return pieces
  }

  #takeLine(tail: string): string {
    if (this.#partial.length === 0) return tail
    this.#partial.push(tail)
    const line = this.#partial.join('')
    this.#partial = []
    this.#partialBytes = 0
    return line
  }

  #line(line: string, pieces: SsePiece[]): void {
    if (line === '') {
      if (this.#lines.length > 0) pieces.push(eventOf(this.#lines))
      this.#lines = []
      this.#lineBytes = 0
      return
    }
    const bytes = Buffer.byteLength(line)
    this.#check(bytes)
    if (line.startsWith(':')) {
      pieces.push({ form: 'comment', raw: line })
      return
    }
    if (line.startsWith('{') && isJson(line)) {
      pieces.push({ form: 'body', raw: line, data: line })
      return
    }
    this.#lines.push(line)
    this.#lineBytes += bytes
  }

  #check(bytes: number): void {
    if (this.#lineBytes + bytes > this.limit) throw new SseLimitError(this.limit)
  }
}

/** `id` and `retry` of an event's raw text (HTML Living Standard 9.2.6); an id with NUL and a retry with anything but digits do not count. */
export function streamFields(raw: string): { id?: string; retryMs?: number } {
  const fields: { id?: string; retryMs?: number } = {}
  for (const line of raw.split('\n')) {
    const id = /^id(?:: ?(.*))?$/s.exec(line)
    if (id !== null && !id[1]?.includes('\0')) fields.id = id[1] ?? ''
    const retry = /^retry: ?([0-9]{1,9})$/.exec(line)
    if (retry !== null) fields.retryMs = Number(retry[1])
  }
  return fields
}

/** The type of an event, `message` unless it says another. */
export function eventType(raw: string): string {
  for (const line of raw.split('\n')) {
    const type = /^event: ?(.+)$/s.exec(line)?.[1]
    if (type !== undefined) return type
  }
  return 'message'
}

function eventOf(lines: string[]): SsePiece {
  let data: string | undefined
  for (const line of lines) {
    if (line === 'data') data = data === undefined ? '' : `${data}\n`
    if (!line.startsWith('data:')) continue
    const value = line.charCodeAt(5) === 0x20 ? line.slice(6) : line.slice(5)
    data = data === undefined ? value : `${data}\n${value}`
  }
  const raw = lines.length === 1 ? (lines[0] ?? '') : lines.join('\n')
  return data === undefined ? { form: 'event', raw } : { form: 'event', raw, data }
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
