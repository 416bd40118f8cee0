import { randomUUID } from 'node:crypto'
import { chmod, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Replaces what is in an existing file, keeping its mode; a reader sees the old file or the new one, nothing between. */
export async function replaceFile(path: string, text: string): Promise<void> {
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
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
