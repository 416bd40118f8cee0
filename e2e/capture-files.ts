import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenDesk } from './carriers'

/** Opens a file as a user does: with the system's dialog in Electron, by its path in a browser. */
export async function openCapture({ page, electronApp }: OpenDesk, file: string): Promise<void> {
  await electronApp?.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
  }, file)
  await page.getByTestId('open-capture').click()
  if (electronApp !== undefined) return
  await page.getByLabel(/^Path of a capture/).fill(file)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
}

/** A copy of what was recorded so far. */
export async function recorded(folder: string, name: string): Promise<string> {
  const captures = join(folder, 'data', 'captures')
  const [live = ''] = (await readdir(captures)).filter((each) => each.endsWith('.ndjson'))
  const copy = join(folder, name)
  await copyFile(join(captures, live), copy)
  return copy
}
