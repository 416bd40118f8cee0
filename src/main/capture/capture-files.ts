import { open, type FileHandle } from 'node:fs/promises'
import type { CaptureEvent } from '../../shared/capture/events'
import type { CaptureLock } from './capture-lock'
import type { CaptureWriter } from './capture-writer'
import type { LineSource } from './line-source'

export interface CaptureFilesOptions {
  lock: CaptureLock | undefined
  /** A writer for the file at `path`, whose first byte stands at `begin` of all. */
  write: (path: string, header: string, begin: number) => CaptureWriter
  path: string
  header: string
}

/** The file that goes on with a capture. */
export interface NextFile {
  path: string
  lock: CaptureLock
  header: string
  /** Lines that stand in an earlier file, to be repeated at its beginning. */
  repeated: readonly string[]
}

interface EarlierFile {
  path: string
  begin: number
  end: number
  handle: Promise<FileHandle> | null
}

interface HeldLine {
  seq: number
  content: string | CaptureEvent
  length: number
}

/** Lines of events that stand in no place of their own. */
const REPEATED = 0

/**
 * The files that a run writes, one behind the other, as one: positions go on from file to file. What comes while one file
 * gives way to the next is held until the first is complete on the disk.
 */
export class CaptureFiles implements LineSource {
  private current: CaptureWriter
  private begin = 0
  private lock: CaptureLock | undefined
  private readonly earlier: EarlierFile[] = []
  private lostBefore = 0
  private held: HeldLine[] | null = null
  private changing: Promise<unknown> = Promise.resolve()

  constructor(private readonly options: CaptureFilesOptions) {
    this.lock = options.lock
    this.current = options.write(options.path, options.header, 0)
  }

  /** The file that is written now. */
  get path(): string {
    return this.current.path
  }

  /** Bytes of it. */
  get fileBytes(): number {
    return this.current.bytes
  }

  /** Bytes of all files of this run. */
  get bytes(): number {
    return this.begin + this.current.bytes
  }

  get problem(): string | null {
    return this.current.problem
  }

  get lostEvents(): number {
    return this.lostBefore + this.current.lostEvents
  }

  push(seq: number, content: string | CaptureEvent, length: number): void {
    if (this.held === null) this.current.push(seq, content, length)
    else this.held.push({ seq, content, length })
  }

  /** Goes on with the next file when everything pushed so far is in this one. Resolves with false when that fails: it stays with this one. */
  goOnWith(next: NextFile): Promise<boolean> {
    this.held = []
    return (this.changing = this.change(next))
  }

  waitingLine(seq: number): string | undefined {
    const content = this.held?.find((line) => line.seq === seq)?.content
    if (content === undefined) return this.current.waitingLine(seq)
    return typeof content === 'object' ? JSON.stringify(content) : content
  }

  /** Gives fewer bytes where a file ends. */
  async read(offset: number, length: number): Promise<Buffer> {
    if (offset >= this.begin) return this.current.read(offset - this.begin, length)
    const file = this.earlier.find(({ end }) => offset < end)
    if (file === undefined) return Buffer.alloc(0)
    const handle = await (file.handle ??= open(file.path, 'r'))
    const bytes = Buffer.allocUnsafe(Math.min(length, file.end - offset))
    let filled = 0
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, offset - file.begin + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return bytes.subarray(0, filled)
  }

  /** The files that were written before it, in order. */
  get earlierPaths(): string[] {
    return this.earlier.map(({ path }) => path)
  }

  /** The earlier file that has the byte at `offset`; null for the one that is written now. */
  earlierAt(offset: number): string | null {
    if (offset >= this.begin) return null
    return this.earlier.find(({ end }) => offset < end)?.path ?? null
  }

  async flush(): Promise<void> {
    await this.changing
    await this.current.flush()
  }

  async close(): Promise<void> {
    await this.changing
    await this.current.close()
    this.lock?.release()
    for (const { handle } of this.earlier) await (await handle)?.close()
  }

  private async change({ path, lock, header, repeated }: NextFile): Promise<boolean> {
    const before = this.current
    await before.flush()
    // Lines that a failing disk did not take are not to be left behind.
    const done = before.problem === null
    if (done) {
      this.earlier.push({ path: before.path, begin: this.begin, end: this.bytes, handle: null })
      this.begin = this.bytes
      this.lostBefore += before.lostEvents
      this.current = this.options.write(path, header, this.begin)
      for (const line of repeated) this.current.push(REPEATED, line, line.length)
      await before.close()
      this.lock?.release()
      this.lock = lock
    } else lock.release()
    const held = this.held ?? []
    this.held = null
    for (const { seq, content, length } of held) this.current.push(seq, content, length)
    return done
  }
}
