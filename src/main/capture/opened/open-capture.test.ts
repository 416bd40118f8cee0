import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { captureText, manyCalls } from '../../../../test/capture/capture-text'
import { CallScript, plainCall, progressCall, result } from '../../../../test/capture/call-script'
import type { CallEvent, CaptureEvent } from '../../../shared/capture/events'
import { createRecorder } from '../recorder'
import { openCapture, type OpenCaptureOptions, type OpenedCapture } from './open-capture'

let folder: string
let file: string
const opened: OpenedCapture[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-open-'))
  file = join(folder, 'c.ndjson')
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((capture) => capture.close()))
  await rm(folder, { recursive: true, force: true })
})

async function open(options: OpenCaptureOptions = {}): Promise<OpenedCapture> {
  const capture = await openCapture(file, options)
  opened.push(capture)
  return capture
}

async function openText(events: readonly (CaptureEvent | string)[]): Promise<OpenedCapture> {
  await writeFile(file, captureText(events))
  return open()
}

describe('openCapture', () => {
  it('has the same rows, events and texts as the run that recorded them', async () => {
    const recorder = createRecorder({
      file,
      header: { gateway: { name: 'sluice', version: '0.1.0' }, backends: [] },
      redaction: { headers: [], keys: [] },
    })
    for (const script of [plainCall(), progressCall(), plainCall({ params: { name: 'müßig 🌦' } })]) {
      const call = recorder.nextCall()
      for (const { seq: _seq, at: _at, ...event } of script) recorder.record({ ...event, call })
    }
    await recorder.flush()
    const capture = await open()
    expect(capture.notes.growing).toBe(true)
    expect(capture.header).toEqual(recorder.header)
    expect(capture.index.list(0, 10)).toEqual(recorder.index.list(0, 10))
    for (const call of [1, 2, 3]) expect(await capture.events(call)).toEqual(await recorder.events(call))
    const { signal } = new AbortController()
    expect(await capture.search('MÜßIG', signal)).toEqual(await recorder.search('MÜßIG', signal))
    await recorder.close()
  })

  it('resolves references in texts', async () => {
    const text = JSON.stringify(result({ long: 'x'.repeat(100) }))
    const script = new CallScript().received().routed().upstream(text, 'body')
    const edits = [{ what: 'id' as const, at: '/id', was: '1', now: '"one"', offset: text.indexOf('"id":1') + 5 }]
    script.push({ kind: 'response.frame', form: 'body', message: 'result', rawFrom: { seq: 3, edits }, from: 3, edits })
    const capture = await openText(script.ended().events)
    expect(await capture.text(1, 4)).toEqual({ text: text.replace('"id":1', '"id":"one"') })
    expect(await capture.text(1, 9)).toEqual({ problem: 'event 9 of call 1 is no longer there' })
  })

  it('counts findings, notes and open calls', async () => {
    const wrong = new CallScript({ call: 2 }, 8).received().routed().sent().head().event({ no: 'message' }).ended()
    const capture = await openText([...plainCall(), ...wrong.events, ...plainCall({ call: 7 }, 20).slice(0, 2), 'bad'])
    expect(capture.index.get(1)?.findings).toBe(0)
    expect(capture.index.get(2)?.findings).toBeGreaterThan(0)
    expect(capture.notes).toMatchObject({ badLines: 0, torn: true, growing: false, openCalls: 1 })
    expect(capture.index.list(2, 5).calls.map(({ call }) => call)).toEqual([7])
  })

  it('survives numbers that are far apart', async () => {
    const far = Number.MAX_SAFE_INTEGER
    const events: CallEvent[] = [
      ...plainCall(),
      ...plainCall({ call: far }, 1_000_000_000_000),
      { seq: far, at: far, call: far - 1, kind: 'response.ping' },
    ]
    const capture = await openText(events)
    expect(capture.index.list(0, 10).calls.map(({ call }) => call)).toEqual([1, far - 1, far])
    expect(capture.index.list(1, 1)).toMatchObject({ more: true, calls: [{ call: far - 1 }] })
    expect(await capture.events(far)).toHaveLength(8)
  })

  it('gives of texts of megabytes the beginning, and the whole when it is asked for', async () => {
    const [received, ...rest] = plainCall()
    const body = 'y'.repeat(2_000_000)
    const capture = await openText([{ ...received, body } as CallEvent, ...rest])
    const [first] = await capture.events(1)
    expect(first).toMatchObject({ cut: 2_000_000 })
    expect(await capture.text(1, 1)).toEqual({ text: body })
  })

  it('says so when the file changes under it', async () => {
    const capture = await openText(plainCall())
    await truncate(file, 400)
    expect(await capture.events(1)).toEqual([])
    expect(capture.problem()).toMatch(/shorter than when it was opened/)
  })
})

describe('opening a large capture', () => {
  const CALLS = 6_000

  it('makes an index in a worker that tells how far it is and can be stopped', async () => {
    await writeFile(file, captureText(manyCalls(CALLS)))
    const dataFolder = join(folder, 'data')
    const stop = new AbortController()
    const stopped = open({ dataFolder, signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) })
    await expect(stopped).rejects.toThrow('enough')
    expect(await readdir(folder)).toEqual(['c.ndjson', 'data'])
    const told: [number, number][] = []
    const capture = await open({ dataFolder, onProgress: (done, total) => told.push([done, total]) })
    expect(told.length).toBeGreaterThan(0)
    expect(capture.indexProblem).toBeNull()
    expect(capture.index.list(CALLS - 2, 5).calls.map(({ call }) => call)).toEqual([CALLS - 1, CALLS])
    expect(await capture.events(CALLS)).toEqual(plainCall({ call: CALLS }, (CALLS - 1) * 8))
    expect(await readdir(folder)).toEqual(['c.ndjson', 'c.ndjson.idx', 'data'])
  }, 60_000)
})
