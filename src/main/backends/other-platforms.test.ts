import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endGroup } from './process-group'
import { processStartTime } from './process-start-time'

/** What other systems do is tried with programs of their names that write down what they were given. */
let folder: string
const { platform } = process
const { PATH } = process.env

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platform-'))
  process.env.PATH = `${folder}${delimiter}${PATH ?? ''}`
})
afterEach(async () => {
  process.env.PATH = PATH
  on(platform)
  await rm(folder, { recursive: true })
})

function on(name: NodeJS.Platform): void {
  Object.defineProperty(process, 'platform', { value: name })
}

async function endOnWindows(): Promise<unknown> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  const exited = once(child, 'exit')
  on('win32')
  await endGroup(Number(child.pid), 10)
  on(platform)
  return (await exited)[1]
}

async function program(name: string, script: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\necho "$*" > "${folder}/${name}.args"\n${script}\n`)
  await chmod(join(folder, name), 0o755)
}

const givenTo = async (name: string): Promise<string> => (await readFile(join(folder, `${name}.args`), 'utf8')).trim()

describe('on Windows', () => {
  it('a process is ended with all that it has started', async () => {
    await program('taskkill', 'exit 0')
    on('win32')
    await endGroup(4321, 10)
    expect(await givenTo('taskkill')).toBe('/pid 4321 /T /F')
  })

  it('where taskkill fails or is not there, the process itself is ended, and nobody waits for ever', async () => {
    await program('taskkill', 'exit 128')
    expect(await endOnWindows()).toBe('SIGKILL')
    await rm(join(folder, 'taskkill'))
    expect(await endOnWindows()).toBe('SIGKILL')
  })

  it('a process that is gone already is no failure', async () => {
    await program('taskkill', 'exit 128')
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    on('win32')
    await expect(endGroup(Number(child.pid), 10)).resolves.toBeUndefined()
  })

  it('the start of a process is asked of PowerShell; none is no process', async () => {
    await program('powershell', 'echo " 133000000000000000 "')
    on('win32')
    expect(await processStartTime(4321)).toBe('133000000000000000')
    expect(await givenTo('powershell')).toBe('-NoProfile -Command (Get-Process -Id 4321).StartTime.ToFileTimeUtc()')
    await program('powershell', 'echo gone >&2; exit 1')
    expect(await processStartTime(4321)).toBeUndefined()
  })

  it('a .cmd shim is run by its shell, which gets every argument escaped, and cannot be led to run another', async () => {
    const shim = join(folder, 'server.CMD')
    await writeFile(shim, '@echo off\r\n')
    await chmod(shim, 0o755)
    on('win32')
    const parse = crossSpawnHere()
    const { command, args, options } = parse(join(folder, 'server'), ['a b', '%PATH% & calc.exe', 'say "hi"\\'], {
      env: { PATHEXT: '.CMD' },
    })
    expect(command).toMatch(/cmd\.exe$/i)
    expect(args.slice(0, 3)).toEqual(['/d', '/s', '/c'])
    expect(options).toMatchObject({ windowsVerbatimArguments: true })
    // Behind ^ nothing means anything to the shell.
    expect(args[3]).toContain('^"a^ b^"')
    expect(args[3]).toContain('^"^%PATH^%^ ^&^ calc.exe^"')
    expect(args[3]).toContain('^"say^ \\^"hi\\^"\\\\^"')
  })
})

it('on macOS the start of a process is asked of ps', async () => {
  await program('ps', 'echo "Sun Nov 29 22:07:05 2026"')
  on('darwin')
  expect(await processStartTime(4321)).toBe('Sun Nov 29 22:07:05 2026')
  expect(await givenTo('ps')).toBe('-o lstart= -p 4321')
})

interface Parsed {
  command: string
  args: string[]
  options: object
}
type Parse = (command: string, args: string[], options: object) => Parsed

/** How cross-spawn starts a program on the platform of this moment: it looks at it once, when it is loaded. */
function crossSpawnHere(): Parse {
  const require = createRequire(import.meta.url)
  const loaded = Object.keys(require.cache).filter((file) => /[\\/](cross-spawn|which|isexe|path-key)[\\/]/.test(file))
  for (const file of loaded) Reflect.deleteProperty(require.cache, file)
  const { _parse } = require('cross-spawn') as { _parse: Parse }
  return _parse
}
