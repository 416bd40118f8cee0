import { parentPort, workerData } from 'node:worker_threads'
import { CaptureFileError } from '../capture-file'
import { findIndex } from './find-index'
import type { IndexParts } from './row-index'
import type { CaptureFacts } from './scan'

/** What this worker is asked for. */
export interface IndexTask {
  path: string
  dataFolder: string
}

/** What it says: progress in bytes now and then, and last what came of it. */
export type IndexMessage =
  | { kind: 'progress'; done: number; total: number }
  /** `problem`: why no index file was kept. */
  | { kind: 'found'; facts: CaptureFacts; parts: IndexParts; problem: string | null }
  | { kind: 'failed'; message: string }

const PROGRESS_MS = 50

async function run({ path, dataFolder }: IndexTask): Promise<void> {
  let told = 0
  const { scan, problem } = await findIndex(path, dataFolder, (done, total) => {
    if (Date.now() - told < PROGRESS_MS) return
    told = Date.now()
    tell({ kind: 'progress', done, total })
  })
  const { facts, index } = scan
  tell({ kind: 'found', facts, parts: index.parts, problem }, [index.parts.bytes.buffer])
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
