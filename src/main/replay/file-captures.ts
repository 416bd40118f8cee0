import { stat } from 'node:fs/promises'
import type { CaptureSource, RecordedCapture } from '../backends/replay/capture-source'
import { openCapture, type OpenedCapture } from '../capture/opened/open-capture'
import { rowsOf } from './recorded-rows'

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

function recordedCapture(capture: OpenedCapture): RecordedCapture {
  return {
    startedAt: capture.header.startedAt,
    calls: () => rowsOf(capture),
    server: (backend) => capture.servers.of(backend),
    events: (call) => capture.events(call),
    close: () => capture.close(),
  }
}
