import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { plainCall } from '../../../../test/capture/call-script'
import { captureText, manyCalls } from '../../../../test/capture/capture-text'
import type { ExportAbout } from '../../../shared/capture/call-format'
import { redactionRules, type RedactionRules } from '../../../shared/capture/redaction-rules'
import { openCapture } from '../opened/open-capture'
import { exportCalls } from './export-calls'

it('says of a call that fits into no string which one it is, and leaves no file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-large-'))
  const file = join(folder, 'c.ndjson')
  await writeFile(file, captureText(plainCall()))
  const capture = await openCapture(file)
  // Longer than any string may be.
  const call = (): string => 'x'.repeat(2 ** 30)
  const written = exportCalls(capture, {
    format: { begin: () => '', call, end: () => '' },
    to: join(folder, 'out'),
    replace: false,
    inputs: [file],
    rules: null,
    select: () => true,
    version: '0',
    notes: [],
  })
  await expect(written).rejects.toThrow(/call 1 is too large .*--calls/)
  await capture.close()
  expect(await readdir(folder)).toEqual(['c.ndjson'])
  await rm(folder, { recursive: true })
})

it('reads no calls that have no room in the format, and tells it how many those are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-room-'))
  const file = join(folder, 'c.ndjson')
  await writeFile(file, captureText(manyCalls(5)))
  const capture = await openCapture(file)
  const to = join(folder, 'out')
  await exportCalls(capture, {
    format: { most: 2, begin: () => '', call: ({ call }) => `${call},`, end: (left) => `${left} left` },
    to,
    replace: false,
    inputs: [file],
    rules: null,
    select: (call) => call !== 1,
    version: '0',
    notes: [],
  })
  await capture.close()
  expect(await readFile(to, 'utf8')).toBe('2,3,2 left')
  await rm(folder, { recursive: true })
})

it('takes secrets out of what the file says that it lost', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-notes-'))
  const file = join(folder, 'c.ndjson')
  await writeFile(file, captureText(plainCall()))
  const capture = await openCapture(file)
  const notesWith = async (rules: RedactionRules | null): Promise<string> => {
    const to = join(folder, 'out')
    const options = { to, replace: true, inputs: [file], select: () => true, version: '0', rules }
    const format = { begin: (_: unknown, about: ExportAbout) => about.notes.join(), call: () => '', end: () => '' }
    await exportCalls(capture, { ...options, format, notes: ['1 event was not recorded (token=hunter2hunter2).'] })
    return readFile(to, 'utf8')
  }
  expect(await notesWith(redactionRules())).toBe('1 event was not recorded (token=«redacted 16»).')
  expect(await notesWith(null)).toContain('hunter2hunter2')
  await capture.close()
  await rm(folder, { recursive: true })
})
