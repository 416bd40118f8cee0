// Builds the app when its output is missing or older than its sources.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './runtime.mjs'

const SOURCES = ['src', 'electron.vite.config.ts', 'package.json', 'tsconfig.base.json']
const OUTPUTS = ['out/main/electron.js', 'out/main/sluice.js', 'out/preload/preload.cjs', 'out/renderer/index.html']

/** Throws when the build fails; its output is on the terminal then. */
export function buildIfNeeded(say = () => undefined) {
  if (!isStale()) return
  say('Building …')
  const builder = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js')
  if (!existsSync(builder)) throw new Error('the dependencies are not installed: run `npm install` first')
  const result = spawnSync(process.execPath, [builder, 'build', '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' })
  if (result.status !== 0) throw new Error('the build failed')
}

function isStale() {
  const outputs = OUTPUTS.map((name) => join(root, name))
  if (!outputs.every(existsSync)) return true
  const built = Math.min(...outputs.map((path) => statSync(path).mtimeMs))
  return SOURCES.some((name) => newest(join(root, name)) > built)
}

function newest(path) {
  const status = statSync(path)
  if (!status.isDirectory()) return status.mtimeMs
  const inside = readdirSync(path)
    .filter((name) => !/\.test\.tsx?$/.test(name))
    .map((name) => newest(join(path, name)))
  return Math.max(status.mtimeMs, ...inside)
}
