import type { Stats } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isBeingWritten } from './capture-lock'
import { makeFolder } from './make-folder'

/** Where runs record to when they are not told another file. */
export function captureFolder(dataFolder: string): string {
  return resolve(dataFolder, 'captures')
}

/** A file for a new capture, named by the time of its beginning, so that the folder sorts by itself. Makes the folder. */
export function newCaptureFile(dataFolder: string, now: Date = new Date()): string {
  const folder = captureFolder(dataFolder)
  makeFolder(folder)
  return join(folder, `${now.toISOString().replace(/[:.]/g, '-')}.ndjson`)
}

/** Names as `newCaptureFile` gives them: what a user saved or renamed has another. */
const OWN_NAME = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z\.ndjson$/

export interface RetentionRules {
  keepBytes: number
  keepDays: number
}

export interface RemovedCapture {
  file: string
  bytes: number
}

const DAY_MS = 86_400_000

/**
 * Removes captures of earlier runs from the data folder: those that are too old, and then the oldest while all together
 * are too large. Never touches files that somebody writes to, links, files with a name of the user's own, `spared` ones,
 * and the newest that is left. Rejects with the error of the system.
 */
export async function pruneCaptures(
  dataFolder: string,
  { keepBytes, keepDays }: RetentionRules,
  spared: ReadonlySet<string> = new Set(),
  now: number = Date.now(),
): Promise<RemovedCapture[]> {
  const captures = await ownCaptures(captureFolder(dataFolder))
  const removed: RemovedCapture[] = []
  let room = keepBytes
  let kept = 0
  for (const { file, bytes, modifiedAt } of captures) {
    const inUse = spared.has(file) || isBeingWritten(file)
    const tooOld = now - modifiedAt > keepDays * DAY_MS
    if (inUse || (!tooOld && (bytes <= room || kept === 0))) {
      room -= bytes
      if (!inUse) kept++
      continue
    }
    for (const path of [file, `${file}.idx`, `${file}.marks`, `${file}.lock`]) await rm(path, { force: true })
    removed.push({ file, bytes })
  }
  return removed
}

/** Newest first. */
async function ownCaptures(folder: string): Promise<(RemovedCapture & { modifiedAt: number })[]> {
  const captures: (RemovedCapture & { modifiedAt: number })[] = []
  for (const name of await namesIn(folder)) {
    if (!OWN_NAME.test(name)) continue
    const file = join(folder, name)
    const facts = await factsOf(file)
    if (facts?.isFile() === true) captures.push({ file, bytes: facts.size, modifiedAt: facts.mtimeMs })
  }
  return captures.sort((a, b) => b.modifiedAt - a.modifiedAt)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Undefined when it is gone meanwhile, as when two runs tidy up at once. */
async function factsOf(file: string): Promise<Stats | undefined> {
  try {
    return await lstat(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

const PRUNE_MS = 3_600_000

export interface RetentionOptions {
  dataFolder: string
  /** What counts now, and files that are in use. Asked each time. */
  rules: () => RetentionRules & { spared: ReadonlySet<string> }
  onRemoved: (removed: readonly RemovedCapture[]) => void
  /** In words. */
  onProblem: (problem: string) => void
}

/** Prunes now and every hour. Answers with what stops it. */
export function keepPruning({ dataFolder, rules, onRemoved, onProblem }: RetentionOptions): () => void {
  const prune = async (): Promise<void> => {
    try {
      const { spared, ...kept } = rules()
      const removed = await pruneCaptures(dataFolder, kept, spared)
      if (removed.length > 0) onRemoved(removed)
    } catch (error) {
      onProblem(`old captures could not be removed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  void prune()
  const timer = setInterval(() => void prune(), PRUNE_MS)
  timer.unref()
  return () => clearInterval(timer)
}
