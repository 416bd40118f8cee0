import { mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeFileError } from '../append-file'
import { writeOutput } from './output-file'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'sluice-output-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

it('writes a text of many megabytes as it is, also where a piece of it would end within a character', async () => {
  const to = join(folder, 'long')
  // Two code units each: one before them puts every border between pieces into a pair.
  const text = `x${'😀'.repeat(1_300_000)}end`
  const file = await writeOutput(to, { replace: false }, async (output) => {
    await output.write('begin')
    await output.write(text)
    return output
  })
  const written = await readFile(to, 'utf8')
  expect(written === `begin${text}`).toBe(true)
  expect(file.bytes).toBe(Buffer.byteLength(written))
})

it('never puts a file in the place of a device or a folder, and goes behind links', async () => {
  const link = join(folder, 'link')
  const write = (path: string): Promise<void> => writeOutput(path, { replace: true }, (output) => output.write('new'))
  await symlink('/dev/null', link)
  await expect(write(link)).rejects.toThrow(`${link} is a device or a pipe; name a file`)
  await expect(write(folder)).rejects.toThrow(`${folder} is a folder; name a file`)
  expect(await readlink(link)).toBe('/dev/null')

  const file = join(folder, 'file')
  const toFile = join(folder, 'to-file')
  await writeFile(file, 'old')
  await symlink(file, toFile)
  await write(toFile)
  expect(await readlink(toFile)).toBe(file)
  expect(await readFile(file, 'utf8')).toBe('new')
})

it('does not speak of recording where something else is written', () => {
  const failed = (code: string): Error => Object.assign(new Error(code), { code })
  expect(describeFileError(failed('ENOSPC'), 'r.html', 'output')).toBe(
    'the disk of r.html is full; free some space, then try again',
  )
  expect(describeFileError(failed('EACCES'), 'r.html', 'output')).toContain('name another file')
  expect(describeFileError(failed('ENOSPC'), 'c.ndjson')).toContain('recording goes on')
})
