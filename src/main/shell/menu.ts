import { existsSync } from 'node:fs'
import { app, Menu, type MenuItemConstructorOptions, shell } from 'electron'
import { checkForUpdates } from './updates'

export interface MenuPlaces {
  dataDirectory: string
  logFile: string
}

/** What the system expects of a menu; everything else is in the desk itself. */
export function setApplicationMenu(places: MenuPlaces): void {
  app.setAboutPanelOptions({
    applicationName: 'Sluice',
    applicationVersion: app.getVersion(),
    version: `Electron ${process.versions.electron}, Chromium ${process.versions.chrome}, Node ${process.versions.node}`,
    copyright: 'MIT licence',
  })
  const own: MenuItemConstructorOptions[] = process.platform === 'darwin' ? [{ role: 'appMenu' }] : []
  const template = [...own, fileMenu(places), { role: 'editMenu' as const }, viewMenu, { role: 'windowMenu' as const }]
  Menu.setApplicationMenu(Menu.buildFromTemplate([...template, helpMenu(places)]))
}

function fileMenu({ dataDirectory }: MenuPlaces): MenuItemConstructorOptions {
  return {
    label: 'File',
    submenu: [
      { label: 'Show Data Folder', click: () => void shell.openPath(dataDirectory) },
      { type: 'separator' },
      { role: process.platform === 'darwin' ? 'close' : 'quit' },
    ],
  }
}

const viewMenu: MenuItemConstructorOptions = {
  label: 'View',
  submenu: [
    { role: 'reload' },
    { role: 'toggleDevTools' },
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ],
}

function helpMenu({ dataDirectory, logFile }: MenuPlaces): MenuItemConstructorOptions {
  return {
    role: 'help',
    submenu: [
      // Before anything was logged, its folder has to do.
      { label: 'Reveal Log', click: () => shell.showItemInFolder(existsSync(logFile) ? logFile : dataDirectory) },
      { label: 'Check for Updates…', click: () => void checkForUpdates() },
      ...(process.platform === 'darwin' ? [] : [{ type: 'separator' as const }, { role: 'about' as const }]),
    ],
  }
}
