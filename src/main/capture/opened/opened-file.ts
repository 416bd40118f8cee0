import type { FileHandle } from 'node:fs/promises'
import type { LineSource } from '../line-source'

/** A capture file that is only read. */
export class OpenedFile implements LineSource {
  problem: string | null = null

  constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
    readonly bytes: number,
  ) {}

  async read(offset: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length)
    let filled = 0
    try {
      while (filled < length) {
        const { bytesRead } = await this.handle.read(buffer, filled, length - filled, offset + filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
    } catch (error) {
      this.problem = `${this.path} cannot be read: ${error instanceof Error ? error.message : String(error)}`
      throw error
    }
    if (filled < length) this.problem = `${this.path} is shorter than when it was opened; open it again`
    return buffer.subarray(0, filled)
  }

  waitingLine(): undefined {
    return undefined
  }

  async flush(): Promise<void> {
    return
  }

  close(): Promise<void> {
    return this.handle.close()
  }
}
