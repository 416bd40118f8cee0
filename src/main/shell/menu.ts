import { existsSync } from 'node:fs'
import { app, BrowserWindow, Menu, shell, type WebContents } from 'electron'
import { MENU_ACTIONS, type MenuAction } from '../../shared/api/menu'
import { aboutPanel } from './about'
import { ICON } from './icon'
import { CHANNEL } from './ipc-channels'
import { menuTemplate } from './menu-template'
import { showAbout } from './show-about'
import { checkForUpdates } from './updates'

export interface MenuPlaces {
  dataDirectory: string
  logFile: string
}

/** What the system shows of the app, and its menu. */
export function setApplicationMenu({ dataDirectory, logFile }: MenuPlaces): void {
  const { electron, chrome, node } = process.versions
  const versions = { app: app.getVersion(), electron, chrome, node }
  if (process.platform !== 'linux') app.setAboutPanelOptions(aboutPanel(process.platform, versions, ICON))
  const template = menuTemplate(process.platform, {
    choose: (action) => deskInFront()?.send(CHANNEL.chosen, action),
    showDataFolder: () => void shell.openPath(dataDirectory),
    // Before anything was logged, its folder has to do.
    revealLog: () => shell.showItemInFolder(existsSync(logFile) ? logFile : dataDirectory),
    showAbout: () => void showAbout(versions),
    checkForUpdates: () => void checkForUpdates(),
  })
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

/** Enables what the desk can do now, and disables the rest. */
export function enableInMenu(actions: ReadonlySet<MenuAction>): void {
  const menu = Menu.getApplicationMenu()
  for (const action of MENU_ACTIONS) {
    const item = menu?.getMenuItemById(action)
    if (item) item.enabled = actions.has(action)
  }
}

function deskInFront(): WebContents | undefined {
  return (BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0])?.webContents
}
