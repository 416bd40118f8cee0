import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plainCall } from '../../../test/capture/call-script'
import type { CaptureEvent } from '../../shared/capture/events'
import { CaptureFileError, openCapture, type CaptureProblems } from './capture-file'

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
): Promise<{ events: CaptureEvent[]; problems: CaptureProblems }> {
  const file = join(folder, 'c.ndjson')
  await writeFile(file, content)
  const reader = await openCapture(file, maxLineBytes)
  const events: CaptureEvent[] = []
  for await (const event of reader.events()) events.push(event)
  return { events, problems: reader.problems }
}

const NONE: CaptureProblems = { badLines: 0, longLines: 0, torn: false, examples: [] }

describe('openCapture', () => {
  it('reads header and events', async () => {
    const { events, problems } = await read([HEADER, ...EVENTS, ''].join('\n'))
    expect(events).toEqual(plainCall())
    expect(problems).toEqual(NONE)
  })

  it.each([1, 7, 20, 81])('tolerates a last line that lacks %d bytes', async (missing) => {
    const whole = Buffer.from([HEADER, ...EVENTS, ''].join('\n'))
    const { events, problems } = await read(whole.subarray(0, whole.length - 1 - missing))
    expect(events).toHaveLength(7)
    expect(problems).toEqual({ ...NONE, torn: true })
  })

  it('takes a last line that lacks only its line feed', async () => {
    const { events, problems } = await read([HEADER, ...EVENTS].join('\n'))
    expect(events).toHaveLength(8)
    expect(problems).toEqual(NONE)
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
    const { events, problems } = await read([HEADER, ...hostile, ...EVENTS, ''].join('\n'))
    expect(events.slice(-8)).toEqual(plainCall())
    expect(problems.badLines).toBeGreaterThanOrEqual(7)
    expect(problems.examples).toHaveLength(5)
    expect(problems.examples[0]).toBe('line 2: no JSON')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('does not take lines over the bound into memory', async () => {
    const long = JSON.stringify({ ...plainCall()[0], body: 'x'.repeat(3_000_000) })
    const { events, problems } = await read([HEADER, long, ...EVENTS.slice(1), ''].join('\n'), 100_000)
    expect(events).toHaveLength(7)
    expect(problems).toEqual({ ...NONE, longLines: 1 })
  })

  it.each<[string, string, RegExp]>([
    ['an empty file', '', /empty/],
    ['text', 'Dear reader,\n', /no JSON/],
    ['other JSON', '{"log":{"version":"1.2"}}\n', /no capture/],
    ['a newer format', HEADER.replace('"version":1', '"version":2') + '\n', /newer Sluice/],
    ['a torn header', HEADER.slice(0, 50), /no JSON/],
    ['a header without clock', HEADER.replace('2026-08-28T12:00:00.000Z', 'once') + '\n', /startedAt/],
    ['a first line without end', 'x'.repeat(2_000_000), /too long/],
  ])('refuses %s', async (_name, content, message) => {
    const reading = read(content)
    await expect(reading).rejects.toBeInstanceOf(CaptureFileError)
    await expect(reading).rejects.toThrow(message)
  })

  it('refuses what is no file', async () => {
    await expect(openCapture(join(folder, 'nothing'))).rejects.toThrow(/cannot be opened/)
    await expect(openCapture(folder)).rejects.toThrow(/no regular file|cannot be opened/)
  })
})
