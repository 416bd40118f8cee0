import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MemoryDisk } from '../../../test/capture/memory-file'
import type { CallEvent } from '../../shared/capture/events'
import { CaptureWriter, type CaptureWriterOptions } from './capture-writer'

const HEADER = '{"header":true}'

let disk: MemoryDisk
let places: Map<number, [offset: number, length: number]>
let recovered: { events: number; bytes: number; reason: string }[]
let states: (string | null)[]
let replaced: number

function createWriter(more: Partial<CaptureWriterOptions> = {}): CaptureWriter {
  const writer = new CaptureWriter({
    path: '/captures/c.ndjson',
    header: HEADER,
    continuedBytes: 0,
    open: disk.open,
    maxBacklogBytes: 1_000,
    gatherMs: 10,
    retryMs: 100,
    onWritten: (seq, offset, length) => places.set(seq, [offset, length]),
    onReplaced: () => replaced++,
    onState: () => states.push(writer.problem),
    onRecovered: (lost) => recovered.push(lost),
    ...more,
  })
  return writer
}

const push = (writer: CaptureWriter, seq: number, text: string): void => writer.push(seq, text, text.length)
const line = (seq: number, text = 'é'): string => JSON.stringify({ seq, text })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  disk = new MemoryDisk()
  places = new Map()
  recovered = []
  states = []
  replaced = 0
})
afterEach(() => {
  vi.useRealTimers()
})

