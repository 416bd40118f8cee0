import type { CaptureEvent } from '../../shared/capture/events'
import { describeFileError, type AppendFile, type OpenAppendFile } from './append-file'
import { linePieces } from './event-size'

export interface CaptureWriterOptions {
  path: string
  /** First line of a new file, without line feed. */
  header: string
  /** Bytes of a capture that is there already and is continued; 0 for a new file. */
  continuedBytes: number
  open: OpenAppendFile
  /** Lines that wait for a disk that fails, in bytes; what does not fit is lost. */
  maxBacklogBytes: number
  /** Longest time that a line waits for others to be written with it. */
  gatherMs: number
  /** Time before the first attempt after a failure; doubles up to 16 times that. */
  retryMs: number
  /** The line of event `seq` was written: `length` bytes from `offset`. */
  onWritten: (seq: number, offset: number, length: number) => void
  /** The file is another than before: places told so far mean nothing. */
  onReplaced: () => void
  /** Writing failed, or works again. */
  onState: () => void
  /** Writing works again, and these lines were lost meanwhile. */
  onRecovered: (lost: { events: number; bytes: number; reason: string }) => void
}

interface Line {
  seq: number
  /** The line, or of an event with a large text the event, to be written in pieces. */
  content: string | CaptureEvent
  /** Length of the line in UTF-16 code units; of an event in pieces about. */
  length: number
}

const MAX_WRITE_CHARACTERS = 1_048_576
const EAGER_CHARACTERS = 262_144
const LINK_CHECK_MS = 2_000
const LONGEST_RETRY = 16
const SLOW = 'the disk is slower than what is to be recorded'

/**
 * Appends lines to the capture file: one write in flight, lines gathered meanwhile. A failing disk costs nothing but
 * lines: they wait up to `maxBacklogBytes`, then they are counted and let go, and the file is opened again now and then.
 */
export class CaptureWriter {
  /** Bytes in the file. */
  bytes = 0
  lostEvents = 0
  /** In words, while writing fails. */
  problem: string | null = null
  private file: AppendFile | null = null
  private lines: Line[] = []
  private waiting = 0
  private lost = { events: 0, bytes: 0, reason: SLOW }
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> | null = null
  private retry = 1
  /** True when the file ends within a line, after a write that went in only in part. */
  private torn = false
  private headed: boolean
  private checked = 0
  private closed = false

  constructor(private readonly options: CaptureWriterOptions) {
    this.bytes = options.continuedBytes
    this.headed = options.continuedBytes > 0
  }

  get path(): string {
    return this.options.path
  }

  /** Takes the line of event `seq`, or the event itself when its text is large; `length` is about that of the line. */
  push(seq: number, content: string | CaptureEvent, length: number): void {
    if (this.closed || this.waiting + length > this.options.maxBacklogBytes) return this.lose(length)
    this.lines.push({ seq, content, length })
    this.waiting += length
    if (this.writing !== null) return
    if (this.waiting >= EAGER_CHARACTERS && this.problem === null) this.start()
    else this.timer ??= setTimeout(() => this.start(), this.options.gatherMs)
  }

  /** The line of an event that is not yet in the file. */
  waitingLine(seq: number): string | undefined {
    const content = this.lines.find((line) => line.seq === seq)?.content
    return typeof content === 'object' ? JSON.stringify(content) : content
  }

  /** Bytes of the file, for places told by `onWritten`. */
  async read(offset: number, length: number): Promise<Buffer> {
    if (this.file === null) throw new Error(this.problem ?? 'the capture file is not open')
    return this.file.read(offset, length)
  }

  /** Resolves when everything pushed so far is in the file, or writing fails. */
  async flush(): Promise<void> {
    do {
      this.start()
      await this.writing
    } while (this.lines.length > 0 && this.problem === null)
  }

  async close(): Promise<void> {
    await this.flush()
    this.closed = true
    clearTimeout(this.timer)
    const file = this.file
    this.file = null
    if (file !== null) await file.close()
  }

  private lose(bytes: number): void {
    this.lostEvents++
    this.lost.events++
    this.lost.bytes += bytes
  }

  private start(): void {
    if (this.writing !== null) return
    clearTimeout(this.timer)
    this.timer = undefined
    this.writing = this.writeAll().finally(() => {
      this.writing = null
      if (this.closed || this.lines.length === 0 || this.timer !== undefined) return
      this.timer = setTimeout(() => this.start(), this.problem === null ? 0 : this.options.retryMs * this.retry)
    })
  }

