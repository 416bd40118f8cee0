import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { captureText, manyCalls } from '../../../test/capture/capture-text'
import type { Recorder } from '../capture/recorder-contract'
import { exportCommands } from './exports'
import { OpenedCaptures } from './opened-captures'

let folder: string
let opened: OpenedCaptures
let capture: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-exports-'))
  opened = new OpenedCaptures(folder, '0.1.0')
  const file = join(folder, 'a.ndjson')
  await writeFile(file, captureText(manyCalls(2_000)))
  capture = await opened.open(file)
  await vi.waitUntil(() => opened.list()[0]?.state === 'open', { timeout: 5_000 })
})
afterEach(async () => {
  await opened.closeAll()
  await rm(folder, { recursive: true, force: true })
})

const recorder = {} as unknown as Recorder
const request = () => ({ capture, format: 'json' as const, to: join(folder, 'out'), sensitive: false, replace: false })

it('tells how far an export is, until it is written', async () => {
  const commands = exportCommands({ recorder, version: '0.1.0' }, opened)
  const writing = Promise.resolve(commands['capture.export']({ ...request(), export: 'e1' }))
  await vi.waitUntil(async () => ((await commands['capture.exporting']({ export: 'e1' })).progress?.done ?? 0) > 0, {
    timeout: 5_000,
    interval: 1,
  })
  expect((await commands['capture.exporting']({ export: 'e1' })).progress).toMatchObject({ total: 2_000 })
  await expect(commands['capture.export']({ ...request(), export: 'e1' })).rejects.toThrow('already')
  expect(await writing).toMatchObject({ calls: 2_000 })
  expect(await commands['capture.exporting']({ export: 'e1' })).toEqual({ progress: null })
})

it('stops an export, and leaves no file', async () => {
  const commands = exportCommands({ recorder, version: '0.1.0' }, opened)
  const writing = Promise.resolve(commands['capture.export']({ ...request(), export: 'e1' }))
  const failed = expect(writing).rejects.toThrow('the export was stopped')
  await commands['capture.stopExport']({ export: 'e1' })
  await failed
  await expect(access(join(folder, 'out'))).rejects.toThrow('ENOENT')
  // Of one that is not there, nothing is stopped.
  expect(await commands['capture.stopExport']({ export: 'e1' })).toEqual({})
})
