import { describe, expect, it } from 'vitest'
import { CallScript, log, plainCall, progress, progressCall, result } from '../../../../test/capture/call-script'
import { harFiles } from '../../../../test/capture/har-files'
import type { CallEvent } from '../../../shared/capture/events'
import type { JsonObject } from '../../../shared/protocol/json-rpc'

const { exported, imported, opened } = harFiles()

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
    const frame = await opened(async (one) => (await one.events(1)).find((event) => event.kind === 'upstream.frame'))
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
    expect(await opened(async (one) => one.index.get(1)?.annotation)).toEqual(annotation)
  })

  it('takes the comments of other tools, and none that it wrote itself', async () => {
    const { log: written } = await exported([...plainCall(), ...plainCall({ call: 2, id: 2 }, 8)])
    const [entry, , second] = written.entries
    const { _sluice, ...foreign } = { ...entry, comment: 'c'.repeat(2_000) }
    await imported({ log: { ...written, entries: [foreign, second] } })
    const rows = await opened(async (one) => [1, 2].map((call) => one.index.get(call)?.annotation ?? null))
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
