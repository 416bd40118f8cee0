import { basename } from 'node:path'
import type { CallEvent, CaptureHeader } from '../../shared/capture/events'
import type { CaptureFiles } from './capture-files'
import type { CaptureLock } from './capture-lock'
import { OpenCalls } from './open-calls'
import type { Rotation } from './rotation'

/** How a run goes on in another file: the first says which is the next, and the next begins with the calls that are open. */
export class FileSuccession {
  private readonly open = new OpenCalls()
  /** The file that was announced and is not written yet. */
  private next: { path: string; lock: CaptureLock } | null = null

  constructor(
    private readonly files: CaptureFiles,
    private readonly rotation: Rotation,
  ) {}

  take(event: CallEvent): void {
    this.open.take(event)
  }

  /** The name of the next file when it is time for it, to be said in this one. `now`: microseconds on a monotonic clock. */
  due(now: number): string | undefined {
    if (this.next !== null) return undefined
    this.next = this.rotation.due(now, this.files.fileBytes, this.open.size) ?? null
    return this.next === null ? undefined : basename(this.next.path)
  }

  /** Goes on behind event `seq`, the last one of its file. Resolves when that is done, or has failed and it stays with this file. */
  async goOn(header: CaptureHeader, seq: number): Promise<void> {
    const next = this.next
    if (next === null) return
    const continues = { file: basename(this.files.path), seq }
    const begin = JSON.stringify({ ...header, continues })
    const done = await this.files.goOnWith({ ...next, header: begin, repeated: this.open.lines() })
    this.next = null
    if (!done) this.rotation.refuse(this.files.fileBytes)
  }
}
