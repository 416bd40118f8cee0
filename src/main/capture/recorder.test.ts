import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CallScript, plainCall, progress, progressCall, result, unstamped } from '../../../test/capture/call-script'
import { play } from '../../../test/capture/play-script'
import { readAll, recordingFolder } from '../../../test/capture/recording-folder'
import type { CallEvent, NewCaptureEvent } from '../../shared/capture/events'
import type { CallSummary } from '../../shared/capture/summary'

const folder = recordingFolder()

describe('notes of readers', () => {
  it('are rows at once, and events of the file, also while recording is off', async () => {
    const recorder = folder.create()
    const call = play(recorder, plainCall())
    expect(recorder.annotate(call, { mark: 'red', pinned: true, comment: 'here\nit breaks' })).toBe(true)
    expect(recorder.index.get(call)?.annotation).toEqual({ mark: 'red', pinned: true, comment: 'here\nit breaks' })
    recorder.setRecording(false)
    recorder.annotate(call, { mark: null, pinned: false, comment: 'Bearer abcdefghijkl is wrong' })
    recorder.setRecording(true)
    await recorder.flush()
    const written = (await readAll(folder.file)).filter(({ kind }) => kind === 'call.annotated')
    expect(written).toMatchObject([
      { call, mark: 'red', pinned: true, comment: 'here\nit breaks' },
      { call, comment: 'Bearer «redacted 16» is wrong' },
    ])
    recorder.annotate(call, null)
    expect(recorder.index.get(call)?.annotation).toBeNull()
  })

  it('need a call', () => {
    const recorder = folder.create({ file: null })
    expect(recorder.annotate(7, null)).toBe(false)
    expect(recorder.index.get(7)).toBeUndefined()
    expect(recorder.status().events).toBe(0)
  })
})