describe('CaptureWriter', () => {
  it('writes a header, then lines in order, and tells where each stands', async () => {
    const writer = createWriter()
    push(writer, 1, line(1))
    push(writer, 2, line(2, 'ascii'))
    await writer.flush()
    expect(disk.text).toBe(`${HEADER}\n${line(1)}\n${line(2, 'ascii')}\n`)
    expect(writer.bytes).toBe(disk.content.length)
    for (const [seq, [offset, length]] of places) {
      expect(JSON.parse((await writer.read(offset, length)).toString())).toMatchObject({ seq })
    }
    expect(places.size).toBe(2)
  })

  it('gathers lines for a while and writes them in one go', async () => {
    const writer = createWriter()
    await writer.flush()
    const before = disk.writes
    for (let seq = 1; seq <= 20; seq++) push(writer, seq, line(seq))
    expect(disk.writes).toBe(before)
    await vi.advanceTimersByTimeAsync(10)
    expect(disk.writes).toBe(before + 1)
    expect(places.size).toBe(20)
  })

  it('goes on where a failing disk stopped, within a line, without losing or repeating one', async () => {
    const writer = createWriter()
    push(writer, 1, line(1))
    await writer.flush()
    disk.room = 5
    push(writer, 2, line(2))
    push(writer, 3, line(3))
    await writer.flush()
    expect(writer.problem).toMatch(/disk .* full/)
    expect(states).toHaveLength(1)
    disk.room = Infinity
    await vi.advanceTimersByTimeAsync(100)
    expect(writer.problem).toBeNull()
    expect(states).toEqual([expect.any(String), null])
    expect(disk.lines.slice(1).map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(disk.text.split('\n').filter((text) => text !== '')).toHaveLength(5)
    for (const [seq, [offset, length]] of places) {
      expect(JSON.parse((await writer.read(offset, length)).toString())).toMatchObject({ seq })
    }
    expect(recovered).toEqual([])
  })

  it('writes an event with a large text in pieces, as if it were one line', async () => {
    const writer = createWriter({ maxBacklogBytes: 10_000_000 })
    const raw = '😀"\\\n'.repeat(400_001) + 'x'
    const event: CallEvent = { seq: 2, at: 0, call: 1, kind: 'upstream.frame', exchange: 1, form: 'body', raw }
    push(writer, 1, line(1))
    writer.push(2, event, raw.length)
    push(writer, 3, line(3))
    expect(JSON.parse(writer.waitingLine(2) ?? '')).toEqual(event)
    await writer.flush()
    expect(disk.lines.slice(2)).toEqual([event, JSON.parse(line(3))])
    const [offset, length] = places.get(2) ?? [0, 0]
    expect(JSON.parse((await writer.read(offset, length)).toString())).toEqual(event)
    disk.room = 1_000_000
    writer.push(4, { ...event, seq: 4 }, raw.length)
    await writer.flush()
    expect(writer.problem).toContain('full')
    disk.room = Infinity
    await writer.flush()
    expect(disk.lines.map(({ seq }) => seq)).toEqual([undefined, 1, 2, 3, 4])
  })

  it('completes a header that was written in part', async () => {
    disk.room = 4
    const writer = createWriter()
    push(writer, 1, line(1))
    await writer.flush()
    expect(writer.problem).not.toBeNull()
    disk.room = Infinity
    await writer.flush()
    expect(disk.text).toBe(`${HEADER}\n${line(1)}\n`)
  })

  it('keeps a bounded backlog, counts what does not fit, and says so when the disk works again', async () => {
    disk.failing = 'EIO'
    const writer = createWriter({ maxBacklogBytes: 100 })
    for (let seq = 1; seq <= 10; seq++) push(writer, seq, 'x'.repeat(30))
    await writer.flush()
    expect(writer.lostEvents).toBe(7)
    disk.failing = null
    await writer.flush()
    expect([...places.keys()]).toEqual([1, 2, 3])
    expect(recovered).toEqual([{ events: 7, bytes: 210, reason: expect.stringContaining('EIO') as string }])
  })

  it.each(['ENOSPC', 'EACCES', 'EIO', 'ENOENT', 'EISDIR', 'EROFS'])(
    'tries again after %s, less and less often',
    async (code) => {
      disk.failing = code
      const writer = createWriter()
      push(writer, 1, line(1))
      await vi.advanceTimersByTimeAsync(10)
      expect(writer.problem).toContain('/captures/c.ndjson')
      const attempts = vi.fn(() => Promise.reject(Object.assign(new Error(code), { code })))
      const again = createWriter({ open: attempts })
      push(again, 1, line(1))
      await vi.advanceTimersByTimeAsync(20_000)
      expect(attempts.mock.calls.length).toBeGreaterThan(8)
      expect(attempts.mock.calls.length).toBeLessThan(25)
      disk.failing = null
      await vi.advanceTimersByTimeAsync(2_000)
      expect(writer.problem).toBeNull()
      expect(places.has(1)).toBe(true)
      disk.failing = null
      await again.close()
      await writer.close()
    },
  )

  it('begins a new file when its file was deleted', async () => {
    const writer = createWriter()
    push(writer, 1, line(1))
    await writer.flush()
    disk.linked = false
    vi.setSystemTime(Date.now() + 5_000)
    push(writer, 2, line(2))
    await writer.flush()
    expect(replaced).toBe(1)
    expect(disk.text).toBe(`${HEADER}\n${line(2)}\n`)
  })

  it('continues a file behind a torn line', async () => {
    disk.content = Buffer.from(`${HEADER}\n{"seq":1}\n{"seq":2,"to`)
    const writer = createWriter({ continuedBytes: disk.content.length })
    push(writer, 3, line(3))
    await writer.flush()
    expect(disk.text).toBe(`${HEADER}\n{"seq":1}\n{"seq":2,"to\n${line(3)}\n`)
  })

  it('does not write into another file that has taken its place', async () => {
    const writer = createWriter()
    push(writer, 1, line(1))
    await writer.flush()
    disk.failing = 'EIO'
    push(writer, 2, line(2))
    await writer.flush()
    disk.failing = null
    disk.content = Buffer.from('a letter, and longer than a header')
    await writer.flush()
    expect(disk.text).toBe('a letter, and longer than a header')
    expect(writer.problem).toContain('another file')
  })

  it('writes what is left when it is closed, and counts what comes later', async () => {
    const writer = createWriter()
    push(writer, 1, line(1))
    await writer.close()
    expect(places.has(1)).toBe(true)
    push(writer, 2, line(2))
    expect(writer.lostEvents).toBe(1)
  })

  it('closes although the disk fails', async () => {
    disk.failing = 'EIO'
    const writer = createWriter()
    push(writer, 1, line(1))
    await writer.close()
    expect(writer.problem).toContain('EIO')
  })
})
