import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { captureText, manyCalls } from '../../../../test/capture/capture-text'
import type { Annotation } from '../../../shared/capture/annotation'
import type { CaptureEvent } from '../../../shared/capture/events'
import { exportRules } from '../../../shared/capture/export-profile'
import { readCapture } from '../capture-file'
import { rewriteCapture } from '../export/rewrite-capture'
import { readAnnotations, saveAnnotations } from './annotations-file'
import { openCapture, type OpenedCapture } from './open-capture'

let folder: string
let file: string
let dataFolder: string
const opened: OpenedCapture[] = []
const RED = { mark: 'red', pinned: false, comment: null } as const
const SAID = { mark: null, pinned: true, comment: 'slow\u202e since friday' } as const

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-marks-'))
  file = join(folder, 'c.ndjson')
  dataFolder = join(folder, 'data')
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((capture) => capture.close()))
  await rm(folder, { recursive: true, force: true })
})

async function open(): Promise<OpenedCapture> {
  const capture = await openCapture(file, { dataFolder })
  opened.push(capture)
  return capture
}
async function eventsOf(path: string): Promise<CaptureEvent[]> {
  const events: CaptureEvent[] = []
  for await (const event of (await readCapture(path)).events()) events.push(event)
  return events
}

describe('marks of an opened capture', () => {
  it('are there again the next time, and the capture itself keeps its bytes', async () => {
    const text = captureText(manyCalls(3))
    await writeFile(file, text)
    const capture = await open()
    await Promise.all([capture.annotate(2, RED), capture.annotate(3, SAID)])
    expect(capture.index.get(2)?.annotation).toEqual(RED)
    const again = await open()
    expect([1, 2, 3].map((call) => again.index.get(call)?.annotation)).toEqual([null, RED, SAID])
    expect((await again.events(3)).at(-1)).toMatchObject({ kind: 'call.annotated', call: 3, comment: SAID.comment })
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  it('take off what the capture itself says', async () => {
    const [first, ...rest] = manyCalls(1)
    const mark: CaptureEvent = { kind: 'call.annotated', seq: 1_000, at: 9_000_000, call: 1, mark: 'green' }
    await writeFile(file, captureText([first!, ...rest, mark]))
    const capture = await open()
    expect(capture.index.get(1)?.annotation).toEqual({ mark: 'green', pinned: false, comment: null })
    await capture.annotate(1, null)
    expect((await open()).index.get(1)?.annotation).toBeNull()
  })

  it('make no row of a call that is not in the file', async () => {
    const mark: CaptureEvent = { kind: 'call.annotated', seq: 1_000, at: 9_000_000, call: 77, mark: 'green' }
    await writeFile(file, captureText([...manyCalls(2), mark]))
    const capture = await open()
    expect(capture.index.list(0, 10).calls.map(({ call }) => call)).toEqual([1, 2])
  })

  it('stand in the data folder where nothing can be written beside the capture', async () => {
    await writeFile(file, captureText(manyCalls(1)))
    // A folder in the way of the file.
    await mkdir(join(`${file}.marks`, 'x'), { recursive: true })
    const capture = await open()
    await capture.annotate(1, RED)
    expect(await readdir(join(dataFolder, 'marks'))).toHaveLength(1)
    expect((await readAnnotations(file, dataFolder)).annotations).toEqual(new Map([[1, RED]]))
    // Where even that is not possible, nothing is shown as kept.
    await rm(join(dataFolder, 'marks'), { recursive: true })
    await writeFile(join(dataFolder, 'marks'), '')
    await expect(capture.annotate(1, SAID)).rejects.toThrow(/ENOTDIR|EEXIST/)
    expect(capture.index.get(1)?.annotation).toEqual(RED)
  })

  it.each([
    ['nonsense', '{"calls":'],
    ['another format', '{"format":"x","version":1,"calls":{}}'],
    ['a newer version', '{"format":"sluice-marks","version":2,"calls":{}}'],
    ['more than is read', ' '.repeat(16_777_217)],
  ])('say so when they are %s, and the capture opens', async (_what, text) => {
    await writeFile(file, captureText(manyCalls(1)))
    await writeFile(`${file}.marks`, text)
    const capture = await open()
    expect(capture.annotationsProblem).toContain(`${file}.marks`)
    expect(capture.index.get(1)?.annotation).toBeNull()
  })

  it('believe of a hostile file what fits, of calls that are there', async () => {
    await writeFile(file, captureText(manyCalls(1)))
    const calls = { 1: { mark: 'url(x)', comment: '<img>' }, 99: RED, __proto__: RED, '-1': RED, x: RED, 2: 'red' }
    await writeFile(`${file}.marks`, JSON.stringify({ format: 'sluice-marks', version: 1, calls }))
    const capture = await open()
    expect(capture.index.size).toBe(1)
    expect(capture.index.get(1)?.annotation).toEqual({ mark: null, pinned: false, comment: '<img>' })
  })

  it('come with a capture that is written anew, redacted as the rest, of chosen calls only', async () => {
    await writeFile(file, captureText(manyCalls(3)))
    await saveAnnotations(
      file,
      undefined,
      new Map<number, Annotation | null>([
        [1, RED],
        [2, { ...SAID, comment: 'sent with token=abcdefgh' }],
        [9, RED],
      ]),
    )
    const to = join(folder, 'out.ndjson')
    const select = (event: CaptureEvent) => !('call' in event) || event.call !== 1
    const rulesOf = () => exportRules({ redaction: { headers: [], keys: [] } })
    const report = await rewriteCapture(file, { to, replace: false, rulesOf, select })
    const events = await eventsOf(to)
    expect(events.at(-1)).toMatchObject({
      kind: 'call.annotated',
      call: 2,
      pinned: true,
      comment: 'sent with token=«redacted 8»',
    })
    expect(events.filter(({ kind }) => kind === 'call.annotated')).toHaveLength(1)
    expect(events.map(({ seq }) => seq)).toEqual([...new Set(events.map(({ seq }) => seq))].sort((a, b) => a - b))
    expect(report).toMatchObject({ calls: 2, events: events.length })
  })
})
