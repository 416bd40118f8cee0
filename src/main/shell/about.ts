import type { AboutPanelOptionsOptions } from 'electron'

export interface Versions {
  app: string
  electron: string
  chrome: string
  node: string
}

const LICENCE = 'MIT licence'

function runsOn({ electron, chrome, node }: Versions): string {
  return `Electron ${electron}, Chromium ${chrome}, Node ${node}`
}

/** What the about box of macOS or Windows says. Each has another place for what the app runs on, and shows nothing in the others. */
export function aboutPanel(platform: string, versions: Versions, iconPath: string): AboutPanelOptionsOptions {
  const shared = { applicationName: 'Sluice', applicationVersion: versions.app, copyright: LICENCE }
  // On macOS the icon is that of the bundle.
  return platform === 'darwin'
    ? { ...shared, version: runsOn(versions) }
    : { ...shared, iconPath, credits: runsOn(versions) }
}

/** The same for a message box, and as it is copied into a report. */
export function aboutMessage(versions: Versions): { message: string; detail: string; copied: string } {
  const message = `Sluice ${versions.app}`
  return { message, detail: `${runsOn(versions)}\n${LICENCE}`, copied: `${message}, ${runsOn(versions)}` }
}
