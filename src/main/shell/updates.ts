import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog } from 'electron'
import electronUpdater from 'electron-updater'

/** Looks for a newer version, only when asked, and installs it only when asked again. */
export async function checkForUpdates(): Promise<void> {
  if (!app.isPackaged || !existsSync(join(process.resourcesPath, 'app-update.yml'))) {
    await say('This build does not know where updates come from', 'Only installers of a release do.')
    return
  }
  const { autoUpdater } = electronUpdater
  autoUpdater.autoDownload = false
  autoUpdater.autoInstallOnAppQuit = false
  try {
    const found = await autoUpdater.checkForUpdates()
    if (found === null || !found.isUpdateAvailable) {
      await say('Sluice is up to date', `Version ${app.getVersion()} is the newest.`)
      return
    }
    const { version } = found.updateInfo
    if (!(await agreed(`Sluice ${version} is there`, `You have ${app.getVersion()}.`, 'Download'))) return
    await autoUpdater.downloadUpdate()
    if (await agreed(`Sluice ${version} is ready`, 'It is installed when Sluice quits.', 'Quit and install')) {
      autoUpdater.quitAndInstall()
    }
  } catch (error) {
    await say('The update failed', error instanceof Error ? error.message : String(error))
  }
}

async function say(message: string, detail: string): Promise<void> {
  await dialog.showMessageBox({ type: 'info', message, detail })
}

async function agreed(message: string, detail: string, button: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message,
    detail,
    buttons: ['Not now', button],
    defaultId: 1,
    cancelId: 0,
  })
  return response === 1
}
