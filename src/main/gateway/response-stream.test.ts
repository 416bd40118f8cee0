import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { NewCaptureEvent } from '../../shared/capture/events'
import { ResponseStream } from './response-stream'

/** A response that keeps what is written, and takes as much as the test says. */
class Sink extends EventEmitter {
  written = ''
  head: { status: number; headers: Record<string, string> } | undefined
  ended = false
  full = false
  get writableNeedDrain(): boolean {
    return this.full
  }
  writeHead(status: number, headers: Record<string, string>): void {
    this.head = { status, headers }
  }
  write(text: string): boolean {
    this.written += text
    return !this.full
  }
  end(text = ''): void {
    this.written += text
    this.ended = true
  }
}

function start(mode: 'auto' | 'json' | 'sse' = 'auto') {
  const sink = new Sink()
  const events: NewCaptureEvent[] = []
  const tap = { record: (event: NewCaptureEvent) => events.push(event), nextCall: () => 1, nextExchange: () => 1 }
  const options = { call: 1, mode, deferralWindowMs: 1000, pingIntervalMs: 300, headers: {} }
  const stream = new ResponseStream(sink as unknown as ServerResponse, options, tap)
  stream.openWindow()
  stream.dispatching()
  const kinds = () =>
    events.map((event) =>
      event.kind === 'response.committed' ? `${event.form} ${event.status} ${event.cause}` : event.kind,
    )
  return { sink, stream, kinds, events }
}
const frame = (text: string) => ({ text, edits: [] })
const SSE = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('auto', () => {
  it('a result before anything else is plain JSON with the given status', () => {
    const { sink, stream, kinds } = start()
    vi.advanceTimersByTime(999)
    stream.finish(frame('{"é":1}'), 'error', 404, { allow: 'POST' })
    expect(sink.head).toEqual({
      status: 404,
      headers: { 'content-type': 'application/json', 'content-length': '8', allow: 'POST' },
    })
    expect(sink.written).toBe('{"é":1}')
    vi.advanceTimersByTime(10_000)
    expect(kinds()).toEqual(['json 404 error', 'response.frame'])
  })

  it('the first notification commits to SSE at once and is the first frame; the result is the last', () => {
    const { sink, stream, kinds } = start()
    void stream.notify(frame('{"n":1}'))
    expect(sink.head).toEqual({ status: 200, headers: SSE })
    expect(sink.written).toBe('event: message\ndata: {"n":1}\n\n')
    void stream.notify(frame('{"n":2}'))
    stream.finish(frame('{"r":1}'), 'error', 404)
    expect(sink.written).toBe(
      'event: message\ndata: {"n":1}\n\nevent: message\ndata: {"n":2}\n\nevent: message\ndata: {"r":1}\n\n',
    )
    expect(sink.ended).toBe(true)
    expect(kinds()).toEqual(['sse 200 notification', 'response.frame', 'response.frame', 'response.frame'])
  })

  it('the end of the window commits to SSE and pings; pings follow each silent interval', () => {
    const { sink, stream, kinds } = start()
    vi.advanceTimersByTime(1000)
    expect(sink.head?.status).toBe(200)
    expect(sink.written).toBe(': ping\n\n')
    vi.advanceTimersByTime(600)
    expect(kinds()).toEqual(['sse 200 window', 'response.ping', 'response.ping', 'response.ping'])
    vi.advanceTimersByTime(299)
    void stream.notify(frame('{}'))
    vi.advanceTimersByTime(299)
    expect(kinds().at(-1)).toBe('response.frame')
    vi.advanceTimersByTime(1)
    expect(kinds().at(-1)).toBe('response.ping')
    stream.finish(frame('{}'), 'result', 200)
    vi.advanceTimersByTime(10_000)
    expect(kinds().at(-1)).toBe('response.frame')
  })

  it('a client that leaves aborts, and nothing is written any more', () => {
    const { sink, stream, kinds } = start()
    sink.emit('close')
    expect(stream.gone.aborted).toBe(true)
    void stream.notify(frame('{}'))
    stream.finish(frame('{}'), 'result', 200)
    vi.advanceTimersByTime(10_000)
    expect([sink.written, kinds()]).toEqual(['', []])
  })

  it('a close after the end is no abort', () => {
    const { sink, stream } = start()
    stream.finish(frame('{}'), 'result', 200)
    sink.emit('close')
    expect(stream.gone.aborted).toBe(false)
  })

  it('notify waits for a full client, and pings are not piled up on it', async () => {
    const { sink, stream } = start()
    sink.full = true
    let taken = false
    const waiting = Promise.resolve(stream.notify(frame('{}'))).then(() => (taken = true))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(taken).toBe(false)
    expect(sink.written).not.toContain('ping')
    sink.full = false
    sink.emit('drain')
    await waiting
    expect(taken).toBe(true)
  })

  it('notify stops waiting when the client leaves', async () => {
    const { sink, stream } = start()
    sink.full = true
    const waiting = stream.notify(frame('{}'))
    sink.emit('close')
    await expect(waiting).resolves.toBeUndefined()
  })

  it('line ends inside the JSON become data lines of their own', () => {
    const { sink, stream } = start()
    void stream.notify(frame('{\n "a":\r\n1}'))
    expect(sink.written).toBe('event: message\ndata: {\ndata:  "a":\ndata: 1}\n\n')
  })
})

it('mode sse streams from the start', () => {
  const { sink, stream, kinds } = start('sse')
  expect(sink.head?.headers).toEqual(SSE)
  stream.finish(frame('{}'), 'error', 404)
  expect(sink.written).toBe('event: message\ndata: {}\n\n')
  expect(kinds()).toEqual(['sse 200 mode', 'response.frame'])
})

it('mode json never streams', () => {
  const { sink, stream, kinds } = start('json')
  vi.advanceTimersByTime(60_000)
  expect(sink.head).toBeUndefined()
  stream.finish(frame('{}'), 'result', 200)
  expect(kinds()).toEqual(['json 200 result', 'response.frame'])
})
