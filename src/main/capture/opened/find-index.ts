import { loadIndex, saveIndex } from './index-file'
import { scanCapture, type CaptureScan, type ScanOptions } from './scan'

export interface FoundIndex {
  scan: CaptureScan
  /** Why no index file spares the next one this work; null when one does. */
  problem: string | null
}

/** The index of a capture as the file is now, if one was kept. Costs little: nothing of it is made anew. */
export async function keptIndex(path: string, dataFolder: string): Promise<FoundIndex | undefined> {
  try {
    const kept = await loadIndex(path, dataFolder)
    return kept?.whole === true ? { scan: kept.scan, problem: null } : undefined
  } catch (error) {
    // What keeps one from being read is said when it is made.
    wordsOf(error)
    return undefined
  }
}

/**
 * The index of a capture: read where one was kept, else made by a pass over the file (or over what it has grown by) and
 * kept for the next time. Rejects with `CaptureFileError`.
 */
export async function findIndex(
  path: string,
  dataFolder: string,
  onProgress: NonNullable<ScanOptions['onProgress']>,
): Promise<FoundIndex> {
  let kept: Awaited<ReturnType<typeof loadIndex>>
  try {
    kept = await loadIndex(path, dataFolder)
  } catch (error) {
    return { scan: await scanCapture(path, { onProgress }), problem: wordsOf(error) }
  }
  if (kept?.whole === true) return { scan: kept.scan, problem: null }
  const from = kept === undefined ? {} : { from: kept.scan }
  const scan = await scanCapture(path, { onProgress, ...from })
  const saved = await saveIndex(path, dataFolder, scan)
  return { scan, problem: 'problem' in saved ? saved.problem : null }
}

/** A data folder that cannot be used costs the index file; what is no error of a file system is one of ours. */
function wordsOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return error.message
  throw error
}
