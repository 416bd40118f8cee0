import { readdir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { OpenedCaptureStatus, RecentCapture } from '../../shared/api/contract'
import type { Annotation } from '../../shared/capture/annotation'
import { describeNotes, isDamaged } from '../../shared/capture/notes'
import { redactionRules, type RedactionRules } from '../../shared/capture/redaction-rules'
import { isHarFile } from '../capture/capture-file'
import { readAnnotations, saveAnnotations } from '../capture/opened/annotations-file'
import { openCapture, type OpenedCapture } from '../capture/opened/open-capture'
import { CommandFailure } from './command-failure'
import { copyOfHar, type HarCopy } from './har-copies'

/** Each holds a file and an index in memory. */
const MAX_CAPTURES = 16
const MAX_RECENT = 20
/** A desk is told of progress at most so often. */
const PROGRESS_MS = 100

interface Entry {
  status: OpenedCaptureStatus
  stop: AbortController
  /** Null until it is open. */
  view: OpenedCapture | null
  /** Of a HAR: the capture that was made of it. */
  copy: HarCopy | null
  /** Bytes of the file when it was opened; undefined when it could not be looked at. */
  bytes: number | undefined
}

/** The capture files that are open beside the live run, for all desks together. */
export class OpenedCaptures {
  readonly #entries = new Map<string, Entry>()
  readonly #listeners = new Set<() => void>()
  #next = 1
  #progressAt = 0

  /** `dataFolder`: has indexes, and the captures of earlier runs in `captures/`. */
  constructor(
    readonly dataFolder: string,
    private readonly version: string,
    /** What is taken out of a HAR that is opened. */
    private readonly redaction: () => RedactionRules = redactionRules,
  ) {}

  list(): OpenedCaptureStatus[] {
    return [...this.#entries.values()].map(({ status, view }) => {
      const problem = view?.problem() ?? status.problem
      return { ...status, problem }
    })
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The capture that `id` names. Throws `CommandFailure` when there is none, or it is not open yet. */
  view(id: string): OpenedCapture {
    const entry = this.#entries.get(id)
    if (entry?.view) return entry.view
    if (entry === undefined) throw new CommandFailure('not-found', 'this capture is not open', 'open it again')
    const { name, problem } = entry.status
    throw new CommandFailure('failed', problem ?? `${name} is being opened`, 'wait until it is open')
  }

  /** True for one that goes when it is closed. */
  isCopy(id: string): boolean {
    return this.#entries.get(id)?.copy !== undefined && this.#entries.get(id)?.copy !== null
  }

  /**
   * Begins to open a file. Resolves with its id before it is open. A file that is open and has grown is read anew.
   * `handedOver`: desks are told to show it.
   */
  async open(path: string, handedOver = false): Promise<string> {
    const file = resolve(path)
    // A file that cannot be looked at fails in words when it is opened.
    const bytes = await stat(file).then(
      ({ size }) => size,
      () => undefined,
    )
    for (const { status, view, copy, bytes: before } of this.#entries.values()) {
      if (status.file !== file) continue
      const other = status.state === 'failed' || (copy === null ? view?.bytes : before) !== bytes
      if (status.state !== 'opening' && other) await this.close(status.id)
      else {
        if (handedOver) {
          status.handedOverAt = Date.now()
          this.#changed()
        }
        return status.id
      }
    }
    if (this.#entries.size >= MAX_CAPTURES)
      throw new CommandFailure('failed', `${MAX_CAPTURES} captures are open already`, 'close one of them')
    const id = `c${this.#next++}`
    const status = opening(id, file)
    if (handedOver) status.handedOverAt = Date.now()
    const entry: Entry = { status, stop: new AbortController(), view: null, copy: null, bytes }
    this.#entries.set(id, entry)
    void this.#run(entry)
    this.#changed()
    return id
  }

  /** Puts a note of a reader on a call of a file, whether that is open or not. Rejects with the error of the system. */
  async annotateFile(file: string, call: number, annotation: Annotation | null): Promise<void> {
    for (const { status, view } of this.#entries.values())
      if (status.file === file && view !== null) return view.annotate(call, annotation)
    const { annotations } = await readAnnotations(file, this.dataFolder)
    await saveAnnotations(file, this.dataFolder, annotations.set(call, annotation))
  }

  async close(id: string): Promise<void> {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    this.#entries.delete(id)
    entry.stop.abort(new Error('stopped'))
    this.#changed()
    await entry.view?.close()
    await entry.copy?.forget()
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((id) => this.close(id)))
  }

  /** Captures of earlier runs, newest first. `current`: the file of this run, which is no earlier one. */
  async recent(current: string | null): Promise<RecentCapture[]> {
    const folder = join(this.dataFolder, 'captures')
    const names = (await namesIn(folder)).filter((name) => /\.(nd)?jsonl?$/.test(name))
    const found: RecentCapture[] = []
    for (const name of names) {
      const file = join(folder, name)
      // Rotation may take it away meanwhile.
      const facts = await stat(file).catch(() => undefined)
      if (facts === undefined || !facts.isFile() || file === current) continue
      found.push({ file, name, bytes: facts.size, modifiedAt: facts.mtimeMs })
    }
    return found.sort((a, b) => b.modifiedAt - a.modifiedAt).slice(0, MAX_RECENT)
  }

  async #run(entry: Entry): Promise<void> {
    const { status, stop } = entry
    const { signal } = stop
    const onProgress = (done: number, total: number): void => this.#progress(status, done, total)
    try {
      if (await isHarFile(status.file))
        entry.copy = await copyOfHar(status.file, {
          version: this.version,
          rules: this.redaction(),
          signal,
          onProgress,
        })
      const file = entry.copy?.file ?? status.file
      const view = await openCapture(file, { signal, dataFolder: this.dataFolder, onProgress })
      if (signal.aborted) {
        await view.close()
        return await entry.copy?.forget()
      }
      entry.view = view
      const open = openStatus(view)
      Object.assign(status, {
        ...open,
        notes: [...(entry.copy?.notes ?? []), ...open.notes],
        passedOver: [...(entry.copy?.passedOver ?? []), ...open.passedOver],
      })
    } catch (error) {
      await entry.copy?.forget()
      entry.copy = null
      // It was stopped: nobody waits for it.
      if (signal.aborted) return
      status.state = 'failed'
      status.progress = null
      status.problem = error instanceof Error ? error.message : String(error)
    }
    this.#changed()
  }

  #progress(status: OpenedCaptureStatus, done: number, total: number): void {
    status.progress = { done, total }
    const now = Date.now()
    if (now - this.#progressAt < PROGRESS_MS) return
    this.#progressAt = now
    this.#changed()
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}

function opening(id: string, file: string): OpenedCaptureStatus {
  return {
    id,
    name: basename(file),
    file,
    state: 'opening',
    progress: null,
    problem: null,
    calls: 0,
    bytes: 0,
    startedAt: null,
    writtenBy: null,
    backends: [],
    notes: [],
    passedOver: [],
    damaged: false,
    handedOverAt: null,
  }
}

function openStatus(
  view: OpenedCapture,
): Partial<OpenedCaptureStatus> & Pick<OpenedCaptureStatus, 'notes' | 'passedOver'> {
  const { header, notes, index, bytes, indexProblem, annotationsProblem } = view
  const { headers, keys } = header.redaction
  const redacted = [...headers, ...keys]
  return {
    state: 'open',
    progress: null,
    calls: index.size,
    bytes,
    startedAt: header.startedAt,
    writtenBy: `${header.gateway.name} ${header.gateway.version}`,
    backends: header.backends.map(({ name }) => name),
    damaged: isDamaged(notes),
    passedOver: notes.examples,
    notes: [
      ...describeNotes(notes),
      ...(redacted.length === 0 ? [] : [`Redacted when it was recorded: ${redacted.join(', ')}.`]),
      ...(annotationsProblem === null ? [] : [`Some marks and comments could not be read: ${annotationsProblem}.`]),
      ...(indexProblem === null ? [] : [`It is read anew the next time: no index was kept (${indexProblem}).`]),
    ],
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    // Nothing was recorded yet.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
