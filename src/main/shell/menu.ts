import { app, Menu, type MenuItemConstructorOptions } from 'electron'

/** Only what the system expects of a menu; everything else is in the desk itself. */
export function setApplicationMenu(): void {
  const own: MenuItemConstructorOptions[] = process.platform === 'darwin' ? [{ role: 'appMenu' }] : [fileMenu]
  app.setAboutPanelOptions({ applicationName: 'Sluice', applicationVersion: app.getVersion() })
  Menu.setApplicationMenu(Menu.buildFromTemplate([...own, { role: 'editMenu' }, viewMenu, { role: 'windowMenu' }]))
}

const fileMenu: MenuItemConstructorOptions = {
  label: 'File',
  submenu: [{ role: 'about' }, { type: 'separator' }, { role: 'quit' }],
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