  private async writeAll(): Promise<void> {
    try {
      await this.ready()
      while (this.lines.length > 0) await this.writeSome()
      this.succeeded()
    } catch (error) {
      await this.failed(error)
    }
  }

  /** Opens the file if need be, with its header and at the beginning of a line. */
  private async ready(): Promise<void> {
    if (this.file !== null && Date.now() - this.checked >= LINK_CHECK_MS) {
      this.checked = Date.now()
      if (!(await this.file.size()).linked) {
        await this.file.close()
        this.file = null
      }
    }
    if (this.file === null) await this.reopen()
    if (!this.headed) {
      // What is there of a header is of an attempt that failed half-way.
      await this.append(Buffer.from(`${this.options.header}\n`).subarray(this.bytes))
      this.headed = true
    }
    if (this.torn) await this.append(Buffer.from('\n'))
    this.torn = false
  }

  private async reopen(): Promise<void> {
    const file = await this.options.open(this.options.path)
    const { bytes } = await file.size()
    const known = this.bytes
    this.file = file
    this.bytes = bytes
    if (bytes < known) {
      this.headed = false
      this.options.onReplaced()
    }
    if (!this.headed && bytes > Buffer.byteLength(this.options.header)) {
      throw new Error('another file has taken its place')
    }
    this.torn = this.headed && (await file.read(bytes - 1, 1)).toString('latin1') !== '\n'
  }

  private async append(bytes: Buffer): Promise<void> {
    let from = 0
    while (from < bytes.length) {
      if (this.file === null) throw new Error('the capture file is not open')
      const written = await this.file.append(from === 0 ? bytes : bytes.subarray(from))
      if (written === 0) throw new Error('nothing could be written')
      from += written
      this.bytes += written
    }
  }

  private async writeSome(): Promise<void> {
    const [first] = this.lines
    if (first === undefined) return
    if (typeof first.content === 'object') return this.writeInPieces(first, first.content)
    let text = ''
    const batch: [seq: number, content: string][] = []
    for (const { seq, content } of this.lines) {
      if (typeof content === 'object' || text.length >= MAX_WRITE_CHARACTERS) break
      batch.push([seq, content])
      text += content + '\n'
    }
    const bytes = Buffer.from(text)
    const begin = this.bytes
    try {
      await this.append(bytes)
    } finally {
      this.account(batch, begin, bytes.length === text.length)
    }
  }

  private async writeInPieces(line: Line, event: CaptureEvent): Promise<void> {
    const begin = this.bytes
    for (const piece of linePieces(event)) await this.append(Buffer.from(piece))
    const length = this.bytes - begin
    await this.append(Buffer.from('\n'))
    this.options.onWritten(line.seq, begin, length)
    this.waiting -= line.length
    this.lines.shift()
  }

  /** Counts the lines that are in the file as written, also those of a write that failed half-way. */
  private account(batch: readonly (readonly [seq: number, content: string])[], begin: number, ascii: boolean): void {
    let offset = begin
    let written = 0
    for (const [seq, content] of batch) {
      const length = ascii ? content.length : Buffer.byteLength(content)
      if (offset + length + 1 > this.bytes) break
      this.options.onWritten(seq, offset, length)
      offset += length + 1
      this.waiting -= content.length
      written++
    }
    this.lines.splice(0, written)
  }

  private succeeded(): void {
    this.retry = 1
    const failed = this.problem !== null
    this.problem = null
    const lost = this.lost
    if (lost.events > 0) {
      this.lost = { events: 0, bytes: 0, reason: SLOW }
      this.options.onRecovered(lost)
    }
    if (failed) this.options.onState()
  }

  private async failed(error: unknown): Promise<void> {
    if (this.problem !== null) this.retry = Math.min(this.retry * 2, LONGEST_RETRY)
    this.problem = describeFileError(error, this.options.path)
    this.lost.reason = this.problem
    this.options.onState()
    const file = this.file
    this.file = null
    if (file === null) return
    try {
      await file.close()
    } catch (closeError) {
      // A disk that fails may fail to close, too; the first error says more, unless there was none in words.
      this.problem ||= describeFileError(closeError, this.options.path)
    }
  }
}
