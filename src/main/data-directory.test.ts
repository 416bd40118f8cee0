import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asUser } from '../../test/peers/as-user'
import { makeDataDirectory } from './data-directory'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-data-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the data folder', () => {
  it('is made where it is missing, with what it lies in', async () => {
    const data = join(folder, 'a', 'data')
    makeDataDirectory(data)
    expect((await stat(data)).mode & 0o777).toBe(0o700)
  })

  it.each([['file'], ['file/data']])('cannot be, or lie in, a file: %s', async (name) => {
    await writeFile(join(folder, 'file'), '')
    expect(() => makeDataDirectory(join(folder, name))).toThrow(
      `the data folder ${join(folder, name)} cannot be used: it, or what it lies in, is a file; give another one with --data`,
    )
  })

  it('must be one that this user may make', async () => {
    await chmod(folder, 0o755)
    await mkdir(join(folder, 'others'), { mode: 0o555 })
    const data = join(folder, 'others', 'data')
    await asUser(() =>
      expect(() => makeDataDirectory(data)).toThrow(
        `the data folder ${data} cannot be used: this user may not write there; give another one with --data`,
      ),
    )
  })
})
