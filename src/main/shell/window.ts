import { BrowserWindow, nativeTheme } from 'electron'
import { APP_ORIGIN } from './app-files'
import { WEB_PREFERENCES } from './security'

/** `--bg` of the desk's two themes, so that nothing flashes before the page has painted. */
const BACKGROUND = { light: '#f6f7f9', dark: '#0f1216' }

/** Opens the desk; `preload` is the built preload script. */
export function openDeskWindow(preload: string): BrowserWindow {
  const window = new BrowserWindow({
    title: 'Sluice',
    width: 1440,
    height: 900,
    minWidth: 760,
    minHeight: 480,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: { ...WEB_PREFERENCES, preload },
  })
  window.once('ready-to-show', () => window.show())
  window.loadURL(`${APP_ORIGIN}/index.html`).catch((error: unknown) => {
    // A window that was closed while it loaded is no failure.
    if (!window.isDestroyed()) console.error('The desk could not be loaded:', error)
  })
  return window
}

/** Brings the desk to the front. */
export function focusDeskWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
