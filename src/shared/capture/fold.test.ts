import { describe, expect, it } from 'vitest'
import { CallScript, log, plainCall, progress, progressCall, result } from '../../../test/capture/call-script'
import type { SealedState } from './events'
import { CallFold, foldCall } from './fold'
import { applyToSummary, startSummary } from './summarise'

describe('foldCall', () => {
  it('makes one time-ordered line per event of a streamed call', () => {
    const record = foldCall(progressCall())
    expect(record.timeline.map(({ leg, kind, summary }) => `${leg} ${kind} ${summary}`)).toEqual([
      'client request tools/call forecast',
      'gateway routed weather',
      'backend sent weather: POST http://127.0.0.1:9/mcp',
      'backend head 200 text/event-stream',
      'backend progress 1/5 "step 1"',
      'client commit SSE 200 · first notification',
      'client progress 1/5 "step 1"',
      'backend log info test: text',
      'client log info test: text',
      'backend progress 2/5 "step 2"',
      'client progress 2/5 "step 2"',
      'backend result complete',
      'client result complete',
      'backend exchange-ended complete',
      'gateway end result by backend',
    ])
    expect(record.timeline.map((entry) => entry.offset)).toEqual(
      [...record.timeline.keys()].map((step) => step * 1_000),
    )
  })

  it('keeps both legs of progress and logs, and links a frame to what it carries on', () => {
    const record = foldCall(progressCall())
    expect(record.progress.map(({ leg, progress: value }) => [leg, value])).toEqual([
      ['backend', 1],
      ['client', 1],
      ['backend', 2],
      ['client', 2],
    ])
    expect(record.logs).toMatchObject([{ leg: 'backend', level: 'info' }, { leg: 'client' }])
    expect(record.response.frames.map((frame) => frame.from)).toEqual(
      record.exchanges[0]?.frames.map((frame) => frame.seq),
    )
  })

  it('knows the deferral window: open until commit', () => {
    const events = progressCall()
    const open = foldCall(events.slice(0, 4)).deferral
    expect(open).toEqual({ windowMs: 15_000, start: 0, end: null, latest: 15_000_000, open: true })
    expect(foldCall(events).deferral).toMatchObject({ end: 5_000, open: false })
    const cancelled = new CallScript().received().routed().ended('cancelled', 'client')
    expect(foldCall(cancelled.events).deferral).toMatchObject({ end: 2_000, open: false })
  })

  it('makes the same summary as the reducer of main', () => {
    for (const events of [progressCall(), plainCall()]) {
      const [first, ...rest] = events
      if (first?.kind !== 'call.received') throw new Error('a call begins with call.received')
      const summary = startSummary(first)
      for (const event of rest) applyToSummary(summary, event)
      expect(foldCall(events).summary).toEqual(summary)
    }
  })

  it('folds event by event to the same record', () => {
    const events = progressCall()
    const fold = new CallFold()
    for (const event of events) fold.add(event)
    expect(fold.record).toEqual(foldCall(events))
  })

  it('tolerates any events that are missing', () => {
    const events = progressCall()
    for (let drop = 0; drop < events.length; drop++) {
      const record = foldCall(events.filter((_event, index) => index !== drop))
      expect(record.timeline).toHaveLength(events.length - 1)
      expect(record.begun).toBe(drop !== 0)
      expect(record.call).toBe(1)
    }
    expect(foldCall([])).toMatchObject({ call: 0, begun: false, timeline: [] })
  })

  it('counts offsets from the first event when the beginning was lost', () => {
    const record = foldCall(progressCall().slice(5))
    expect(record).toMatchObject({ begun: false, request: null, receivedAt: 6_000, deferral: { open: false } })
    expect(record.timeline[0]?.offset).toBe(0)
    expect(record.summary).toMatchObject({ outcome: 'result', method: null })
  })

  it('resolves references, and says what is missing', () => {
    const script = new CallScript().received().routed()
    const received = script.events[0]
    if (received?.kind !== 'call.received') throw new Error('no request')
    const offset = received.body.indexOf('"forecast"')
    const edits = [{ what: 'name' as const, at: '/params/name', was: '"forecast"', now: '"f"', offset }]
    script.push({
      kind: 'upstream.sent',
      exchange: 1,
      backend: 'weather',
      http: { method: 'POST', url: 'http://h/', headers: [] },
      bodyFrom: { seq: 1, edits },
    })
    expect(foldCall(script.events).exchanges[0]?.sent?.body?.text).toBe(received.body.replace('"forecast"', '"f"'))
    const torn = foldCall(script.events.slice(1)).exchanges[0]?.sent?.body
    expect(torn).toMatchObject({ text: '', missing: 1, clipped: true })
  })

  it('an exchange is what it sent first, though it resumed its stream', () => {
    const script = new CallScript().received().routed().sent().head('text/event-stream')
    const http = { method: 'GET', url: 'http://h/', headers: [] }
    script.push({ kind: 'upstream.sent', exchange: 1, backend: 'weather', http })
    const { exchanges, timeline } = foldCall(script.events)
    expect(exchanges).toHaveLength(1)
    expect(exchanges[0]?.sent).toMatchObject({ http: { method: 'POST' }, body: { clipped: false } })
    expect(timeline.at(-1)?.summary).toBe('weather: GET http://h/ to resume the stream')
  })

  it('does not read what was clipped, and knows its whole length', () => {
    const events = plainCall()
    const frame = events.find((event) => event.kind === 'response.frame')
    const record = foldCall(events, new Map([[frame?.seq ?? 0, 5_000_000]]))
    expect(record.response.frames[0]).toMatchObject({
      body: { clipped: true, length: 5_000_000 },
      message: { kind: 'unread' },
    })
    expect(record.timeline.find((entry) => entry.seq === frame?.seq)?.kind).toBe('result')
  })

  it('shows frames that are no JSON-RPC', () => {
    const script = new CallScript().received().routed().sent().head('text/html', 502)
    script.upstream('<html>\nbad gateway</html>', 'body').upstream('event: tick').upstream(': ping', 'comment')
    const record = foldCall(script.events)
    expect(record.timeline.slice(4).map(({ kind }) => kind)).toEqual(['unreadable', 'unreadable', 'comment'])
    expect(record.exchanges[0]?.frames.map((frame) => frame.message?.kind)).toEqual(['invalid', undefined, undefined])
    expect(record.timeline.every((entry) => !/[\n\r]/.test(entry.summary))).toBe(true)
  })

  it('keeps states with what was sealed in them', () => {
    const sealed: SealedState = {
      version: 1,
      backend: 'weather',
      endpoint: '/mcp',
      method: 'tools/call',
      target: 'book',
      inner: 'v1.x',
      paramsDigest: 'd',
      callerDigest: null,
      operation: 'op-1',
      round: 1,
      issuedAt: 1,
      expiresAt: 601,
    }
    const script = new CallScript().received()
    script.push({ kind: 'state.opened', outer: 'jwe', kid: 'k1', sealed })
    script.push({
      kind: 'state.refused',
      outer: 'x',
      reason: 'request_mismatch',
      sealed,
      differs: { field: 'target', sealed: 'a', now: 'b' },
    })
    const record = foldCall(script.events)
    expect(record.states).toMatchObject([
      { action: 'opened', kid: 'k1', sealed: { inner: 'v1.x' }, reason: null },
      { action: 'refused', kid: null, reason: 'request_mismatch', differs: { field: 'target' } },
    ])
    expect(record.timeline.at(-1)?.summary).toBe('state refused: it belongs to another request (target differs)')
  })

  it('describes results by their type', () => {
    const script = new CallScript().received()
    script.event(result({ resultType: 'input_required', inputRequests: { who: {}, when: {} } }))
    script.event(result({ isError: true, content: [{ type: 'image' }, { type: 'text', text: 'no\nway' }] }))
    script.event({ jsonrpc: '2.0', id: 1, result: { tools: [1, 2] } })
    script.event({ jsonrpc: '2.0', id: 7, method: 'sampling/createMessage' })
    script.event(log('info', { deep: [[[[[[1]]]]]], long: 'y'.repeat(500) }))
    const lines = foldCall(script.events).timeline.slice(1)
    expect(lines.map(({ kind }) => kind)).toEqual(['result', 'result', 'result', 'server-request', 'log'])
    expect(lines.slice(0, 3).map(({ summary }) => summary)).toEqual([
      'input_required: who, when',
      'complete, tool error · "no\\nway"',
      'no resultType · 2 tools',
    ])
    expect(lines[4]?.summary.length).toBeLessThanOrEqual(160)
  })

  it('stays cheap on a call of many frames', () => {
    const script = new CallScript().received().committed()
    for (let step = 0; step < 20_000; step++) script.frame(progress(step))
    const before = performance.now()
    expect(foldCall(script.events).timeline).toHaveLength(20_002)
    expect(performance.now() - before).toBeLessThan(2_000)
  })
})

describe('texts that are named again and again', () => {
  it('come with their beginnings when there is no room for them', () => {
    const script = new CallScript({ params: { text: 'x'.repeat(10_000) } }).received()
    const http = { method: 'POST', url: 'http://h/', headers: [] }
    for (let exchange = 1; exchange <= 3; exchange++)
      script.push({ kind: 'upstream.sent', exchange, backend: 'b', http, bodyFrom: { seq: 1, edits: [] } })
    const room = { left: 21_000 }
    const bodies = foldCall(script.events, undefined, room).exchanges.map(({ sent }) => sent?.body)
    const { length } = bodies[0]?.text ?? ''
    expect(bodies.map((body) => body?.clipped)).toEqual([false, false, true])
    expect(bodies[2]).toMatchObject({ length, text: bodies[0]?.text.slice(0, 2_048) })
    expect(room.left).toBe(21_000 - 2 * length)
  })
})
