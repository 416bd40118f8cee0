import { parentPort, workerData } from 'node:worker_threads'
import { CaptureFileError } from '../capture-file'
import { findIndex, type FoundIndex } from './find-index'

/** What this worker is asked for. */
export interface IndexTask {
  path: string
  dataFolder: string
}

/** What it says: progress in bytes now and then, and last what came of it. */
export type IndexMessage =
  | { kind: 'progress'; done: number; total: number }
  | { kind: 'found'; found: FoundIndex }
  | { kind: 'failed'; message: string }

const PROGRESS_MS = 50

async function run({ path, dataFolder }: IndexTask): Promise<void> {
  let told = 0
  const found = await findIndex(path, dataFolder, (done, total) => {
    if (Date.now() - told < PROGRESS_MS) return
    told = Date.now()
    tell({ kind: 'progress', done, total })
  })
  tell({ kind: 'found', found }, [found.encoded.table, found.encoded.rows.buffer])
}

function tell(message: IndexMessage, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer)
}

try {
  await run(workerData as IndexTask)
} catch (error) {
  // Everything else ends the worker, which the main thread hears of.
  if (!(error instanceof CaptureFileError)) throw error
  tell({ kind: 'failed', message: error.message })
}
