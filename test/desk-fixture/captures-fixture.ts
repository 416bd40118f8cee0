import type { OpenedCaptureStatus } from '../../src/shared/api/contract'

type Name =
  | 'captures.list'
  | 'capture.open'
  | 'capture.upload'
  | 'capture.close'
  | 'capture.export'
  | 'capture.exporting'
  | 'capture.stopExport'

const RECENT = [1, 26, 75].map((hours) => ({
  file: `/home/ada/.local/share/sluice/captures/${hours}.ndjson`,
  name: `${hours}.ndjson`,
  bytes: hours * 1_400_000,
  modifiedAt: Date.now() - hours * 3_600_000,
}))

/** Captures that are open, and what is done with their files. */
export class CapturesFixture {
  open: OpenedCaptureStatus[] = []
  readonly #tell: (captures: OpenedCaptureStatus[]) => void

  constructor(tell: (captures: OpenedCaptureStatus[]) => void) {
    this.#tell = tell
  }

  answer(name: Name, request: Record<string, never>): unknown {
    switch (name) {
      case 'captures.list':
        return { captures: this.open, recent: RECENT }
      case 'capture.open':
      case 'capture.upload':
        return { upload: 'u', capture: this.open[0]?.id ?? 'c1' }
      case 'capture.close':
        this.open = this.open.filter(({ id }) => id !== String(request.capture))
        this.#tell(this.open)
        return {}
      case 'capture.export':
        return {
          file: String(request.to),
          calls: 23,
          bytes: 412_000,
          notes: ['12 events were not recorded (no space left on device).'],
          hints: ['call 14, event 122: a value that looks like a JSON Web Token'],
        }
      case 'capture.exporting':
        return { progress: null }
      case 'capture.stopExport':
        return {}
    }
  }
}
