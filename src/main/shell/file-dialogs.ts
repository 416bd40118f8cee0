import { basename, join } from 'node:path'
import { app, BrowserWindow, dialog, type OpenDialogOptions, type SaveDialogOptions, type WebContents } from 'electron'

/** Lets the user choose capture files to open; none when that was given up. */
export async function chooseCaptures(contents: WebContents): Promise<string[]> {
  const options: OpenDialogOptions = {
    title: 'Open captures',
    properties: ['openFile', 'multiSelections'],
    filters: [
      { name: 'Captures', extensions: ['ndjson', 'jsonl', 'har', 'json'] },
      { name: 'All files', extensions: ['*'] },
    ],
  }
  const window = BrowserWindow.fromWebContents(contents)
  const { filePaths } = await (window === null
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(window, options))
  return filePaths
}

/** Lets the user choose where to write a file called `name`; null when that was given up. */
export async function chooseTarget(contents: WebContents, name: string): Promise<string | null> {
  const options: SaveDialogOptions = {
    title: 'Save',
    // The page proposes a name, not a place.
    defaultPath: join(app.getPath('documents'), basename(name)),
  }
  const window = BrowserWindow.fromWebContents(contents)
  const { canceled, filePath } = await (window === null
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(window, options))
  return canceled || filePath === '' ? null : filePath
}
