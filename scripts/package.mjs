// `npm run package`: the installers of this system; where electron-builder's own downloads cannot be reached, the
// unpacked app with the Electron that is here. Words after `--` go on to electron-builder.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIfNeeded } from './build.mjs'
import { findElectron, root } from './runtime.mjs'

const PROBE_MS = 4_000
/** Where electron-builder gets Electron and its tools from. */
const DOWNLOADS = 'https://github.com/electron-userland/electron-builder-binaries'

/** Folder and executable of the unpacked app on this system. */
function unpackedApp() {
  const release = join(root, 'release')
  if (process.platform === 'darwin') {
    const folder = join(release, process.arch === 'arm64' ? 'mac-arm64' : 'mac', 'Sluice.app')
    return { folder, executable: join(folder, 'Contents', 'MacOS', 'Sluice') }
  }
  const arch = process.arch === 'x64' ? '' : `${process.arch}-`
  if (process.platform === 'win32') {
    const folder = join(release, `win-${arch}unpacked`)
    return { folder, executable: join(folder, 'Sluice.exe') }
  }
  const folder = join(release, `linux-${arch}unpacked`)
  return { folder, executable: join(folder, 'sluice-desk') }
}

/** Builds the unpacked app around the Electron in `dist`. Throws when it fails; the output is on the terminal then. */
export function packageUnpacked(dist, say) {
  buildIfNeeded(say)
  run(['--dir', `-c.electronDist=${dist}`])
  return unpackedApp()
}

function run(switches) {
  const builder = join(root, 'node_modules', 'electron-builder', 'cli.js')
  const publish = switches.includes('--publish') ? [] : ['--publish', 'never']
  const command = [builder, '--config', join(root, 'electron-builder.config.mjs'), ...publish, ...switches]
  const result = spawnSync(process.execPath, command, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (result.status !== 0) throw new Error('electron-builder failed')
}

async function canDownload() {
  // Behind a proxy, Node's fetch would not see what electron-builder sees.
  if (process.env.HTTPS_PROXY || process.env.https_proxy) return true
  try {
    await fetch(DOWNLOADS, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_MS) })
    return true
  } catch {
    return false
  }
}

async function main(switches) {
  if (await canDownload()) {
    buildIfNeeded(console.log)
    run(switches)
    return
  }
  const found = await findElectron(process.env, console.log)
  if (found.reason) throw new Error(`no Electron to package: ${found.reason}`)
  const { folder } = packageUnpacked(dirname(found.executable), console.log)
  console.log(
    `\nNo installers: electron-builder's tools at github.com cannot be reached. The unpacked app is in ${folder}`,
  )
  console.log(
    `It runs on the Electron of ${found.origin}${found.origin.includes('tests') ? ', so do not give it to others' : ''}.`,
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main(process.argv.slice(2)).catch((error) => {
    console.error(`package: ${error.message}`)
    process.exitCode = 1
  })
}
