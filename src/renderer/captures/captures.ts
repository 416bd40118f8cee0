import { createStore, type StoreApi } from 'zustand/vanilla'
import type { CommandError, DeskConnection, OpenedCaptureStatus, RecentCapture } from '../../shared/api/contract'
import { toCommandError } from '../connection/command-failure'
import type { Playback } from './playback'
import { createCaptureSource, type CaptureSource, type SourceSurroundings } from '../stores/source'

export interface CapturesState {
  captures: readonly OpenedCaptureStatus[]
  recent: readonly RecentCapture[]
  /** The one that is looked at; null for the live run. */
  current: string | null
  /** A file that is being handed over, piece by piece. */
  upload: { name: string; share: number } | null
  /** Why a file could not be opened or the list not be read. */
  error: CommandError | null
}

/** Bytes of a piece of an upload; a multiple of three, so that pieces of base64 join. */
export const PIECE_BYTES = 393_216

/** A page that is loaded later shows no more what was handed over. */
const HANDED_OVER_MS = 30_000

/** A file as the page gets it, by choice or by drop. */
export interface GivenFile {
  name: string
  size: number
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

/** The captures that are open beside the live run. */
export class Captures {
  readonly store: StoreApi<CapturesState>
  readonly #connection: DeskConnection
  readonly #around: SourceSurroundings
  readonly #sources = new Map<string, CaptureSource>()
  /** When the capture was handed over that was shown for it last. */
  #shownFor: number | null = null

  constructor(around: SourceSurroundings) {
    this.#around = around
    this.#connection = around.connection
    this.store = createStore<CapturesState>(() => ({
      captures: [],
      recent: [],
      current: null,
      upload: null,
      error: null,
    }))
    around.connection.onFeed('captures', ({ captures }) => this.#take(captures))
  }

  /** The stores of an open capture; undefined while it is being opened or has failed. */
  source(id: string): CaptureSource | undefined {
    const status = this.store.getState().captures.find((each) => each.id === id)
    if (status?.state !== 'open') return undefined
    let source = this.#sources.get(id)
    if (source === undefined) {
      source = createCaptureSource(status, this.#around)
      this.#sources.set(id, source)
      void source.load()
    }
    return source
  }

  /** The player of a capture that was looked at; undefined before that. */
  playback(id: string): Playback | undefined {
    return this.#sources.get(id)?.playback
  }

  async refresh(): Promise<void> {
    await this.#guarded(async () => {
      const { captures, recent } = await this.#connection.command('captures.list', {})
      this.#take(captures)
      this.store.setState({ recent })
    })
  }

  show(id: string | null): void {
    this.store.setState({ current: id })
  }

  /** Opens the file at a path of the machine on which Sluice runs, and shows it. */
  async open(file: string): Promise<boolean> {
    return this.#guarded(async () => {
      const { capture } = await this.#connection.command('capture.open', { file })
      await this.#opened(capture)
    })
  }

  /** Opens a file that the page was given: by its path where that is known, else by handing it over. */
  async openGiven(file: GivenFile): Promise<boolean> {
    const path = this.#connection.files?.pathOf(file) ?? ''
    return path === '' ? this.#handOver(file) : this.open(path)
  }

  async close(id: string): Promise<void> {
    await this.#guarded(async () => {
      await this.#connection.command('capture.close', { capture: id })
      await this.refresh()
    })
  }

  clearError(): void {
    this.store.setState({ error: null })
  }

  async #handOver(file: GivenFile): Promise<boolean> {
    const done = await this.#guarded(async () => {
      let upload: string | undefined
      for (let from = 0; ; from += PIECE_BYTES) {
        this.store.setState({ upload: { name: file.name, share: file.size === 0 ? 1 : from / file.size } })
        const to = Math.min(file.size, from + PIECE_BYTES)
        const data = toBase64(new Uint8Array(await file.slice(from, to).arrayBuffer()))
        const last = to >= file.size
        const request = { name: file.name, data, last, ...(upload === undefined ? {} : { upload }) }
        const answer = await this.#connection.command('capture.upload', request)
        upload = answer.upload
        if (answer.capture !== null) return this.#opened(answer.capture)
      }
    })
    this.store.setState({ upload: null })
    return done
  }

  async #opened(capture: string): Promise<void> {
    this.show(capture)
    await this.refresh()
  }

  #take(captures: readonly OpenedCaptureStatus[]): void {
    for (const [id, source] of this.#sources) {
      if (captures.some((each) => each.id === id)) continue
      source.close()
      this.#sources.delete(id)
    }
    const handed = this.#handedOver(captures)
    this.store.setState(({ current, captures: before }) => {
      // One that was shown and is gone was closed, by this desk or another; one that is not listed yet is about to come.
      const gone = before.some(({ id }) => id === current) && !captures.some(({ id }) => id === current)
      return { captures, current: handed ?? (gone ? null : current) }
    })
  }

  /** The one that the system has just handed over, and that was not shown for it yet. */
  #handedOver(captures: readonly OpenedCaptureStatus[]): string | undefined {
    const since = Math.max(this.#shownFor ?? -Infinity, this.#around.wallNow() - HANDED_OVER_MS)
    let latest: { id: string; at: number } | undefined
    for (const { id, handedOverAt: at } of captures) if (at !== null && at > (latest?.at ?? since)) latest = { id, at }
    if (latest !== undefined) this.#shownFor = latest.at
    return latest?.id
  }

  /** False when it failed; `error` says why. */
  async #guarded(task: () => Promise<void>): Promise<boolean> {
    try {
      await task()
      return true
    } catch (reason) {
      this.store.setState({ error: toCommandError(reason) })
      return false
    }
  }
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  // As arguments, so in portions that fit onto a stack.
  for (let from = 0; from < bytes.length; from += 8_192)
    text += String.fromCharCode(...bytes.subarray(from, from + 8_192))
  return btoa(text)
}
