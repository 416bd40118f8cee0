// What `electron <app directory> [arguments]` runs first: the test runtime comes without Electron's own default app.
// The top-level await below matters: Electron emits `ready` only after this module has finished, so the app's entry
// can still register schemes and switches.
import { app } from 'electron'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const directory = applicationDirectory(process.argv.slice(1))
if (!directory) {
  console.error('usage: electron <directory of an app>')
  process.exit(2)
}
process.defaultApp = true

const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
app.setAppPath(directory)
app.setName(manifest.productName ?? manifest.name)
if (manifest.version) app.setVersion(manifest.version)
app.setPath('userData', join(app.getPath('appData'), app.getName()))

try {
  await import(pathToFileURL(join(directory, manifest.main ?? 'index.js')).href)
} catch (error) {
  console.error(error)
  process.exit(1)
}

/** The first argument that is no switch; `--require` comes from Playwright and is loaded on the way. */
function applicationDirectory(arguments_) {
  const require = createRequire(import.meta.url)
  for (let index = 0; index < arguments_.length; index++) {
    const argument = arguments_[index]
    if (argument === '-r' || argument === '--require') require(resolve(arguments_[++index]))
    else if (!argument.startsWith('-')) return resolve(argument)
  }
  return null
}
