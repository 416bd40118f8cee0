import type { AboutPanelOptionsOptions } from 'electron'

export interface Versions {
  app: string
  electron: string
  chrome: string
  node: string
}

/** What the about box says. Each system has another place for what the app runs on, and shows nothing in the others. */
export function aboutPanel(platform: string, versions: Versions, iconPath: string): AboutPanelOptionsOptions {
  const { app, electron, chrome, node } = versions
  const runsOn = `Electron ${electron}, Chromium ${chrome}, Node ${node}`
  const shared = { applicationName: 'Sluice', applicationVersion: app }
  // On macOS the icon is that of the bundle.
  if (platform === 'darwin') return { ...shared, version: runsOn, copyright: 'MIT licence' }
  if (platform === 'win32') return { ...shared, iconPath, credits: runsOn, copyright: 'MIT licence' }
  return { ...shared, iconPath, copyright: `MIT licence\n${runsOn}` }
}
