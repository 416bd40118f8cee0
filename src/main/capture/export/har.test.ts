import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CallScript, log, plainCall, progress, progressCall, result } from '../../../../test/capture/call-script'
import { captureText } from '../../../../test/capture/capture-text'
import type { CallEvent } from '../../../shared/capture/events'
import { redactionRules } from '../../../shared/capture/redaction-rules'
import type { JsonObject } from '../../../shared/protocol/json-rpc'
import type { Har } from '../../../shared/har/har'
import { harFormat } from '../../../shared/har/har-format'
import { openCapture, type OpenedCapture } from '../opened/open-capture'
import { exportCalls } from './export-calls'
import { importHar, type ImportReport } from './import-har'

let folder: string
let har: string
let capture: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-har-'))
  har = join(folder, 'x.har')
  capture = join(folder, 'imported.ndjson')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function opened<T>(path: string, look: (capture: OpenedCapture) => Promise<T>): Promise<T> {
  const one = await openCapture(path)
  try {
    return await look(one)
  } finally {
    await one.close()
  }
}

async function exported(events: readonly CallEvent[]): Promise<Har> {
  const file = join(folder, 'c.ndjson')
  await writeFile(file, captureText(events))
  await opened(file, (one) =>
    exportCalls(one, {
      format: harFormat(),
      to: har,
      replace: true,
      inputs: [file],
      rules: null,
      select: () => true,
      version: '0.1.0',
      notes: ['2 events were not recorded.'],
    }),
  )
  return JSON.parse(await readFile(har, 'utf8')) as Har
}

function imported(content: unknown): Promise<ImportReport> {
  const asItIs = typeof content === 'string' || Buffer.isBuffer(content)
  return writeFile(har, asItIs ? content : JSON.stringify(content)).then(() =>
    importHar(har, { to: capture, replace: true, rules: redactionRules(), version: '0.1.0' }),
  )
}

/** A call whose answer is not valid UTF-8, as a server may write that thinks in Latin-1. */
function latinCall(): { events: CallEvent[]; bytes: string; raw: string } {
  const answer = Buffer.from(JSON.stringify(result({ content: [{ type: 'text', text: 'Zürich' }] })), 'latin1')
  const [bytes, raw] = [answer.toString('base64'), answer.toString('utf8')]
  const script = new CallScript().received().routed().sent().head('application/json')
  script.push({ kind: 'upstream.frame', exchange: 1, form: 'body', raw, bytes }).committed('json')
  return {
    events: script
      .frame(JSON.parse(raw) as JsonObject, 'result', 'body')
      .upstreamEnded()
      .ended().events,
    bytes,
    raw,
  }
}

