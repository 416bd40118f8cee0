import { stat } from 'node:fs/promises'
import { writeAnnotation, type Annotation } from '../../../shared/capture/annotation'
import type { CallEvent, CaptureHeader } from '../../../shared/capture/events'
import { KnownServers } from '../../../shared/capture/known-servers'
import type { CaptureNotes } from '../../../shared/capture/notes'
import { openRegularFile } from '../capture-file'
import { isBeingWritten } from '../capture-lock'
import { CaptureReading } from '../capture-reading'
import { CaptureSearch } from '../capture-search'
import type { CaptureView } from '../capture-view'
import { parseForeignLine } from '../event-line'
import { EventWindow } from '../event-window'
import { AnnotatedRows } from './annotated-rows'
import { readAnnotations, saveAnnotations, type Annotations } from './annotations-file'
import { keptIndex, type FoundIndex } from './find-index'
import { OpenedFile } from './opened-file'
import type { RowIndex } from './row-index'
import { findIndexInWorker } from './run-index-worker'
import { scanCapture, type CaptureScan } from './scan'

/** A capture file, opened to be looked at. */
export interface OpenedCapture extends CaptureView {
  readonly path: string
  readonly notes: CaptureNotes
  readonly servers: Pick<KnownServers, 'of'>
  /** Bytes of the file when it was opened; what was written later is not here. */
  readonly bytes: number
  /** Why no index file makes the next opening fast, in words; null when there is one, or when the file is small. */
  readonly indexProblem: string | null
  /** What was put on its calls beside what the file itself says; why some of that could not be read, in words, or null. */
  readonly annotations: Annotations
  readonly annotationsProblem: string | null
  /** Puts a note of a reader on a call, and keeps it beside the file. Rejects with the error of the system. */
  annotate(call: number, annotation: Annotation | null): Promise<void>
  /** In words, when the file could not be read later on, or became shorter. */
  problem(): string | null
  /** Lets the file go. Reading fails afterwards. */
  close(): Promise<void>
}

export interface OpenCaptureOptions {
  /** Stops opening; the promise rejects with its reason. */
  signal?: AbortSignal
  /** Bytes looked at, of how many, while an index is made. */
  onProgress?: (done: number, total: number) => void
  /** Sluice's data folder: has the key that seals indexes, and those that cannot stand beside their capture. Without it no index is kept. */
  dataFolder?: string
}

/** Smaller files are looked at here and now; a worker and an index would cost more than they spare. */
const SMALL_BYTES = 4_194_304

/**
 * Opens a capture file of this or another user, also one that is being written. Rejects with `CaptureFileError` when it is
 * no capture, a HAR, or one of a newer format; its message says what to do. Nothing of the file is believed: lines are
 * bounded and checked, broken ones are passed over and counted in `notes`. Files over 4 MiB get an index (`<file>.idx`), made in a worker.
 */
export async function openCapture(path: string, options: OpenCaptureOptions = {}): Promise<OpenedCapture> {
  const handle = await openRegularFile(path)
  try {
    const { scan, problem } = await scanOf(path, options)
    const file = new OpenedFile(path, handle, scan.facts.bytes)
    const marks = await readAnnotations(path, options.dataFolder)
    return new FileView(path, scan, file, problem, marks, options.dataFolder)
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function scanOf(path: string, { dataFolder, ...options }: OpenCaptureOptions): Promise<FoundIndex> {
  const small = (await stat(path)).size <= SMALL_BYTES
  if (small || dataFolder === undefined) return { scan: await scanCapture(path, options), problem: null }
  const found = (await keptIndex(path, dataFolder)) ?? (await findIndexInWorker({ path, dataFolder }, options))
  options.signal?.throwIfAborted()
  found.scan.facts.notes.growing = isBeingWritten(path)
  return found
}

class FileView implements OpenedCapture {
  readonly header: CaptureHeader
  readonly notes: CaptureNotes
  readonly servers: OpenedCapture['servers']
  readonly bytes: number
  readonly index: OpenedCapture['index']
  private readonly rows: RowIndex
  private readonly reading: CaptureReading
  private readonly finder: CaptureSearch
  readonly annotations: Map<number, Annotation | null>
  readonly annotationsProblem: string | null
  private saving: Promise<void> = Promise.resolve()

  constructor(
    readonly path: string,
    { facts, index }: CaptureScan,
    private readonly file: OpenedFile,
    readonly indexProblem: string | null,
    marks: Awaited<ReturnType<typeof readAnnotations>>,
    private readonly dataFolder: string | undefined,
  ) {
    this.header = facts.header
    this.notes = facts.notes
    this.servers = new KnownServers(facts.servers)
    this.bytes = facts.bytes
    this.annotations = marks.annotations
    this.annotationsProblem = marks.problem
    this.rows = index
    this.index = new AnnotatedRows(index, this.annotations)
    const nothing = new EventWindow(0)
    this.reading = new CaptureReading((call) => index.places(call), nothing, file, parseForeignLine)
    this.finder = new CaptureSearch(file, nothing, 0, parseForeignLine)
  }

  problem(): string | null {
    return this.file.problem
  }

  async events(call: number): Promise<CallEvent[]> {
    const events = await this.reading.events(call)
    const annotation = this.annotations.get(call)
    const last = events.at(-1)
    if (annotation === undefined || last === undefined) return events
    return [...events, annotated(call, annotation, last)]
  }

  annotate(call: number, annotation: Annotation | null): Promise<void> {
    // One after another, since each writes all of them; the next does not fail with the one before.
    const saved = this.saving.then(() => this.save(call, annotation))
    this.saving = saved.catch(() => undefined)
    return saved
  }

  private async save(call: number, annotation: Annotation | null): Promise<void> {
    await saveAnnotations(this.path, this.dataFolder, new Map([...this.annotations, [call, annotation]]))
    this.annotations.set(call, annotation)
  }

  text(call: number, seq: number): Promise<{ text: string } | { problem: string }> {
    return this.reading.text(call, seq)
  }

  async search(text: string, signal: AbortSignal): Promise<number[]> {
    const found = await this.finder.find(text, signal)
    return [...found].filter((call) => this.rows.has(call)).sort((a, b) => a - b)
  }

  close(): Promise<void> {
    return this.file.close()
  }
}

/** An annotation as if the capture itself had it, behind its other events. */
function annotated(call: number, annotation: Annotation | null, last: CallEvent): CallEvent {
  return { kind: 'call.annotated', seq: last.seq, at: last.at, call, ...writeAnnotation(annotation) }
}
