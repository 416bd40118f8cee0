import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loginShellPath, rememberedLoginShellPath } from './login-shell-path'

/** A shell whose start-up does what `startUp` says, and which then runs what it was given. */
async function shell(startUp: string): Promise<NodeJS.ProcessEnv> {
  const folder = await mkdtemp(join(tmpdir(), 'shell-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'shell')
  await writeFile(file, `#!/bin/sh\n[ "$1" = -ilc ] || exit 9\n${startUp}\neval "$2"\n`)
  await chmod(file, 0o755)
  return { SHELL: file, PATH: '/usr/bin:/bin' }
}

describe('loginShellPath', () => {
  it('is what the shell has set up, whatever it prints', async () => {
    const environment = await shell('echo Welcome; echo PATH=/wrong; export PATH="/home/me/.local/bin:$PATH"')
    expect(await loginShellPath({ environment })).toBe('/home/me/.local/bin:/usr/bin:/bin')
  })

  it.each([
    ['fails', 'exit 1'],
    ['never comes to an end', 'sleep 60'],
    ['prints without end', 'yes'],
  ])('is unknown when the shell %s', async (_name, startUp) => {
    expect(await loginShellPath({ environment: await shell(startUp), limitMs: 300 })).toBeUndefined()
  })

  it('is unknown without a shell, and on Windows', async () => {
    expect(await loginShellPath({ environment: { SHELL: '/nowhere/shell' } })).toBeUndefined()
    expect(await loginShellPath({ platform: 'win32' })).toBeUndefined()
  })

  it('is asked for once', async () => {
    const environment = await shell('export PATH="/first:$PATH"')
    const searchPath = rememberedLoginShellPath({ environment })
    expect(await searchPath()).toBe('/first:/usr/bin:/bin')
    environment.SHELL = '/nowhere'
    expect(await searchPath()).toBe('/first:/usr/bin:/bin')
  })
})
