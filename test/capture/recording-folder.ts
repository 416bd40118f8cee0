import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { readCapture } from '../../src/main/capture/capture-file'
import { createRecorder } from '../../src/main/capture/recorder'
import type { Recorder, RecorderOptions } from '../../src/main/capture/recorder-contract'
import type { CaptureEvent } from '../../src/shared/capture/events'

/** Where the recorders of one test write; they are closed and the folder is gone after it. */
export interface RecordingFolder {
  path: string
  /** A capture in a folder that is not there yet; the recorders' own unless they are given another. */
  file: string
  create(more?: Partial<RecorderOptions>): Recorder
}

/** To be called once, where the tests of a file are described. */
export function recordingFolder(): RecordingFolder {
  const recorders: Recorder[] = []
  const folder: RecordingFolder = {
    path: '',
    file: '',
    create: (more = {}) => {
      const recorder = createRecorder({
        file: folder.file,
        header: { gateway: { name: 'sluice', version: '0.1.0' }, backends: [] },
        redaction: { headers: [], keys: [] },
        retryMs: 5,
        ...more,
      })
      recorders.push(recorder)
      return recorder
    },
  }
  beforeEach(async () => {
    folder.path = await mkdtemp(join(tmpdir(), 'sluice-capture-'))
    folder.file = join(folder.path, 'deep', 'c.ndjson')
  })
  afterEach(async () => {
    await Promise.all(recorders.splice(0).map((recorder) => recorder.close()))
    await rm(folder.path, { recursive: true, force: true })
  })
  return folder
}

/** The events of a capture, of which every line is good. */
export async function readAll(path: string): Promise<CaptureEvent[]> {
  const reader = await readCapture(path)
  const events: CaptureEvent[] = []
  for await (const event of reader.events()) events.push(event)
  expect(reader.notes.badLines).toBe(0)
  return events
}
