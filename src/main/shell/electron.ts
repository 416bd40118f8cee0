import { join } from 'node:path'
import { app, BrowserWindow, dialog, session, shell } from 'electron'
import { type RunningSluice, startSluice } from '../composition'
import { printNotice } from '../print-notice'
import { ConfigurationError } from '../config/configuration-error'
import { PRELOAD_SCRIPT, RENDERER_DIRECTORY } from '../places'
import { registerAppScheme, serveApp } from './app-protocol'
import { drawAttention } from './draw-attention'
import { followLink, openHandedCapture } from './follow-link'
import { type HandedOverSource, receiveHandedOver } from './handed-over'
import { carryOverIpc } from './ipc-carrier'
import { LINK_SCHEME } from './links'
import { keepLog, logFile } from './log-file'
import { enableInMenu, setApplicationMenu } from './menu'
import { PAGE_JS_FLAGS } from './page-memory'
import { safeStorageCipher } from './safe-storage'
import { restrictApp, restrictSession } from './security'
import { readSwitches, type Switches } from './switches'
import { focusDeskWindow, openDeskWindow } from './window'

/** Quitting takes at most this long, whatever still hangs. */
const QUIT_MS = 2_900

registerAppScheme()
restrictApp()
app.commandLine.appendSwitch('js-flags', PAGE_JS_FLAGS)
try {
  enter(readSwitches(process.argv.slice(1)))
} catch (error) {
  fail(error)
}

/** One desk a data folder: a second start brings the first one to the front. */
function enter(switches: Switches): void {
  // Electron keeps its lock and the page's storage here.
  app.setPath('userData', deskFolder(switches.data))
  if (!app.requestSingleInstanceLock()) {
    console.error('sluice: the desk is open already; its window comes to the front')
    app.quit()
    return
  }
  keepLog(switches.data)
  // Only an installed app may take links: of a checkout, the system would start a bare Electron.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME)
  const handedOver = receiveHandedOver()
  // Not awaited at the top level: Electron emits `ready` only when this module has been run to its end.
  app
    .whenReady()
    .then(() => start(switches, handedOver))
    .catch(fail)
}

async function start({ config, port, data, capture, demo }: Switches, handedOver: HandedOverSource): Promise<void> {
  restrictSession()
  serveApp(RENDERER_DIRECTORY)
  setApplicationMenu({ dataDirectory: data, logFile: logFile(data) })
  const running = await startSluice({
    configFile: config,
    ...(port === undefined ? {} : { port }),
    dataDirectory: data,
    captureFile: capture,
    demo,
    ui: false,
    desktop: process.env.TERM === undefined,
    secretCipher: safeStorageCipher(),
    openExternal: (url) => shell.openExternal(url),
    env: process.env,
    onNotice: printNotice,
  })
  carryOverIpc(running.control, enableInMenu)
  closeBeforeQuit(running)
  console.log(`Sluice ${running.version}: ${running.endpoint}`)

  const showDesk = (): void => {
    const [window] = BrowserWindow.getAllWindows()
    if (window) focusDeskWindow(window)
    else openDeskWindow({ preload: PRELOAD_SCRIPT, stateFile: join(deskFolder(data), 'window.json') })
  }
  showDesk()
  app.on('second-instance', showDesk)
  app.on('activate', showDesk)
  handedOver((handed) => {
    if (handed.kind === 'link') void followLink(handed.link, running.control)
    else void openHandedCapture(handed.file, running.control)
  })
  drawAttention(running.control)
  app.on('window-all-closed', () => {
    // On macOS an app goes on without windows, and so does the gateway.
    if (process.platform !== 'darwin') app.quit()
  })
}

/** Where Electron keeps the page's storage, and the window its place. */
function deskFolder(data: string): string {
  return join(data, 'desk')
}

/** Open streams get their last frame and the capture its last line before the process ends. */
function closeBeforeQuit(running: RunningSluice): void {
  let closing = false
  app.on('before-quit', (event) => {
    event.preventDefault()
    if (closing) return
    closing = true
    session.defaultSession.flushStorageData()
    const deadline = setTimeout(() => app.exit(1), QUIT_MS)
    running.close().then(
      () => {
        clearTimeout(deadline)
        app.exit(0)
      },
      (error: unknown) => {
        console.error('sluice: could not close in order:', error)
        app.exit(1)
      },
    )
  })
  process.on('SIGINT', () => app.quit())
  process.on('SIGTERM', () => app.quit())
}

function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  console.error(`sluice: could not start: ${message}`)
  if (app.isReady()) dialog.showErrorBox('Sluice could not start', message)
  app.exit(error instanceof ConfigurationError ? 2 : 1)
}
