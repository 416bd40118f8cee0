import { protocol } from 'electron'
import { answerAppRequest, APP_SCHEME } from './app-files'

/** To be called before the app is ready. 18 of Electron's security checklist: a scheme of our own instead of `file:`. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ])
}

/** Serves the built renderer in `directory` to the window. To be called when the app is ready. */
export function serveApp(directory: string): void {
  protocol.handle(APP_SCHEME, (request) => answerAppRequest(directory, request.url))
}
