import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plainCall, unstamped } from '../../../test/capture/call-script'
import { MemoryDisk } from '../../../test/capture/memory-file'
import type { CallEvent, CaptureEvent, CaptureHeader, NewCaptureEvent } from '../../shared/capture/events'
import { readCapture } from './capture-file'
import { rewriteCapture } from './export/rewrite-capture'
import { verifyCapture } from './export/verify-capture'
import { openCapture } from './opened/open-capture'
import { createRecorder } from './recorder'
import type { Recorder, RecorderOptions } from './recorder-contract'

let folder: string
let recorder: Recorder | undefined
let files = 1

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-rotation-'))
  files = 1
})
afterEach(async () => {
  await recorder?.close()
  await rm(folder, { recursive: true, force: true })
})

const pathOf = (number: number): string => join(folder, `${number}.ndjson`)

function create(more: Partial<RecorderOptions> = {}, fileBytes = 30_000): Recorder {
  return (recorder = createRecorder({
    file: pathOf(1),
    header: { gateway: { name: 'sluice', version: '0.1.0' }, backends: [] },
    redaction: { headers: [], keys: [] },
    retryMs: 5,
    rotation: { rules: () => ({ fileBytes, fileHours: 24 }), nextFile: () => pathOf(++files) },
    ...more,
  }))
}

function play(on: Recorder, script: readonly CallEvent[], call = on.nextCall()): number {
  for (const event of unstamped(script)) on.record({ ...event, call } as NewCaptureEvent)
  return call
}

/** In the way of a gateway that has more to do. */
async function playMany(on: Recorder, count: number): Promise<void> {
  for (let played = 0; played < count; played++) {
    play(on, plainCall())
    if (played % 5 === 4) await on.flush()
  }
}

async function read(path: string): Promise<{ header: CaptureHeader; events: CaptureEvent[] }> {
  const reader = await readCapture(path)
  const events: CaptureEvent[] = []
  for await (const event of reader.events()) events.push(event)
  return { header: reader.header, events }
}

describe('a run that goes on in another file', () => {
  it('says so in both files, each of which is whole', async () => {
    await playMany(create(), 60)
    await recorder?.close()
    const names = await readdir(folder)
    expect(names.length).toBeGreaterThanOrEqual(4)
    expect(names.every((name) => /^\d+\.ndjson$/.test(name))).toBe(true)
    const all: CaptureEvent[] = []
    for (let number = 1; number <= names.length; number++) {
      const { header, events } = await read(pathOf(number))
      const before = all.at(-1)
      expect(header.startedAt).toBe((await read(pathOf(1))).header.startedAt)
      expect(header.continues).toEqual(before && { file: basename(pathOf(number - 1)), seq: before.seq })
      all.push(...events)
      const last = events.at(-1)
      if (number < names.length) expect(last).toMatchObject({ kind: 'capture.continued', file: `${number + 1}.ndjson` })
      expect(await verifyCapture(pathOf(number))).toMatchObject({ intact: true })
      const opened = await openCapture(pathOf(number))
      expect(opened.notes.continues).toBe(number === 1 ? null : `${number - 1}.ndjson`)
      expect(opened.notes.continuedIn).toBe(number === names.length ? null : `${number + 1}.ndjson`)
      await opened.close()
    }
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1))
    expect(all.filter(({ kind }) => kind === 'call.ended')).toHaveLength(60)
  })

  it('still gives the events of calls in the files before, and searches all', async () => {
    const run = create()
    const first = play(run, plainCall({ params: { name: 'the first of all' } }))
    await playMany(run, 60)
    const newest = play(run, plainCall({ params: { name: 'the last of all' } }))
    await run.flush()
    expect(run.status().file).not.toBe(pathOf(1))
    for (let call = first; call <= newest; call++) expect(await run.events(call)).toHaveLength(8)
    const { signal } = new AbortController()
    expect(await run.search('of all', signal)).toEqual([first, newest])
    expect(await run.search('forecast', signal)).toHaveLength(60)
  })

  it('is exported as one capture, without what was repeated', async () => {
    const run = create()
    const script = plainCall({ params: { name: 'patient' } })
    const open = play(run, script.slice(0, 3))
    await playMany(run, 60)
    play(run, script.slice(3), open)
    await run.flush()
    const to = join(folder, 'whole.ndjson')
    const [file, before] = [run.status().file ?? '', run.earlierFiles()]
    expect(before.length).toBeGreaterThan(1)
    const report = await rewriteCapture(file, { to, before, replace: false, rulesOf: null, select: null })
    expect(report).toMatchObject({ calls: 61, notes: { badLines: 0, continues: null, continuedIn: null } })
    const { header, events } = await read(to)
    expect(header.continues).toBeUndefined()
    expect(events.filter(({ kind }) => kind === 'call.received')).toHaveLength(61)
    expect(await verifyCapture(to)).toMatchObject({ intact: true })
    // A file that is gone takes those before it along, and the capture says so.
    await rm(before[1] ?? '')
    const rest = await rewriteCapture(file, { to, before, replace: true, rulesOf: null, select: null })
    expect(rest.notes.continues).toBe(basename(before[1] ?? ''))
    expect(rest.calls).toBeLessThan(61)
  })

  it('knows which of its files a call stands in', async () => {
    const run = create()
    const first = play(run, plainCall())
    await playMany(run, 60)
    const newest = play(run, plainCall())
    await run.flush()
    expect([first, newest, 999].map((call) => run.earlierFileOf(call))).toEqual([pathOf(1), null, null])
  })

  it('waits for open calls for a while, and repeats how those began that stay open', async () => {
    const run = create()
    const script = plainCall({ params: { name: 'patient' } })
    const open = play(run, script.slice(0, 3))
    await playMany(run, 40)
    play(run, script.slice(3), open)
    await run.flush()
    await run.close()
    expect((await read(pathOf(1))).events.length * 250).toBeGreaterThan(30_000)
    const opened = await openCapture(pathOf(2))
    expect(opened.index.get(open)).toMatchObject({ target: 'patient', backend: 'weather' })
    await opened.close()
    expect(await verifyCapture(pathOf(2))).toMatchObject({ intact: true })
  })

  it('goes on in another file after so many hours, however small the first is', async () => {
    let now = 0
    const run = create({ now: () => now }, 1e9)
    play(run, plainCall())
    await run.flush()
    now = 25 * 3_600_000
    play(run, plainCall())
    play(run, plainCall())
    await run.flush()
    await run.close()
    expect(await readdir(folder)).toEqual(['1.ndjson', '2.ndjson'])
  })

  it('stays with its file while the disk fails, and loses nothing', async () => {
    const disk = new MemoryDisk()
    const run = create({ open: disk.open }, 4_000)
    play(run, plainCall())
    await run.flush()
    disk.failing = 'EIO'
    for (let count = 0; count < 10; count++) play(run, plainCall())
    await run.flush()
    disk.failing = null
    await run.flush()
    expect(run.status()).toMatchObject({ problem: null, lostEvents: 0, file: pathOf(1) })
    const kinds = disk.lines.map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'call.ended')).toHaveLength(11)
  })

  it('leaves files that are whole but for a torn last line when the process dies', async () => {
    const run = create()
    await playMany(run, 30)
    const texts = await Promise.all([1, 2].map((number) => readFile(pathOf(number), 'utf8')))
    expect(texts.every((text) => text.endsWith('\n'))).toBe(true)
    expect(texts[0]?.trimEnd().split('\n').at(-1)).toContain('"capture.continued"')
  })
})
