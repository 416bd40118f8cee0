import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { CallScript, plainCall, progress, progressCall, result } from '../../../../test/capture/call-script'
import { captureText } from '../../../../test/capture/capture-text'
import { harFiles } from '../../../../test/capture/har-files'
import type { CallEvent } from '../../../shared/capture/events'

const { exported, imported, opened, written } = harFiles()

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
    const har = await exported([
      ...progressCall({ call: 1 }),
      ...rounds(1, 2, {}, { resultType: 'input_required', requestState: 's1' }),
      ...rounds(2, 3, { requestState: 's1' }, {}),
    ])
    expect(await imported(har)).toMatchObject({ calls: 3, skipped: 3, bad: 0 })
    await opened(async (one) => {
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
    const har = await exported(onAll)
    const [client, backend] = har.log.entries
    expect(client?.request.postData?.text).toContain('weather__')
    expect(backend?.request.postData?.text).not.toContain('weather__')
    expect(await imported(har)).toMatchObject({ calls: 1, skipped: 1 })
    await opened(async (one) => {
      expect(one.index.list(0, 9).calls).toMatchObject([{ backend: 'weather', endpoint: '/mcp/weather' }])
      const sent = (await one.events(1)).find((event) => event.kind === 'upstream.sent')
      expect(sent?.body).toBe(backend?.request.postData?.text)
    })
    // Where only the client's leg is left, that is better than nothing.
    har.log.entries = har.log.entries.filter(({ _sluice }) => _sluice.leg === 'client')
    expect(await imported(har)).toMatchObject({ calls: 1, skipped: 0 })
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
    const har = await exported([...plainCall(), ...merged.events, ...plainCall({ call: 3, id: 3 }, 200)])
    expect(har.log.entries).toHaveLength(8)
    expect(await imported(har)).toMatchObject({ calls: 3, skipped: 5, bad: 0 })
    await opened(async (one) => {
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
    await opened(async (one) => {
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
    await opened(async (one) => {
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
    expect(await written()).not.toMatch(/hunter2|user:pw/)
    await opened(async (one) => {
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
