import { mkdtemp, readFile, rm } from 'node:fs/promises'
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

it('does not speak of recording where something else is written', () => {
  const failed = (code: string): Error => Object.assign(new Error(code), { code })
  expect(describeFileError(failed('ENOSPC'), 'r.html', 'output')).toBe(
    'the disk of r.html is full; free some space, then try again',
  )
  expect(describeFileError(failed('EACCES'), 'r.html', 'output')).toContain('name another file')
  expect(describeFileError(failed('ENOSPC'), 'c.ndjson')).toContain('recording goes on')
})
