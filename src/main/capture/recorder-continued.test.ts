import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { plainCall } from '../../../test/capture/call-script'
import { play } from '../../../test/capture/play-script'
import { readAll, recordingFolder } from '../../../test/capture/recording-folder'
import { readCapture } from './capture-file'

const folder = recordingFolder()

describe('a capture that is there already', () => {
  it('is continued: numbers and clock go on', async () => {
    let wallClock = Date.parse('2026-08-28T12:00:00.000Z')
    const first = folder.create({ wallClock: () => wallClock })
    play(first, plainCall())
    first.nextExchange()
    play(first, plainCall())
    await first.close()
    wallClock += 60_000
    const second = folder.create({ wallClock: () => wallClock })
    expect(second.header).toEqual(first.header)
    const call = play(second, plainCall())
    expect(call).toBe(3)
    expect(second.nextExchange()).toBe(2)
    await second.flush()
    const events = await readAll(folder.file)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1))
    expect(events[16]?.at).toBeGreaterThanOrEqual(60_000_000)
    expect(await second.events(call)).toHaveLength(8)
    expect(await second.search('forecast', new AbortController().signal)).toEqual([call])
  })

  it('is continued behind a torn line', async () => {
    const first = folder.create()
    play(first, plainCall())
    await first.close()
    const whole = await readFile(folder.file)
    await writeFile(folder.file, whole.subarray(0, whole.length - 20))
    const second = folder.create()
    play(second, plainCall())
    await second.flush()
    const reader = await readCapture(folder.file)
    const seqs: number[] = []
    for await (const event of reader.events()) seqs.push(event.seq)
    expect(reader.notes).toMatchObject({ badLines: 1, torn: false })
    expect(seqs).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
  })

  it('may be an empty file', async () => {
    const empty = join(folder.path, 'empty.ndjson')
    await writeFile(empty, '')
    const recorder = folder.create({ file: empty })
    play(recorder, plainCall())
    await recorder.flush()
    expect(await readAll(empty)).toHaveLength(8)
  })
})

describe('a process that is killed', () => {
  it('leaves a file in which all but a torn last line is readable', async () => {
    const script = fileURLToPath(new URL('../../../test/capture/record-forever.ts', import.meta.url))
    const child = spawn(process.execPath, ['--import', 'tsx', script, folder.file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const reader = await readCapture(folder.file)
    const seqs: number[] = []
    for await (const event of reader.events()) seqs.push(event.seq)
    expect(reader.notes).toMatchObject({ badLines: 0, longLines: 0 })
    expect(seqs.length).toBeGreaterThan(1_000)
    expect(seqs).toEqual(seqs.map((_seq, index) => index + 1))
  })
})
