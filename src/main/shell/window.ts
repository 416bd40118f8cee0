import { app, BrowserWindow, dialog, Menu, nativeTheme, screen } from 'electron'
import { APP_ORIGIN } from './app-files'
import { ICON } from './icon'
import { WEB_PREFERENCES } from './security'
import { textMenu } from './text-menu'
import { fitToScreens, loadWindowState, saveWindowState, SMALLEST } from './window-state'

/** `--bg` of the desk's two themes, so that nothing flashes before the page has painted. */
const BACKGROUND = { light: '#f6f7f9', dark: '#0f1216' }
/** A page that crashes more often than this within a minute is not loaded again unasked. */
const CRASHES_A_MINUTE = 3

export interface DeskWindowOptions {
  /** The built preload script. */
  preload: string
  /** Where size and place are kept. */
  stateFile: string
}

/** Opens the desk where it was when it was closed. */
export function openDeskWindow({ preload, stateFile }: DeskWindowOptions): BrowserWindow {
  const areas = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map((display) => display.workArea)
  const { maximized, fullScreen, ...bounds } = fitToScreens(loadWindowState(stateFile), areas)
  const window = new BrowserWindow({
    title: 'Sluice',
    ...bounds,
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    show: false,
    // macOS and Windows take it from the bundle and the executable; on Linux only an installed package has one.
    ...(process.platform === 'linux' && { icon: ICON }),
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: { ...WEB_PREFERENCES, preload },
  })
  window.once('ready-to-show', () => {
    if (maximized) window.maximize()
    if (fullScreen) window.setFullScreen(true)
    window.show()
  })
  const remember = (): void => rememberState(window, stateFile)
  window.on('close', remember)
  // Quitting ends the process without closing its windows one by one.
  app.on('before-quit', remember)
  window.on('closed', () => app.off('before-quit', remember))
  window.webContents.on('context-menu', (_event, clicked) => {
    const items = textMenu(clicked)
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window })
  })
  recoverFromCrashes(window)
  load(window)
  return window
}

/** Brings the desk to the front. */
export function focusDeskWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

function load(window: BrowserWindow): void {
  window.loadURL(`${APP_ORIGIN}/index.html`).catch((error: unknown) => {
    // A window that was closed while it loaded is no failure.
    if (!window.isDestroyed()) console.error('The desk could not be loaded:', error)
  })
}

function rememberState(window: BrowserWindow, file: string): void {
  if (window.isDestroyed()) return
  const { x, y, width, height } = window.getNormalBounds()
  try {
    saveWindowState(file, { x, y, width, height, maximized: window.isMaximized(), fullScreen: window.isFullScreen() })
  } catch (error) {
    console.error('The place of the window could not be kept:', error)
  }
}

/** The gateway and the capture live in the main process: a page that is gone is loaded again and has lost nothing. */
function recoverFromCrashes(window: BrowserWindow): void {
  let crashes: number[] = []
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return
    console.error(`The desk's page is gone (${reason}, code ${exitCode}); the gateway goes on.`)
    const now = Date.now()
    crashes = [...crashes.filter((at) => now - at < 60_000), now]
    if (crashes.length <= CRASHES_A_MINUTE) load(window)
    else void askAfterCrashes(window, reason)
  })
}

async function askAfterCrashes(window: BrowserWindow, reason: string): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    message: 'The desk keeps crashing',
    detail: `Its page ended ${CRASHES_A_MINUTE + 1} times within a minute (${reason}). The gateway goes on, and nothing that was recorded is lost.`,
    buttons: ['Load it again', 'Quit Sluice'],
    cancelId: 0,
  })
  if (response === 1) app.quit()
  else if (!window.isDestroyed()) load(window)
}
