import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CommandFailure } from './command-failure'

const MAX_AT_ONCE = 4
const MAX_BYTES = 4_294_967_296

interface Upload {
  file: string
  handle: FileHandle
  bytes: number
  /** The piece that is being written; the next one waits for it. */
  writing: Promise<unknown>
}

/** Copies of captures that a browser hands over, piece by piece, into `folder`; they live as long as they are open. */
export class CaptureUploads {
  readonly #uploads = new Map<string, Upload>()
  /** Folders of those that are complete. */
  readonly #complete = new Set<string>()

  constructor(readonly folder: string) {}

  /** Begins a file; readable for this user only. Returns what the next pieces name. */
  async begin(name: string): Promise<string> {
    if (this.#uploads.size >= MAX_AT_ONCE)
      throw new CommandFailure('failed', `${MAX_AT_ONCE} files are being handed over already`, 'wait for them')
    const id = randomUUID()
    const folder = join(this.folder, id)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, fileName(name))
    this.#uploads.set(id, { file, handle: await open(file, 'wx', 0o600), bytes: 0, writing: Promise.resolve() })
    return id
  }

  async add(id: string, data: string): Promise<void> {
    const upload = this.#known(id)
    const bytes = Buffer.from(data, 'base64')
    upload.bytes += bytes.length
    if (upload.bytes > MAX_BYTES) {
      await this.#drop(id)
      throw new CommandFailure('failed', 'the file is larger than 4 GiB', 'cut it, or start Sluice where the file is')
    }
    upload.writing = upload.writing.then(() => upload.handle.writeFile(bytes))
    await upload.writing
  }

  /** Ends it. Returns the path of the file. */
  async end(id: string): Promise<string> {
    const upload = this.#known(id)
    this.#uploads.delete(id)
    await upload.writing
    await upload.handle.close()
    this.#complete.add(dirname(upload.file))
    return upload.file
  }

  /** True for a file that was handed over. */
  has(file: string): boolean {
    return this.#complete.has(dirname(file))
  }

  /** Removes a file that was handed over, with its index; others are left alone. */
  async forget(file: string): Promise<void> {
    const folder = dirname(file)
    if (this.#complete.delete(folder)) await rm(folder, { recursive: true, force: true })
  }

  /** Removes everything: they are copies of what the user has. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.#uploads.keys()].map((id) => this.#drop(id)))
    for (const folder of this.#complete) await rm(folder, { recursive: true, force: true })
    this.#complete.clear()
  }

  #known(id: string): Upload {
    const upload = this.#uploads.get(id)
    if (upload !== undefined) return upload
    throw new CommandFailure('not-found', 'this file is not being handed over', 'begin again')
  }

  async #drop(id: string): Promise<void> {
    const upload = this.#known(id)
    this.#uploads.delete(id)
    await upload.handle.close()
    await rm(join(this.folder, id), { recursive: true, force: true })
  }
}

/** The last part of a name, without what no file system takes. */
function fileName(given: string): string {
  const name = basename(given.replaceAll('\\', '/')).replace(/[^\p{L}\p{N} ._()+-]/gu, '_')
  return /^\.*$/.test(name) ? 'capture.ndjson' : name
}
