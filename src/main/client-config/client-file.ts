import { constants, copyFile, lstat, mkdir, open, readFile, readlink, realpath } from 'node:fs/promises'
import { isUtf8 } from 'node:buffer'
import { dirname, resolve } from 'node:path'
import { replaceFile } from '../config/replace-file'

const OWNER_MAY_WRITE = 0o200
const BACKUP_SUFFIX = '.sluice-backup'

/** A client's configuration file as it is; `text` is empty when there is none. */
export interface ClientFile {
  /** Through links, so that the link stays. */
  path: string
  exists: boolean
  text: string
}

/** Rejects with an error that names the file and says why it cannot be read. */
export async function readClientFile(file: string): Promise<ClientFile> {
  const path = await realpath(resolve(file)).catch(() => resolve(file))
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { path, exists: false, text: '' }
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${file} cannot be read: ${reason}`, { cause: error })
  }
  if (!isUtf8(bytes)) throw new Error(`${file} cannot be read: it is not UTF-8; save it as UTF-8 and try again`)
  return { path, exists: true, text: bytes.toString('utf8') }
}

/** A link that leads nowhere, or a file that somebody has protected, is for its owner to see to. */
async function checkPlace(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (found?.isSymbolicLink() === true)
    throw new Error(
      `${path} is a link to ${await readlink(path)}, which does not exist; make that file, or remove the link`,
    )
  if (found?.isFile() === true && (found.mode & OWNER_MAY_WRITE) === 0)
    throw new Error(`${path} is read-only; make it writable, and try again`)
}

/**
 * Writes the new text; a reader sees the old file or the new one. What was there before the first change stays beside it
 * as `<file>.sluice-backup`. Rejects with words where the file is not to be touched. A file that did not exist is made readable for this user only. Resolves with the backup's
 * path if one was made.
 */
export async function writeClientFile({ path, exists }: ClientFile, text: string): Promise<string | undefined> {
  await checkPlace(path)
  if (!exists) {
    await mkdir(dirname(path), { recursive: true })
    const handle = await open(path, 'wx', 0o600)
    try {
      await handle.writeFile(text)
    } finally {
      await handle.close()
    }
    return undefined
  }
  const backup = `${path}${BACKUP_SUFFIX}`
  const made = await copyFile(path, backup, constants.COPYFILE_EXCL).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'EEXIST') return false
      throw error
    },
  )
  await replaceFile(path, text)
  return made ? backup : undefined
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
