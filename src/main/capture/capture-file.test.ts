import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plainCall } from '../../../test/capture/call-script'
import type { CaptureEvent } from '../../shared/capture/events'
import { noNotes, type CaptureNotes } from '../../shared/capture/notes'
import { CaptureFileError, readCapture } from './capture-file'

const HEADER = JSON.stringify({
  format: 'sluice-capture',
  version: 1,
  startedAt: '2026-08-28T12:00:00.000Z',
  gateway: { name: 'sluice', version: '0.1.0' },
  backends: [],
  redaction: { headers: [], keys: [] },
  lost: { events: 0, bytes: 0 },
})
const EVENTS = plainCall().map((event) => JSON.stringify(event))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-file-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function read(
  content: string | Buffer,
  maxLineBytes?: number,
): Promise<{ events: CaptureEvent[]; notes: CaptureNotes }> {
  const file = join(folder, 'c.ndjson')
  await writeFile(file, content)
  const reader = await readCapture(file, maxLineBytes === undefined ? {} : { maxLineBytes })
  const events: CaptureEvent[] = []
  for await (const event of reader.events()) events.push(event)
  return { events, notes: reader.notes }
}

const NONE = noNotes()

describe('readCapture', () => {
  it('reads header and events', async () => {
    const { events, notes } = await read([HEADER, ...EVENTS, ''].join('\n'))
    expect(events).toEqual(plainCall())
    expect(notes).toEqual(NONE)
  })

  it.each([1, 7, 20, 81])('tolerates a last line that lacks %d bytes', async (missing) => {
    const whole = Buffer.from([HEADER, ...EVENTS, ''].join('\n'))
    const { events, notes } = await read(whole.subarray(0, whole.length - 1 - missing))
    expect(events).toHaveLength(7)
    expect(notes).toEqual({ ...NONE, torn: true })
  })

  it('takes a last line that lacks only its line feed', async () => {
    const { events, notes } = await read([HEADER, ...EVENTS].join('\n'))
    expect(events).toHaveLength(8)
    expect(notes).toEqual(NONE)
  })

  it('counts hostile lines and goes on behind them', async () => {
    const hostile = [
      'no json',
      '[]',
      'null',
      '{"seq":1}',
      '{"seq":1,"at":0,"kind":"call.exploded"}',
      '{"seq":-1,"at":0,"call":1,"kind":"response.ping"}',
      '{"__proto__":{"polluted":true},"seq":1,"at":0,"call":1,"kind":"response.ping","headers":7}',
      '['.repeat(100_000),
      `{"seq":1,"at":0,"call":1,"kind":"state.refused","outer":"x","reason":"expired","differs":{"field":"f","sealed":${'['.repeat(50_000)}${']'.repeat(50_000)},"now":1}}`,
      Buffer.from([0xff, 0xfe, 0x00]).toString('latin1'),
      '',
    ]
    const later = plainCall({}, 100)
    const lines = later.map((event) => JSON.stringify(event))
    const { events, notes } = await read([HEADER, ...hostile, ...lines, ''].join('\n'))
    expect(events.slice(-8)).toEqual(later)
    expect(notes.badLines).toBeGreaterThanOrEqual(7)
    expect(notes.examples).toHaveLength(5)
    expect(notes.examples[0]).toBe('line 2: no JSON')
    expect(notes.unknownEvents).toBe(1)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('does not take lines over the bound into memory', async () => {
    const long = JSON.stringify({ ...plainCall()[0], body: 'x'.repeat(3_000_000) })
    const { events, notes } = await read([HEADER, long, ...EVENTS.slice(1), ''].join('\n'), 100_000)
    expect(events).toHaveLength(7)
    expect(notes).toEqual({ ...NONE, longLines: 1, examples: ['line 2: is too long'] })
  })

  it.each<[string, string | Buffer, RegExp]>([
    ['an empty file', '', /empty/],
    ['text', 'Dear reader,\n', /no JSON/],
    ['other JSON', '{"logs":{"version":"1.2"}}\n', /no capture/],
    ['a HAR', '{\n  "log": {"version":"1.2"}}\n', /HAR file.*sluice capture import/],
    ['a newer format', HEADER.replace('"version":1', '"version":2') + '\n', /newer Sluice/],
    ['version 0', HEADER.replace('"version":1', '"version":0') + '\n', /version 0, and there is none below 1/],
    ['UTF-16', Buffer.from(`\uFEFF${HEADER}\n`, 'utf16le'), /UTF-16.*UTF-8/],
    ['a torn header', HEADER.slice(0, 50), /no JSON/],
    ['a header without clock', HEADER.replace('2026-08-28T12:00:00.000Z', 'once') + '\n', /startedAt/],
    ['a first line without end', 'x'.repeat(2_000_000), /too long/],
  ])('refuses %s', async (_name, content, message) => {
    const reading = read(content)
    await expect(reading).rejects.toBeInstanceOf(CaptureFileError)
    await expect(reading).rejects.toThrow(message)
  })

  it('reads a file with a byte order mark', async () => {
    const { events, notes } = await read(`\uFEFF${[HEADER, ...EVENTS, ''].join('\n')}`)
    expect(events).toHaveLength(8)
    expect(notes.badLines).toBe(0)
  })

  it('says of a compressed file what to do', async () => {
    await expect(read(Buffer.from([0x1f, 0x8b, 0x08, 0x00]))).rejects.toThrow(/gunzip/)
  })

  it('passes over lines that go back in the order of the capture', async () => {
    const { events, notes } = await read([HEADER, ...EVENTS, EVENTS[0], ''].join('\n'))
    expect(events).toHaveLength(8)
    expect(notes.examples).toEqual(['line 10: its seq 1 does not come after 8'])
  })

  it('counts what the writer lost and cut', async () => {
    const lost = { seq: 10, at: 9, kind: 'capture.lost', events: 3, bytes: 70, reason: 'the disk was full' }
    const cut = { ...plainCall()[0], cut: 40_000_000 }
    const header = HEADER.replace('"events":0,"bytes":0', '"events":1,"bytes":5')
    const { notes } = await read([header, JSON.stringify(cut), JSON.stringify(lost), ''].join('\n'))
    expect(notes).toMatchObject({ cutEvents: 1, lost: { events: 4, bytes: 75, reasons: ['the disk was full'] } })
  })

  it('refuses a pipe instead of waiting for it', async () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    await expect(readCapture(pipe)).rejects.toThrow(/no regular file/)
  })

  it('refuses what is no file', async () => {
    await expect(readCapture(join(folder, 'nothing'))).rejects.toThrow(/nothing does not exist; check/)
    await expect(readCapture(join(folder, 'pipe', 'x'))).rejects.toThrow(/does not exist/)
    await expect(readCapture(folder)).rejects.toThrow(/no regular file|cannot be opened/)
  })
})
