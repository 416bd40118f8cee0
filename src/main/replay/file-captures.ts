import { stat } from 'node:fs/promises'
import type { CaptureSource, RecordedCapture } from '../backends/replay/capture-source'
import type { CallSummary } from '../../shared/capture/summary'
import { openCapture, type OpenedCapture } from '../capture/opened/open-capture'

/** Rows taken from the index in one go. */
const PAGE = 1_000

/** Captures of files. `dataFolder` has the indexes of large ones. */
export function fileCaptures(dataFolder: string): CaptureSource {
  return {
    open: async (file, signal) => recordedCapture(await openCapture(file, { signal, dataFolder })),
    fingerprint: async (file) => {
      const { size, mtimeMs, ino } = await stat(file)
      return `${ino} ${size} ${mtimeMs}`
    },
  }
}

export function recordedCapture(capture: OpenedCapture): RecordedCapture {
  return {
    startedAt: capture.header.startedAt,
    calls: () => rowsOf(capture),
    events: (call) => capture.events(call),
    close: () => capture.close(),
  }
}

/** All rows of a capture, in order. */
export function* rowsOf({ index }: Pick<OpenedCapture, 'index'>): Generator<CallSummary> {
  for (let after = 0, more = true; more;) {
    const page = index.list(after, PAGE)
    yield* page.calls
    after = page.calls.at(-1)?.call ?? after
    more = page.more
  }
}
