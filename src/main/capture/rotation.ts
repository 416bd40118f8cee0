import { lockCapture, type CaptureLock } from './capture-lock'

/** When a run goes on in another file. */
export interface RotationRules {
  /** A file that is larger gives way. */
  fileBytes: number
  /** And one that was written to for longer. */
  fileHours: number
}

export interface RotationOptions {
  /** Asked each time. */
  rules: () => RotationRules
  /** The path of a new file. */
  nextFile: () => string
}

/** Waits for a moment without open calls, until a file is so much larger than it should be. */
const PATIENCE = 1.25
const HOUR_US = 3_600_000_000

/** Decides when the file of a run gives way to the next. */
export class Rotation {
  private begunAt: number
  /** Bytes at which it was tried in vain. */
  private refusedAt = 0

  constructor(
    private readonly options: RotationOptions,
    now: number,
  ) {
    this.begunAt = now
  }

  /** The next file, claimed for this process, when it is time for it. `now`: microseconds on a monotonic clock. */
  due(now: number, bytes: number, openCalls: number): { path: string; lock: CaptureLock } | undefined {
    const { fileBytes, fileHours } = this.options.rules()
    const full = bytes >= fileBytes || now - this.begunAt >= fileHours * HOUR_US
    const waits = openCalls > 0 && bytes < fileBytes * PATIENCE && now - this.begunAt < fileHours * HOUR_US * PATIENCE
    if (!full || waits || bytes < this.refusedAt) return undefined
    const path = this.options.nextFile()
    const lock = lockCapture(path)
    if ('problem' in lock) {
      this.refuse(bytes)
      return undefined
    }
    this.begunAt = now
    this.refusedAt = 0
    return { path, lock }
  }

  /** It failed at this size; not to be tried again at once. */
  refuse(bytes: number): void {
    this.refusedAt = bytes * PATIENCE
  }
}
