import { Worker } from 'node:worker_threads'
import { CaptureFileError } from '../capture-file'
import type { FoundIndex } from './find-index'
import { removeUnfinished } from './index-file'
import type { IndexMessage, IndexTask } from './index-worker'
import { RowIndex } from './row-index'
import type { ScanOptions } from './scan'

/** In the build the worker is an entry of its own beside all parts; as a source (tests) it needs a loader for TypeScript. */
const IS_SOURCE = import.meta.url.endsWith('.ts')
const SCRIPT = new URL(IS_SOURCE ? './index-worker.ts' : './index-worker.js', import.meta.url)
const LOADED = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(SCRIPT)}) })`
/** A file that needs more is refused instead of taking the gateway's memory. */
const MAX_HEAP_MB = 1_536

/** `findIndex` in a thread of its own, which ends when `signal` aborts. */
export async function findIndexInWorker(
  task: IndexTask,
  { signal, onProgress }: Pick<ScanOptions, 'signal' | 'onProgress'>,
): Promise<FoundIndex> {
  signal?.throwIfAborted()
  const worker = new Worker(IS_SOURCE ? LOADED : SCRIPT, {
    name: 'capture index',
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    eval: IS_SOURCE,
  })
  const { threadId } = worker
  let stop: (() => void) | undefined
  try {
    return await new Promise<FoundIndex>((resolve, reject) => {
      stop = () => reject(signal?.reason)
      signal?.addEventListener('abort', stop)
      worker.on('message', (message: IndexMessage) => {
        if (message.kind === 'progress') onProgress?.(message.done, message.total)
        else if (message.kind === 'failed') reject(new CaptureFileError(message.message))
        else {
          const { facts, parts, problem } = message
          const index = RowIndex.of(parts)
          if (index === undefined) reject(new CaptureFileError(`${task.path} cannot be indexed: its index is broken`))
          else resolve({ scan: { facts, index }, problem })
        }
      })
      worker.on('error', (error) => reject(new CaptureFileError(`${task.path} cannot be indexed: ${error.message}`)))
      worker.on('exit', (code) => reject(new CaptureFileError(`${task.path} cannot be indexed: ended with ${code}`)))
    })
  } finally {
    if (stop !== undefined) signal?.removeEventListener('abort', stop)
    await worker.terminate()
    if (signal?.aborted === true) await removeUnfinished(task.path, task.dataFolder, threadId)
  }
}