describe('HAR export', () => {
  it('has the bytes of an answer that is no text, and they come back', async () => {
    const { events, bytes, raw } = latinCall()
    const { log: written } = await exported(events)
    const size = Buffer.from(bytes, 'base64').length
    expect(written.entries[1]?.response.content).toMatchObject({ encoding: 'base64', text: bytes, size })
    await imported({ log: written })
    const frame = await opened(capture, async (one) =>
      (await one.events(1)).find((event) => event.kind === 'upstream.frame'),
    )
    expect(frame).toMatchObject({ form: 'body', raw, bytes })
  })

  it('says so where only the first bytes were kept', async () => {
    const { events } = latinCall()
    const kept = Buffer.alloc(65_536, 0xff).toString('base64')
    const long = events.map((event) => (event.kind === 'upstream.frame' ? { ...event, bytes: kept } : event))
    const { log: written } = await exported(long)
    expect(written.entries[1]?.response.content).toMatchObject({
      size: -1,
      comment: expect.stringContaining('not valid UTF-8') as string,
    })
    expect(written.entries[1]?.response.content.encoding).toBeUndefined()
  })

  it('carries what a reader put on a call, and an import reads it back', async () => {
    const annotation = { mark: 'red', pinned: true, comment: 'the answer\nis late' } as const
    const script = plainCall()
    const last = script.at(-1)
    const { log: written } = await exported([
      ...script,
      { kind: 'call.annotated', seq: (last?.seq ?? 0) + 1, at: last?.at ?? 0, call: 1, ...annotation },
    ])
    expect(written.entries[0]?.comment).toBe(annotation.comment)
    await imported({ log: written })
    expect(await opened(capture, async (one) => one.index.get(1)?.annotation)).toEqual(annotation)
  })

  it('takes the comments of other tools, and none that it wrote itself', async () => {
    const { log: written } = await exported([...plainCall(), ...plainCall({ call: 2, id: 2 }, 8)])
    const [entry, , second] = written.entries
    const { _sluice, ...foreign } = { ...entry, comment: 'c'.repeat(2_000) }
    await imported({ log: { ...written, entries: [foreign, second] } })
    const rows = await opened(capture, async (one) => [1, 2].map((call) => one.index.get(call)?.annotation ?? null))
    expect(rows).toEqual([{ mark: null, pinned: false, comment: `${'c'.repeat(999)}…` }, null])
  })

  it('has both legs, with times and sizes', async () => {
    const { log: written } = await exported(plainCall({ headers: [['Host', '127.0.0.1:7420']] }))
    expect(written).toMatchObject({
      version: '1.2',
      creator: { name: 'Sluice' },
      comment: expect.stringContaining('2 events'),
    })
    expect(written.pages.map(({ id }) => id)).toEqual(['client', 'backend'])
    const [client, backend] = written.entries
    expect(client).toMatchObject({
      pageref: 'client',
      startedDateTime: '2026-08-28T12:00:00.001Z',
      time: 7,
      timings: { wait: 5, receive: 2 },
      request: { method: 'POST', url: 'http://127.0.0.1:7420/mcp/weather', headers: [{ name: 'Host' }] },
      response: { status: 200, content: { text: JSON.stringify(result()), size: JSON.stringify(result()).length } },
      _sluice: { leg: 'client', call: 1, outcome: 'result' },
    })
    expect(client?.request.bodySize).toBe(client?.request.postData?.text.length)
    expect(backend).toMatchObject({
      pageref: 'backend',
      startedDateTime: '2026-08-28T12:00:00.003Z',
      timings: { wait: 1 },
    })
  })

  it('has the events of streams where DevTools look for them', async () => {
    const { log: written } = await exported(progressCall())
    for (const entry of written.entries) {
      expect(entry._resourceType).toBe('eventsource')
      expect(entry._eventSourceMessages?.map(({ eventName, data }) => [eventName, data])).toEqual(
        [progress(1), log('info'), progress(2), result()].map((message) => ['message', JSON.stringify(message)]),
      )
      const times = entry._eventSourceMessages?.map(({ time }) => time) ?? []
      expect(times).toEqual([...times].sort())
      expect(times[0]).toBeCloseTo(Date.parse('2026-08-28T12:00:00.006Z') / 1_000, 2)
      expect(entry.response.content.text).toMatch(/^event: message\ndata: \{.*\}\n\n/)
    }
  })

  it('says what was cut instead of a size, and what never came', async () => {
    const [received, ...rest] = plainCall()
    const { log: written } = await exported([{ ...received, cut: 40_000_000 } as CallEvent, ...rest])
    expect(written.entries[0]?.request).toMatchObject({
      bodySize: -1,
      postData: { comment: expect.stringMatching(/only the first \d+ of 40000000 characters/) },
    })
    const open = await exported(new CallScript().received().routed().sent().events)
    expect(open.log.entries.map(({ response }) => response.status)).toEqual([0, 0])
    expect(open.log.entries[0]?.response._error).toBe('no answer was recorded')
  })

  it('is JSON also without entries, and where the first call has none', async () => {
    expect((await exported([])).log.entries).toEqual([])
    const pong: CallEvent = { seq: 1, at: 1, call: 1, kind: 'response.ping' }
    expect((await exported([pong, ...plainCall({ call: 2 }, 1)])).log.entries).toHaveLength(2)
  })

  it('has whole texts of megabytes', async () => {
    const [received, ...rest] = plainCall()
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: { text: 'z'.repeat(3_000_000) } })
    const { log: written } = await exported([{ ...received, body } as CallEvent, ...rest])
    expect(written.entries[0]?.request.postData?.text).toBe(body)
  })
})

