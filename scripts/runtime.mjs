// Finds an Electron to run the desk with, or says in words why there is none.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { electronFromRegistry } from './electron-from-registry.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const electronPackage = join(root, 'node_modules', 'electron')

const PROBE_MS = 4_000
const DOWNLOAD_MS = 300_000

/**
 * Looked for in this order: `ELECTRON_OVERRIDE_DIST_PATH`; what the installed package has downloaded; with
 * `SLUICE_ELECTRON_FROM_REGISTRY=1` the test runtime; else the package's own download, tried now.
 * Answers `{ executable, origin }` or `{ reason }`; never throws.
 */
export async function findElectron(env = process.env, say = () => undefined) {
  const found = await locate(env, say)
  if (found.reason) return found
  const problem = whyItCannotStart(found.executable, env)
  return problem ? { reason: `${found.executable} does not start: ${problem}` } : found
}

/** Why no window can be opened here, or null. */
export function whyNoDisplay(env = process.env) {
  if (process.platform !== 'linux' || env.DISPLAY || env.WAYLAND_DISPLAY) return null
  return 'no display (DISPLAY and WAYLAND_DISPLAY are not set)'
}

/** Switches that this machine needs: Chromium's sandbox refuses to run as root. */
export function electronSwitches() {
  return process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []
}

async function locate(env, say) {
  if (env.ELECTRON_OVERRIDE_DIST_PATH) {
    const executable = join(env.ELECTRON_OVERRIDE_DIST_PATH, executableName())
    if (existsSync(executable)) return { executable, origin: 'ELECTRON_OVERRIDE_DIST_PATH' }
    return { reason: `ELECTRON_OVERRIDE_DIST_PATH is set, but there is no ${executable}` }
  }
  const downloaded = downloadedByPackage()
  if (downloaded) return downloaded
  if (env.SLUICE_ELECTRON_FROM_REGISTRY === '1') return testRuntime(say)
  return downloadByPackage(env, say)
}

function downloadedByPackage() {
  const pathFile = join(electronPackage, 'path.txt')
  if (!existsSync(pathFile)) return null
  const executable = join(electronPackage, 'dist', readFileSync(pathFile, 'utf8').trim())
  return existsSync(executable) ? { executable, origin: 'the electron package' } : null
}

async function testRuntime(say) {
  try {
    const dist = await electronFromRegistry(say)
    return { executable: join(dist, executableName()), origin: 'the npm registry, for tests' }
  } catch (error) {
    return { reason: `the test runtime could not be made: ${firstLine(error.message)}` }
  }
}

async function downloadByPackage(env, say) {
  const install = join(electronPackage, 'install.js')
  if (!existsSync(install)) return { reason: 'the electron package is not installed' }
  if (!(await canReachDownloads(env))) {
    return { reason: 'Electron is not downloaded yet, and its downloads at github.com cannot be reached' }
  }
  say("Downloading Electron (about 120 MB, once) with the electron package's own installer.")
  const result = spawnSync(process.execPath, [install], { env, encoding: 'utf8', timeout: DOWNLOAD_MS })
  const downloaded = downloadedByPackage()
  if (result.status === 0 && downloaded) return downloaded
  const why =
    result.error?.code === 'ETIMEDOUT' ? `not done after ${DOWNLOAD_MS / 60_000} minutes` : firstLine(result.stderr)
  return { reason: `Electron could not be downloaded: ${why}` }
}

/** A short look, so that a closed network costs seconds and not minutes. */
async function canReachDownloads(env) {
  // Behind a proxy, Node's fetch would not see what the installer sees.
  if (env.HTTPS_PROXY || env.https_proxy) return true
  const url = env.ELECTRON_MIRROR || env.npm_config_electron_mirror || 'https://github.com/electron/electron'
  try {
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_MS) })
    return true
  } catch {
    return false
  }
}

/** Catches a missing system library before a window is promised. */
function whyItCannotStart(executable, env) {
  try {
    execFileSync(executable, ['-e', '0'], {
      env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 20_000,
    })
    return null
  } catch (error) {
    return firstLine(String(error.stderr || error.message))
  }
}

function executableName() {
  if (process.platform === 'win32') return 'electron.exe'
  return process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron'
}

function firstLine(text) {
  return (text ?? '').trim().split('\n')[0] || 'no reason given'
}
