import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package's folder: this file is two levels below it, as a source and as a part of the build. */
const PACKAGE = fileURLToPath(new URL('../../', import.meta.url))

/** Built renderer and preload script. */
export const RENDERER_DIRECTORY = join(PACKAGE, 'out', 'renderer')
export const PRELOAD_SCRIPT = join(PACKAGE, 'out', 'preload', 'preload.cjs')

/** The version in package.json. */
export function readVersion(): string {
  const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string }
  return manifest.version
}

/**
 * Where configuration, keys and captures of this user are kept: the platform's folder for application data.
 * `XDG_DATA_HOME` counts when it is absolute (XDG Base Directory Specification).
 */
export function dataDirectory(
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
  home: string = homedir(),
): string {
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'Sluice')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Sluice')
  const shared = env.XDG_DATA_HOME?.startsWith('/') ? env.XDG_DATA_HOME : join(home, '.local', 'share')
  return join(shared, 'sluice')
}
