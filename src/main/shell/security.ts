import {
  app,
  type IpcMainEvent,
  type IpcMainInvokeEvent,
  session,
  type WebContents,
  type WebPreferences,
} from 'electron'
import { APP_ORIGIN } from './app-files'

/**
 * Every restriction of the desk's window, each with its number in Electron's security checklist
 * (electronjs.org/docs/latest/tutorial/security). The content security policy (7) is in `app-files.ts`, beside what it
 * is sent with. Not applicable: 2 and 20, as no remote content is ever shown; 16 and 19 are matters of packaging.
 */
export const WEB_PREFERENCES = {
  // 3: the page cannot reach the preload's world.
  contextIsolation: true,
  // 4: the renderer runs in the operating system's sandbox.
  sandbox: true,
  // 2: no `require` and no `process` in the page, its frames and its workers.
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  nodeIntegrationInWorker: false,
  // 6, 8, 9: what must not be loosened.
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  // 11, 12: no <webview> at all.
  webviewTag: false,
  // Names and texts of servers are no prose; nothing is sent to a spelling service.
  spellcheck: false,
} satisfies WebPreferences

/** To be called before the app is ready. */
export function restrictApp(): void {
  // 4: also for windows that somebody opens in some other way. With --no-sandbox, which Chromium demands of root, this
  // would keep its own helper processes from starting; the windows' own `sandbox` holds there as well.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
  app.on('web-contents-created', (_event, contents) => restrictContents(contents))
}

/** To be called when the app is ready, before the first window. */
export function restrictSession(): void {
  const { defaultSession } = session
  // 5: the desk needs the clipboard to copy into, and no other permission.
  defaultSession.setPermissionRequestHandler((_contents, permission, answer) => answer(isAllowed(permission)))
  defaultSession.setPermissionCheckHandler((_contents, permission) => isAllowed(permission))
  defaultSession.setDevicePermissionHandler(() => false)
  // 1: the page loads nothing but itself, whatever its policy says.
  defaultSession.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !isOwnContent(details.url) }))
  defaultSession.on('will-download', (event) => event.preventDefault())
}

/** 17: messages count only when the main frame of our own page sent them. */
export function isTrustedSender(event: IpcMainEvent | IpcMainInvokeEvent): boolean {
  const frame = event.senderFrame
  return frame !== null && frame.parent === null && isAppUrl(frame.url)
}

function restrictContents(contents: WebContents): void {
  // 13: the page is the app; there is nowhere to go.
  contents.on('will-navigate', (event) => {
    if (!isAppUrl(event.url)) event.preventDefault()
  })
  contents.on('will-frame-navigate', (event) => {
    if (!isAppUrl(event.url)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => {
    if (!isAppUrl(event.url)) event.preventDefault()
  })
  // 14: no second window; 15: a page hands nothing to the system's browser (the command `compose.openUrl` checks what it opens).
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  // 12: see `webviewTag`.
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

function isAllowed(permission: string): boolean {
  return permission === 'clipboard-sanitized-write'
}

function isAppUrl(url: string): boolean {
  return url === APP_ORIGIN || url.startsWith(`${APP_ORIGIN}/`)
}

function isOwnContent(url: string): boolean {
  return isAppUrl(url) || /^(data|blob|devtools|chrome-extension):/.test(url)
}
