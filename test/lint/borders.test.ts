import { readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ESLint } from 'eslint'
import { beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Any file of each part; snippets are linted as if they stood in it. */
const FOLDERS = {
  shared: 'src/shared',
  renderer: 'src/renderer',
  gateway: 'src/main/gateway',
  http1: 'src/main/http1',
  backends: 'src/main/backends',
  capture: 'src/main/capture',
  replay: 'src/main/replay',
  config: 'src/main/config',
  control: 'src/main/control',
  demo: 'src/main/demo',
  connect: 'src/main/connect',
  compose: 'src/main/compose',
  'client-config': 'src/main/client-config',
  cli: 'src/main/cli',
  shell: 'src/main/shell',
} as const
type Part = keyof typeof FOLDERS
const PARTS = Object.keys(FOLDERS) as Part[]

/** What each part may import of the others. */
const ALLOWED: Record<Part, Part[]> = {
  shared: [],
  renderer: ['shared'],
  gateway: ['shared', 'backends'],
  http1: ['shared'],
  backends: ['shared', 'http1'],
  capture: ['shared'],
  config: ['shared'],
  replay: ['shared', 'backends', 'capture'],
  control: ['shared', 'capture', 'config', 'backends', 'gateway', 'replay', 'compose'],
  demo: ['shared'],
  connect: ['shared', 'backends', 'http1'],
  compose: ['shared', 'backends', 'connect', 'config', 'http1'],
  'client-config': ['shared', 'config'],
  cli: ['shared', 'gateway', 'backends', 'capture', 'config', 'replay', 'control', 'demo', 'connect', 'client-config'],
  shell: ['shared', 'capture', 'config', 'control', 'demo'],
}

let eslint: ESLint

beforeAll(() => {
  eslint = new ESLint({ cwd: root })
})

function fileOf(part: Part): string {
  const folder = join(root, FOLDERS[part])
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const name = names.find(
    (entry) => /(?<!\.d|\.test)\.ts$/.test(entry) && !/(preload|ipc-carrier|tap)\.ts$/.test(entry),
  )
  if (name === undefined) throw new Error(`${folder} has no file`)
  return join(folder, name)
}

async function rulesBrokenBy(code: string, file: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(code, { filePath: file })
  return result?.messages.map((message) => message.ruleId) ?? []
}

async function importing(from: Part, target: string): Promise<(string | null)[]> {
  const file = fileOf(from)
  const path = relative(dirname(file), join(root, target)).replace(/\.ts$/, '')
  return rulesBrokenBy(`import '${path.startsWith('.') ? path : `./${path}`}'\n`, file)
}

describe('borders between parts', () => {
  const pairs = PARTS.flatMap((from) => PARTS.filter((to) => to !== from).map((to) => [from, to] as const))

  it.each(pairs.filter(([from, to]) => !ALLOWED[from].includes(to)))('%s may not import %s', async (from, to) => {
    expect(await importing(from, relative(root, fileOf(to)))).toContain('boundaries/dependencies')
  })

  it.each(pairs.filter(([from, to]) => ALLOWED[from].includes(to)))('%s may import %s', async (from, to) => {
    expect(await importing(from, relative(root, fileOf(to)))).toEqual([])
  })

  it.each(['gateway', 'backends'] as const)('%s knows of the capture only the tap', async (from) => {
    expect(await importing(from, 'src/main/capture/tap.ts')).toEqual([])
  })

  it.each([
    'gateway',
    'backends',
    'capture',
    'config',
    'replay',
    'control',
    'demo',
    'connect',
    'client-config',
  ] as const)('%s does not compose', async (from) => {
    expect(await importing(from, 'src/main/places.ts')).toContain('boundaries/dependencies')
  })
})

describe('borders to the platform', () => {
  it.each(PARTS.filter((part) => part !== 'shell'))('%s may not import electron', async (part) => {
    expect(await rulesBrokenBy("import 'electron'\n", fileOf(part))).toContain('no-restricted-imports')
  })

  it.each(['shared', 'renderer'] as const)('%s may not import Node modules', async (part) => {
    expect(await rulesBrokenBy("import 'node:fs'\n", fileOf(part))).toContain('no-restricted-imports')
    expect(await rulesBrokenBy("import 'fs/promises'\n", fileOf(part))).toContain('no-restricted-imports')
  })

  it.each(['process.pid', 'window.name', 'document.title'])('shared may not use %s', async (expression) => {
    expect(await rulesBrokenBy(`export const value = ${expression}\n`, fileOf('shared'))).toContain(
      'no-restricted-globals',
    )
  })

  it.each(['ipcMain', 'ipcRenderer', 'contextBridge'])('%s stays in the carrier and the preload', async (name) => {
    const code = `import { ${name} } from 'electron'\nexport const it = ${name}\n`
    expect(await rulesBrokenBy(code, join(root, 'src/main/shell/window.ts'))).toContain('no-restricted-imports')
  })
})

describe('types', () => {
  it('has no any, and no way to switch rules off in place', async () => {
    const code = '// eslint-disable-next-line\nexport const value: any = 1\n'
    expect(await rulesBrokenBy(code, fileOf('gateway'))).toContain('@typescript-eslint/no-explicit-any')
  })
})
