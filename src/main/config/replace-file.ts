import { randomUUID } from 'node:crypto'
import { chmod, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Replaces what is in an existing file, keeping its mode; a reader sees the old file or the new one, nothing between.
 * `check` is asked last: when it rejects, the old file stays.
 */
export async function replaceFile(path: string, text: string, check?: () => Promise<void>): Promise<void> {
  const { mode } = await stat(path)
  const temporary = join(dirname(path), `.${randomUUID()}.tmp`)
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await chmod(temporary, mode & 0o777)
    await check?.()
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