describe('recording to a file', () => {
  it('stamps without gaps, writes in order, and reads back the same', async () => {
    const recorder = folder.create()
    const calls = [play(recorder, plainCall()), play(recorder, progressCall())]
    recorder.record({ kind: 'backend.started', backend: 'weather' })
    await recorder.flush()
    const events = await readAll(folder.file)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1))
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).sort((a, b) => a - b))
    for (const call of calls) {
      const ofCall = events.filter((event) => 'call' in event && event.call === call)
      expect(await recorder.events(call)).toEqual(ofCall)
    }
    expect(recorder.status()).toMatchObject({
      on: true,
      file: folder.file,
      calls: 2,
      events: events.length,
      lostEvents: 0,
      problem: null,
    })
    expect(recorder.status().bytes).toBe((await stat(folder.file)).size)
  })

  it('is readable by this user only', async () => {
    const recorder = folder.create()
    await recorder.flush()
    expect((await stat(folder.file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder.path, 'deep'))).mode & 0o777).toBe(0o700)
  })

  it('has its header at once, with what is redacted', async () => {
    const recorder = folder.create({ redaction: { headers: ['X-Tenant'], keys: ['Password'] } })
    await recorder.flush()
    const header = JSON.parse(await readFile(folder.file, 'utf8')) as Record<string, unknown>
    expect(header).toEqual(recorder.header)
    expect(header).toMatchObject({ format: 'sluice-capture', version: 1, redaction: { keys: ['password'] } })
    expect(JSON.stringify(header)).toContain('x-tenant')
  })

  it('lets no secret reach the file, the desk or memory', async () => {
    const recorder = folder.create({ redaction: { headers: [], keys: ['password'] } })
    const seen: CallEvent[] = []
    recorder.onEvents(1, (events) => seen.push(...events))
    const params = { name: 'login', arguments: { password: 'hunter2' } }
    const call = play(
      recorder,
      plainCall({
        params,
        headers: [
          ['Authorization', 'Bearer hunter2'],
          ['Accept', '*/*'],
        ],
      }),
    )
    await recorder.flush()
    expect(seen).toHaveLength(8)
    const everything = [
      await readFile(folder.file, 'utf8'),
      JSON.stringify(seen),
      JSON.stringify(await recorder.events(call)),
    ]
    for (const text of everything) {
      expect(text).not.toContain('hunter2')
      expect(text).toContain('Bearer «redacted 8»')
    }
  })

  it('lets no secret of a URL into the header', async () => {
    const backends = [{ name: 'b', type: 'http', url: 'http://h/mcp?api_key=hunter2' }]
    const recorder = folder.create({ header: { gateway: { name: 'sluice', version: '0.1.0' }, backends } })
    await recorder.flush()
    expect(await readFile(folder.file, 'utf8')).not.toContain('hunter2')
  })

  it('redacts by a changed configuration from then on', async () => {
    const recorder = folder.create()
    play(recorder, plainCall({ params: { name: 'a', city: 'before' } }))
    recorder.setRedaction({ headers: [], keys: ['city'] })
    play(recorder, plainCall({ params: { name: 'a', city: 'after' } }))
    await recorder.flush()
    const text = await readFile(folder.file, 'utf8')
    expect(text).toContain('before')
    expect(text).not.toContain('after')
  })

  it('keeps rows, operations and findings', async () => {
    const recorder = folder.create()
    const first = play(recorder, plainCall({ round: 1, operation: 'op' }))
    const second = play(recorder, plainCall({ round: 2, operation: 'op' }))
    const bad = play(
      recorder,
      new CallScript().received().routed().sent().head().event(progress(1)).upstreamEnded().ended().events,
    )
    await recorder.settled()
    expect(recorder.index.operation('op')).toEqual([first, second])
    expect(recorder.index.get(first)).toMatchObject({ method: 'tools/call', outcome: 'result', findings: 0 })
    expect(recorder.index.get(bad)?.findings).toBe(2)
    expect(recorder.index.list(first, 1)).toMatchObject({ calls: [{ call: second }], more: true })
    expect(recorder.index.list(bad, 10)).toEqual({ calls: [], more: false })
  })

  it('tells of changed rows and of the events of a watched call', async () => {
    const recorder = folder.create()
    const rows: CallSummary[] = []
    const events: CallEvent[] = []
    recorder.onChange((calls) => rows.push(...calls.map((call) => structuredClone(call))))
    const leave = recorder.onEvents(1, (more) => events.push(...more))
    play(recorder, plainCall())
    play(recorder, plainCall())
    await recorder.flush()
    leave()
    expect(rows.at(-1)).toMatchObject({ call: 2, outcome: 'result' })
    expect(events.map(({ call }) => call)).toEqual(Array<number>(8).fill(1))
    expect(events).toEqual(await recorder.events(1))
  })

  it('reads calls that are no longer in memory from the file, also between others', async () => {
    const recorder = folder.create({ windowBytes: 1 })
    const scripts = Array.from({ length: 20 }, () => unstamped(progressCall()))
    const calls = scripts.map(() => recorder.nextCall())
    for (let step = 0; step < (scripts[0]?.length ?? 0); step++) {
      for (const [index, script] of scripts.entries())
        recorder.record({ ...script[step], call: calls[index] } as NewCaptureEvent)
    }
    // More than memory keeps while the file has it.
    const big = 'x'.repeat(3_000_000)
    for (let count = 0; count < 4; count++) play(recorder, plainCall({ params: { name: big } }))
    await recorder.flush()
    for (const call of calls) {
      const events = await recorder.events(call)
      expect(events.map(({ kind }) => kind)).toEqual(progressCall().map(({ kind }) => kind))
      expect(events.every((event) => event.call === call)).toBe(true)
    }
  })

  it('gives the text of one event with references resolved', async () => {
    const recorder = folder.create()
    const script = new CallScript().received()
    const received = script.events[0]
    if (received?.kind !== 'call.received') throw new Error('no request')
    const edits = [
      { what: 'id' as const, at: '/id', was: '1', now: '"g1"', offset: received.body.indexOf('1,"method"') },
    ]
    const call = recorder.nextCall()
    for (const event of unstamped(script.events)) recorder.record({ ...event, call } as NewCaptureEvent)
    const http = { method: 'POST', url: 'http://h/', headers: [] }
    recorder.record({ kind: 'upstream.sent', call, exchange: 1, backend: 'b', http, bodyFrom: { seq: 1, edits } })
    recorder.record({ kind: 'response.ping', call })
    expect(await recorder.text(call, 2)).toEqual({ text: received.body.replace('"id":1', '"id":"g1"') })
    expect(await recorder.text(call, 3)).toHaveProperty('problem')
    expect(await recorder.text(call, 99)).toHaveProperty('problem')
  })

  it('keeps only the beginning of a text of megabytes in memory, and the whole in the file', async () => {
    const recorder = folder.create()
    const call = recorder.nextCall()
    for (const event of unstamped(plainCall().slice(0, 4))) recorder.record({ ...event, call } as NewCaptureEvent)
    const raw = JSON.stringify(result({ content: [{ type: 'text', text: 'é'.repeat(3_000_000) }] }))
    const from = recorder.record({ kind: 'upstream.frame', call, exchange: 1, form: 'body', raw })
    const edits = [{ what: 'id' as const, at: '/id', was: '1', now: '"seven"', offset: raw.indexOf('1,"result"') }]
    const frame: NewCaptureEvent = {
      kind: 'response.frame',
      call,
      form: 'body',
      message: 'result',
      rawFrom: { seq: from, edits },
      from,
      edits,
    }
    const seq = recorder.record(frame)
    recorder.record({ kind: 'call.ended', call, outcome: 'result', by: 'backend' })
    await recorder.settled()
    expect(recorder.index.get(call)).toMatchObject({ bytesOut: Buffer.byteLength(raw) + 6, findings: 0 })
    expect(JSON.stringify(await recorder.events(call)).length).toBeLessThan(100_000)
    expect(await recorder.text(call, from)).toEqual({ text: raw })
    expect(await recorder.text(call, seq)).toEqual({ text: raw.replace('"id":1', '"id":"seven"') })
    expect((await readAll(folder.file)).find((event) => event.seq === from)).toMatchObject({ raw })
  })

  it('cuts a text over the bound, says so, and goes on', async () => {
    const recorder = folder.create({ maxEventLength: 1_000 })
    const call = play(recorder, plainCall({ params: { name: '😀'.repeat(2_000) } }))
    await recorder.flush()
    const events = await readAll(folder.file)
    const received = events[0]
    expect(received).toMatchObject({ kind: 'call.received', cut: expect.any(Number) as number })
    expect(events.find(({ kind }) => kind === 'capture.lost')).toMatchObject({
      events: 1,
      reason: expect.stringContaining('event 1') as string,
    })
    expect(recorder.status().lostEvents).toBeGreaterThan(0)
    expect(recorder.index.get(call)?.outcome).toBe('result')
  })

  it('finds calls by what their bodies say, also later ones, and nothing else', async () => {
    const recorder = folder.create()
    const one = play(recorder, plainCall({ params: { name: 'a', arguments: { city: 'São "Paulo"\n' } } }))
    play(recorder, plainCall({ params: { name: 'b' }, headers: [['x-city', 'são "paulo"']] }))
    const { signal } = new AbortController()
    expect(await recorder.search('SÃO \\"PAULO\\"\\n', signal)).toEqual([one])
    expect(await recorder.search('nowhere', signal)).toEqual([])
    const two = play(recorder, plainCall({ params: { name: 'nowhere' } }))
    expect(await recorder.search('NoWhere', signal)).toEqual([two])
    expect(await recorder.search('application/json', signal)).toEqual([])
  })

  it('lets the oldest calls go, but never an open one', async () => {
    const recorder = folder.create({ maxCalls: 20 })
    const open = play(recorder, plainCall().slice(0, 3))
    for (let count = 0; count < 100; count++) play(recorder, plainCall())
    await recorder.flush()
    expect(recorder.index.size).toBeLessThanOrEqual(21)
    const { calls } = recorder.index.list(0, 1_000)
    expect(calls.map(({ call }) => call)[0]).toBe(open)
    expect(calls.at(-1)?.call).toBe(101)
    expect(calls).toHaveLength(recorder.index.size)
    expect((await recorder.events(101)).length).toBe(8)
  })
})
