import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plainCall, progressCall } from '../../../test/capture/call-script'
import { MemoryDisk } from '../../../test/capture/memory-file'
import { play } from '../../../test/capture/play-script'
import { readAll, recordingFolder } from '../../../test/capture/recording-folder'

const folder = recordingFolder()

describe('recording without a working file', () => {
  it('goes on in memory while the disk fails, and writes all of it when it works again', async () => {
    const disk = new MemoryDisk()
    disk.failing = 'ENOSPC'
    const recorder = folder.create({ open: disk.open })
    const problems: (string | null)[] = []
    recorder.onStatus(() => problems.push(recorder.status().problem))
    const call = play(recorder, progressCall())
    await recorder.flush()
    expect(recorder.status().problem).toMatch(/full/)
    expect(await recorder.events(call)).toHaveLength(progressCall().length)
    expect(recorder.index.get(call)?.outcome).toBe('result')
    disk.failing = null
    await recorder.flush()
    expect(recorder.status()).toMatchObject({ problem: null, lostEvents: 0 })
    expect(disk.lines).toHaveLength(progressCall().length + 1)
    expect(problems.at(-1)).toBeNull()
  })

  it('counts what the backlog could not hold, and writes the count into the file', async () => {
    const disk = new MemoryDisk()
    disk.failing = 'EIO'
    const recorder = folder.create({ open: disk.open, maxBacklogBytes: 2_000 })
    for (let count = 0; count < 10; count++) play(recorder, plainCall())
    await recorder.flush()
    const lost = recorder.status().lostEvents
    expect(lost).toBeGreaterThan(50)
    disk.failing = null
    await recorder.flush()
    await recorder.flush()
    expect(disk.lines.at(-1)).toMatchObject({
      kind: 'capture.lost',
      events: lost,
      reason: expect.stringContaining('EIO') as string,
    })
  })

  it('serves the desk from memory when there is no file at all', async () => {
    const recorder = folder.create({ file: null })
    const call = play(recorder, plainCall())
    await recorder.flush()
    expect(recorder.status()).toMatchObject({ on: false, file: null, calls: 1, problem: null })
    expect(await recorder.events(call)).toHaveLength(8)
    expect(await recorder.search('forecast', new AbortController().signal)).toEqual([call])
  })

  it('stays within its window', async () => {
    const recorder = folder.create({ file: null, windowBytes: 100_000 })
    const calls: number[] = []
    for (let count = 0; count < 200; count++) calls.push(play(recorder, plainCall()))
    const open = play(recorder, plainCall().slice(0, 4))
    for (let count = 0; count < 2_000; count++) recorder.record({ kind: 'response.ping', call: open })
    await recorder.flush()
    expect(await recorder.events(calls[0] ?? 0)).toEqual([])
    expect((await recorder.events(open)).length).toBeGreaterThan(50)
    expect((await recorder.events(open)).length).toBeLessThan(300)
    expect(recorder.index.get(open)?.pings).toBe(2_000)
  })

  it('writes nothing while it is switched off, and says in the file what is not there', async () => {
    const recorder = folder.create()
    play(recorder, plainCall())
    recorder.setRecording(false)
    const unseen = play(recorder, plainCall())
    await recorder.flush()
    const size = (await stat(folder.file)).size
    expect(recorder.status()).toMatchObject({ on: false, lostEvents: 0 })
    expect(await recorder.events(unseen)).toHaveLength(8)
    recorder.setRecording(true)
    await recorder.flush()
    expect((await stat(folder.file)).size).toBeGreaterThan(size)
    expect((await readAll(folder.file)).at(-1)).toMatchObject({
      kind: 'capture.lost',
      events: 8,
      reason: 'recording was switched off',
    })
  })

  it('refuses a file that is no capture, and leaves it alone', async () => {
    const letter = join(folder.path, 'letter.txt')
    await writeFile(letter, 'Dear reader,\n')
    const recorder = folder.create({ file: letter })
    play(recorder, plainCall())
    await recorder.flush()
    expect(recorder.status().problem).toContain('not touched')
    expect(await readFile(letter, 'utf8')).toBe('Dear reader,\n')
    expect(await recorder.events(1)).toHaveLength(8)
  })

  it('says when the folder cannot be made, and records once it can', async () => {
    await writeFile(join(folder.path, 'deep'), 'in the way')
    const recorder = folder.create()
    play(recorder, plainCall())
    await recorder.flush()
    expect(recorder.status().problem).toContain('cannot be made')
    await rm(join(folder.path, 'deep'))
    await recorder.flush()
    expect(recorder.status().problem).toBeNull()
    expect(await readAll(folder.file)).toHaveLength(8)
  })

  it('survives a listener that throws', async () => {
    const recorder = folder.create()
    recorder.onChange(() => {
      throw new Error('the desk is broken')
    })
    const call = play(recorder, plainCall())
    await recorder.flush()
    expect(await readAll(folder.file)).toHaveLength(8)
    expect(recorder.index.get(call)?.outcome).toBe('result')
    expect(recorder.status().problem).toContain('the desk is broken')
  })

  it('drops what is recorded after it was closed', async () => {
    const recorder = folder.create()
    play(recorder, plainCall())
    await recorder.close()
    recorder.record({ kind: 'backend.started', backend: 'b' })
    await recorder.flush()
    expect(await readAll(folder.file)).toHaveLength(8)
  })
})