describe('HAR import', () => {
  it('says what to do with a file that needs none, or another form', async () => {
    await expect(imported(captureText(plainCall()))).rejects.toThrow(/x\.har is a capture already.*capture info/)
    await expect(imported('\uFEFF' + captureText([]))).rejects.toThrow('is a capture already')
    await expect(imported(Buffer.from('\uFEFF{"log":{"entries":[]}}', 'utf16le'))).rejects.toThrow('UTF-16')
    await expect(imported(gzipSync('{"log":{"entries":[]}}'))).rejects.toThrow('compressed')
  })

  it('says of a HAR that was recorded without contents what is missing', async () => {
    const entry = (headers: object[]): object => ({
      startedDateTime: '2026-08-28T12:00:00.000Z',
      request: { method: 'POST', url: 'https://mcp.example.com/mcp', headers, postData: { text: '' } },
      response: { status: 200, headers: [], content: { mimeType: 'application/json' } },
    })
    const entries = [entry([]), entry([{ name: 'mcp-protocol-version', value: '2026-07-28' }])]
    await expect(imported({ log: { version: '1.2', entries } })).rejects.toThrow(/entry 2: .*without its body; record/)
  })

  it('gives back what was exported', async () => {
    const rounds = (round: number, id: number, params: object, answer: object): CallEvent[] =>
      new CallScript({ call: id, id, round, params: { name: 'book', ...params } }, id * 100)
        .received()
        .routed()
        .sent()
        .head('application/json')
        .upstream(JSON.stringify(result(answer as never, id)), 'body')
        .committed('json')
        .frame(result(answer as never, id), 'result', 'body')
        .ended().events
    const written = await exported([
      ...progressCall({ call: 1 }),
      ...rounds(1, 2, {}, { resultType: 'input_required', requestState: 's1' }),
      ...rounds(2, 3, { requestState: 's1' }, {}),
    ])
    expect(await imported(written)).toMatchObject({ calls: 3, skipped: 3, bad: 0 })
    await opened(capture, async (one) => {
      expect(one.header).toMatchObject({ imported: 'HAR of Sluice 0.1.0', backends: [{ name: 'weather' }] })
      const { calls } = one.index.list(0, 10)
      expect(calls.map(({ outcome }) => outcome)).toEqual(['result', 'input-required', 'result'])
      expect(calls.map(({ round }) => round)).toEqual([1, 1, 2])
      expect(calls[1]?.operation).toBe(calls[2]?.operation)
      expect(calls[0]).toMatchObject({ progress: 2, logs: 1, backend: 'weather', era: 'modern' })
      const frames = (await one.events(1)).filter((event) => event.kind === 'upstream.frame')
      expect(new Set(frames.map(({ at }) => at)).size).toBe(4)
    })
  })

  it('takes the names of the backend where the call came to the endpoint of all', async () => {
    const onAll = plainCall().map((event) => {
      if (event.kind === 'call.received')
        return { ...event, endpoint: '/mcp', body: event.body.replace('"name":"', '"name":"weather__') }
      return event
    })
    const written = await exported(onAll)
    const [client, backend] = written.log.entries
    expect(client?.request.postData?.text).toContain('weather__')
    expect(backend?.request.postData?.text).not.toContain('weather__')
    expect(await imported(written)).toMatchObject({ calls: 1, skipped: 1 })
    await opened(capture, async (one) => {
      expect(one.index.list(0, 9).calls).toMatchObject([{ backend: 'weather', endpoint: '/mcp/weather' }])
      const sent = (await one.events(1)).find((event) => event.kind === 'upstream.sent')
      expect(sent?.body).toBe(backend?.request.postData?.text)
    })
    // Where only the client's leg is left, that is better than nothing.
    written.log.entries = written.log.entries.filter(({ _sluice }) => _sluice.leg === 'client')
    expect(await imported(written)).toMatchObject({ calls: 1, skipped: 0 })
  })

  it('has as many calls as the capture, also of lists that several backends were asked for', async () => {
    const merged = new CallScript({ call: 2, id: 2, method: 'tools/list', params: {} }, 100)
      .wait(50_000)
      .received({ endpoint: '/mcp' })
      .routed({ backend: null, backends: ['weather', 'booking', 'archive'] })
    for (const exchange of [1, 2, 3]) {
      merged.sent(exchange).head('application/json', 200, exchange)
      merged.upstream(JSON.stringify(result({ tools: [] })), 'body', exchange).upstreamEnded(exchange)
    }
    const answer = result({ tools: [{ name: 'weather__forecast' }] }, 2)
    merged.committed('json').frame(answer, 'result', 'body').ended('result', 'gateway')
    const written = await exported([...plainCall(), ...merged.events, ...plainCall({ call: 3, id: 3 }, 200)])
    expect(written.log.entries).toHaveLength(8)
    expect(await imported(written)).toMatchObject({ calls: 3, skipped: 5, bad: 0 })
    await opened(capture, async (one) => {
      const { calls } = one.index.list(0, 9)
      expect(calls.map(({ method }) => method)).toEqual(['tools/call', 'tools/call', 'tools/list'])
      // The answer is what the client got, of all of them.
      const frames = (await one.events(3)).flatMap((event) => (event.kind === 'upstream.frame' ? [event.raw] : []))
      expect(frames).toEqual([JSON.stringify(answer)])
    })
  })

  it('takes lines of a process, and how an exchange ended', async () => {
    const sent = (script: CallScript): CallEvent[] =>
      script.events.map((event) =>
        event.kind === 'upstream.sent' ? { ...event, http: { method: 'stdio', url: 'node x.js', headers: [] } } : event,
      )
    const lines = new CallScript()
      .received()
      .routed()
      .sent()
      .upstream(JSON.stringify(progress(1)), 'line')
      .upstream(JSON.stringify(result()), 'line')
    const late = new CallScript({ call: 2, id: 2 }, 100).received().routed().sent()
    const ended: CallEvent[] = [
      { seq: 110, at: 110_000, call: 2, kind: 'upstream.ended', exchange: 1, reason: 'timeout', detail: 'too late' },
      { seq: 111, at: 111_000, call: 2, kind: 'call.ended', outcome: 'error', by: 'gateway' },
    ]
    await imported(await exported([...sent(lines), ...sent(late), ...ended]))
    await opened(capture, async (one) => {
      const [first, second] = [await one.events(1), await one.events(2)]
      const frames = first.flatMap((event) => (event.kind === 'upstream.frame' ? [event] : []))
      expect(frames).toMatchObject([
        { form: 'line', raw: JSON.stringify(progress(1)) },
        { form: 'line', raw: JSON.stringify(result()) },
      ])
      expect(second.find(({ kind }) => kind === 'upstream.ended')).toMatchObject({
        reason: 'timeout',
        detail: 'too late',
      })
      expect(second.at(-1)).toMatchObject({ kind: 'call.ended', by: 'gateway' })
    })
  })

  it.each([
    ['with sensitive data', true, [1_000, 2_000]],
    ['without, where DevTools leave the data of events out', false, [1_000, 2_000]],
    ['with other events than the content', 'one', [30_000, 30_000]],
    ['that names something else so', 'other', [30_000, 30_000]],
  ])("takes the events of DevTools' HAR %s", async (_, has, times) => {
    const message = JSON.stringify(result())
    const text = [JSON.stringify(progress(1)), message].map((data) => `event: message\ndata: ${data}\n\n`)
    const events = [JSON.stringify(progress(1)), message].map((data, index) => ({
      time: Date.parse('2026-08-28T12:00:00.001Z') / 1_000 + index / 1_000,
      eventName: 'message',
      eventId: '',
      ...(has === true && { data }),
    }))
    const entry = {
      startedDateTime: '2026-08-28T12:00:00.000Z',
      time: 30,
      request: {
        method: 'POST',
        url: 'http://127.0.0.1:7420/mcp',
        headers: [],
        postData: { text: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow' } }) },
      },
      response: {
        status: 200,
        headers: [],
        content: { mimeType: 'text/event-stream', text: `: ping\n\n${text.join('')}` },
      },
      timings: { wait: 1, receive: 29 },
      _eventSourceMessages: has === 'other' ? 'none' : has === 'one' ? events.slice(1) : events,
    }
    expect(await imported({ log: { version: '1.2', entries: [entry] } })).toMatchObject({ calls: 1, bad: 0 })
    await opened(capture, async (one) => {
      const frames = (await one.events(1)).flatMap((event) => (event.kind === 'response.frame' ? [event] : []))
      expect(frames.map(({ raw }) => raw)).toEqual([JSON.stringify(progress(1)), message])
      expect(frames.map(({ at }) => at)).toEqual(times)
    })
  })

  it('reads HARs of browsers, and passes over what is no MCP', async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', clientInfo: { name: 'page' } },
    })
    const stream = `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} })}\n\n`
    const entry = {
      startedDateTime: '2026-08-28T12:00:00.500Z',
      time: 20.5,
      request: {
        method: 'POST',
        url: 'https://user:pw@mcp.example.com/mcp',
        headers: [{ name: 'Authorization', value: 'Bearer hunter2' }],
        postData: { mimeType: 'application/json', text: body },
      },
      response: {
        status: 200,
        headers: [],
        content: { mimeType: 'text/event-stream', encoding: 'base64', text: Buffer.from(stream).toString('base64') },
      },
      timings: { wait: 10, receive: 10 },
    }
    const picture = { ...entry, request: { method: 'GET', url: 'https://example.com/x.png', headers: [] } }
    const early = { ...entry, startedDateTime: '2026-08-28T12:00:00.100Z', response: { status: 0, headers: [] } }
    const report = await imported({
      log: { version: '1.2', creator: { name: 'Browser' }, entries: [entry, picture, early, { request: 1 }] },
    })
    expect(report).toMatchObject({
      calls: 2,
      skipped: 1,
      bad: 1,
      examples: [expect.stringMatching(/^entry 4: startedDateTime/)],
    })
    expect(await readFile(capture, 'utf8')).not.toMatch(/hunter2|user:pw/)
    await opened(capture, async (one) => {
      expect(one.header.backends).toMatchObject([{ name: 'mcp.example.com', type: 'http' }])
      expect(one.index.list(0, 9).calls).toMatchObject([
        { outcome: 'cancelled', era: 'legacy' },
        { outcome: 'result', client: 'page', receivedAt: 400_000 },
      ])
    })
  })

  it.each<[string, unknown, RegExp]>([
    ['nothing', '', /no HAR/],
    ['a torn HAR', '{"log":{"entries":[{"startedDateTime":"x"', /torn one/],
    ['other JSON', [1, 2], /no list "entries"/],
    ['no calls', { log: { entries: [{}, 7] } }, /no MCP over HTTP in its 2 entries/],
    ['deep nesting', `{"log":{"entries":[${'['.repeat(100_000)}`, /torn one/],
  ])('says what is wrong with %s', async (_what, content, message) => {
    await expect(imported(content)).rejects.toThrow(message)
  })
})
