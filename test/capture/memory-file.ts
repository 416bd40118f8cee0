import type { AppendFile, OpenAppendFile } from '../../src/main/capture/append-file'

/** A disk in memory that fails on demand. */
export class MemoryDisk {
  content = Buffer.alloc(0)
  /** Set to make the next calls fail with this code. */
  failing: string | null = null
  /** Bytes that still fit; what is more fails with ENOSPC after being written in part. */
  room = Infinity
  /** False: the file was deleted by name. */
  linked = true
  opened = 0
  writes = 0

  readonly open: OpenAppendFile = async () => {
    this.check()
    if (!this.linked) {
      this.content = Buffer.alloc(0)
      this.linked = true
    }
    this.opened++
    return this.file()
  }

  get text(): string {
    return this.content.toString('utf8')
  }

  /** Complete lines, parsed. */
  get lines(): { kind?: string; seq?: number; [key: string]: unknown }[] {
    return this.text
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => {
        try {
          return [JSON.parse(line) as { kind?: string; seq?: number }]
        } catch (error) {
          if (error instanceof SyntaxError) return []
          throw error
        }
      })
  }

  private check(): void {
    if (this.failing !== null) throw Object.assign(new Error(`${this.failing}: injected`), { code: this.failing })
  }

  private file(): AppendFile {
    return {
      size: async () => {
        this.check()
        return { bytes: this.content.length, linked: this.linked }
      },
      append: async (bytes) => {
        this.check()
        this.writes++
        const part = bytes.subarray(0, this.room)
        this.room -= part.length
        if (part.length === 0) throw Object.assign(new Error('ENOSPC: injected'), { code: 'ENOSPC' })
        this.content = Buffer.concat([this.content, part])
        return part.length
      },
      read: async (offset, length) => {
        this.check()
        return this.content.subarray(offset, offset + length)
      },
      close: async () => undefined,
    }
  }
}
