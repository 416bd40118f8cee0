import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { plainCall } from '../../../../test/capture/call-script'
import { captureText } from '../../../../test/capture/capture-text'
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
