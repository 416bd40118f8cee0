import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readClientFile, writeClientFile } from './client-file'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-client-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the configuration file of a client', () => {
  it('that is a link is changed where it leads', async () => {
    const [target, link] = [join(folder, 'real.json'), join(folder, 'link.json')]
    await writeFile(target, '{}')
    await symlink('real.json', link)
    const backup = await writeClientFile(await readClientFile(link), '{ "a": 1 }')
    expect(await readFile(target, 'utf8')).toBe('{ "a": 1 }')
    expect(backup).toBe(`${target}.sluice-backup`)
  })

  it('that is a link to nothing is left alone, with words', async () => {
    const link = join(folder, 'link.json')
    await symlink('gone.json', link)
    const read = await readClientFile(link)
    await expect(writeClientFile(read, '{}')).rejects.toThrow(`${link} is a link to gone.json, which does not exist`)
  })

  it('that somebody has protected is left alone, with words', async () => {
    const file = join(folder, 'mcp.json')
    await writeFile(file, '{}')
    await chmod(file, 0o444)
    const read = await readClientFile(file)
    await expect(writeClientFile(read, '{ }')).rejects.toThrow(`${file} is read-only; make it writable, and try again`)
  })

  it.each([
    ['a folder', '.', 'cannot be read'],
    ['something in a file', join('plain', 'mcp.json'), 'cannot be read'],
  ])('that is %s is named', async (_what, path, words) => {
    await writeFile(join(folder, 'plain'), '')
    await expect(readClientFile(join(folder, path))).rejects.toThrow(words)
  })
})
