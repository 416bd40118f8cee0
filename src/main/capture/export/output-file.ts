import type { Stats } from 'node:fs'
import { open, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describeFileError } from '../append-file'

/** What cannot be written where it was asked for; `message` says why and what helps. */
export class OutputError extends Error {
  override readonly name = 'OutputError'
}

/** There is a file already, and it was not said that it may be replaced. */
export class TakenError extends OutputError {}

const GATHERED_CHARACTERS = 1_048_576

/**
 * A file that is there whole or not at all, for this user only (0600). Written beside its place, and put there by `commit`.
 */
export class OutputFile {
  /** Bytes written. */
  bytes = 0
  private waiting: (string | Uint8Array)[] = []
  private length = 0

  private constructor(
    readonly path: string,
    private readonly temporary: string,
    private readonly handle: FileHandle,
    /** True when the place is taken by an empty file of ours. */
    private readonly reserved: boolean,
  ) {}

  /**
   * Rejects with `OutputError` when there is a file already and `replace` is false, when it is one of `inputs`, or when
   * what is there is no file: a device would be replaced by one.
   */
  static async create(path: string, replace: boolean, inputs: readonly string[] = []): Promise<OutputFile> {
    const place = await fileAt(path)
    for (const input of inputs) {
      if ((await placeOf(input)) === (await placeOf(place))) {
        throw new OutputError(`${path} is what is read from; name another file to write to`)
      }
    }
    const reserved = await reserve(place, path, replace)
    const temporary = `${place}.${process.pid}.tmp`
    try {
      return new OutputFile(place, temporary, await open(temporary, 'w', 0o600), reserved)
    } catch (error) {
      if (reserved) await rm(place, { force: true })
      throw new OutputError(describeFileError(error, path, 'output'))
    }
  }

  /** Rejects with `OutputError`, as on a full disk. */
  async write(content: string | Uint8Array): Promise<void> {
    if (typeof content === 'string' && content.length > GATHERED_CHARACTERS) {
      for (const piece of pieces(content)) await this.write(piece)
      return
    }
    this.waiting.push(content)
    this.length += content.length
    if (this.length >= GATHERED_CHARACTERS) await this.flush()
  }

  /** Puts the file in its place. */
  async commit(): Promise<void> {
    await this.flush()
    await this.handle.close()
    try {
      await rename(this.temporary, this.path)
    } catch (error) {
      throw new OutputError(describeFileError(error, this.path, 'output'))
    }
  }

  /** Leaves nothing behind; for when it did not come to `commit`. */
  async discard(): Promise<void> {
    await this.handle.close()
    await rm(this.temporary, { force: true })
    if (this.reserved) await rm(this.path, { force: true })
  }

  private async flush(): Promise<void> {
    const bytes = Buffer.concat(this.waiting.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
    this.waiting = []
    this.length = 0
    try {
      for (let at = 0; at < bytes.length;) at += (await this.handle.write(bytes, at)).bytesWritten
    } catch (error) {
      throw new OutputError(describeFileError(error, this.path, 'output'))
    }
    this.bytes += bytes.length
  }
}

/** A long text in pieces, so that its bytes need not all be in memory beside it. */
function* pieces(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = from + GATHERED_CHARACTERS
    // The halves of a surrogate pair stay together.
    const to = isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end
    yield text.slice(from, to)
    from = to
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}

/** Writes a file as a whole: what `write` wrote is there when it resolves, and nothing when it rejects. */
export async function writeOutput<T>(
  path: string,
  options: { replace: boolean; inputs?: readonly string[] },
  write: (output: OutputFile) => Promise<T>,
): Promise<T> {
  const output = await OutputFile.create(path, options.replace, options.inputs)
  try {
    const result = await write(output)
    await output.commit()
    return result
  } catch (error) {
    await output.discard()
    throw error
  }
}

/** Where the file is, or is to be: behind links, which stay. */
async function fileAt(path: string): Promise<string> {
  let what: Stats
  try {
    what = await stat(path)
  } catch (error) {
    // What cannot be looked at is told of by who writes.
    if (error instanceof Error && 'code' in error) return resolve(path)
    throw error
  }
  if (what.isDirectory()) throw new OutputError(`${path} is a folder; name a file`)
  if (!what.isFile()) throw new OutputError(`${path} is a device or a pipe; name a file`)
  return realpath(path)
}

async function reserve(place: string, path: string, replace: boolean): Promise<boolean> {
  try {
    await (await open(place, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code !== 'EEXIST') throw new OutputError(describeFileError(error, path, 'output'))
    if (!replace) throw new TakenError(`${path} is there already; name another file`)
    return false
  }
}

async function placeOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    // What is not there is no other file under another name.
    if (error instanceof Error && 'code' in error) return resolve(path)
    throw error
  }
}
