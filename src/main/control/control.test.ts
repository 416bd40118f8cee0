import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallScript, plainCall, progress, progressCall, result, unstamped } from '../../../test/capture/call-script'
import { COMMAND, COUNTS, idleGateway } from '../../../test/control/idle-gateway'
import type { CommandName, Commands, DeskStatus } from '../../shared/api/contract'
import type { CallEvent, NewCaptureEvent } from '../../shared/capture/events'
import { foldCall } from '../../shared/capture/fold'
import type { CallSummary } from '../../shared/capture/summary'
import { NO_SECRETS } from '../../shared/config/secrets'
import { createRecorder } from '../capture/recorder'
import type { Recorder } from '../capture/recorder-contract'
import { collectionsIn } from '../compose/collections'
import { Composer } from '../compose/composer'
import { ConfiguredBackends } from '../config/configured-backends'
import { LiveSecrets } from '../config/secrets/live-secrets'
import { SecretVault } from '../config/secrets/secret-vault'
import { createControl, type ConnectedDesk, type Control, type FeedMessage } from './control'
import type { ControlSources } from './control-sources'

let folder: string
let recorder: Recorder
let control: Control
let desk: ConnectedDesk
let feeds: FeedMessage[]
let ready: boolean
let idle: ReturnType<typeof idleGateway>
let demoRunning: boolean

const NO_TARGET: ControlSources['replayTarget'] = {
  backends: () => [],
  problem: async () => 'control sends nothing',
  endpoint: () => 'http://127.0.0.1:9/mcp',
  recorded: () => Promise.reject(new Error('control sends nothing')),
  events: () => Promise.resolve([]),
  close: () => undefined,
}

const NO_SECRETS_USED = new LiveSecrets({ names: [], values: [], waiting: [] })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-control-'))
  recorder = createRecorder({
    file: join(folder, 'c.ndjson'),
    header: { gateway: { name: 'sluice', version: '0.1.0' }, backends: [] },
    redaction: { headers: [], keys: [] },
  })
  demoRunning = true
  idle = idleGateway()
  start()
})
afterEach(async () => {
  vi.useRealTimers()
  await control.close()
  await recorder.close()
  await rm(folder, { recursive: true, force: true })
})

function start(more: Partial<ControlSources> = {}): void {
  control = createControl({
    version: '0.1.0',
    recorder,
    gateway: idle.gateway,
    configFile: join(folder, 'sluice.json'),
    dataDirectory: join(folder, 'data'),
    addEntry: null,
    configured: new ConfiguredBackends({
      file: join(folder, 'sluice.json'),
      env: { HOME: '/home/ada' },
      secrets: NO_SECRETS,
      spellings: () => [],
      refuse: async () => [],
    }),
    off: () => [{ name: 'old', type: 'sse', place: 1 }],
    applied: () => 3,
    isOfDemo: (name) => name === 'weather',
    replayTarget: NO_TARGET,
    settings: null,
    secrets: { vault: new SecretVault(folder, null), live: NO_SECRETS_USED },
    imports: null,
    compose: {
      composer: new Composer({ base: () => idle.gateway.base, version: '0.1.0' }),
      collections: collectionsIn(join(folder, 'collections')),
      openExternal: null,
    },
    demo: { running: () => demoRunning, set: (running) => void (demoRunning = running) },
    ...more,
  })
  feeds = []
  ready = true
  desk = control.connect({ push: (message) => feeds.push(structuredClone(message)), ready: () => ready })
}

function play(script: readonly CallEvent[]): number {
  const call = recorder.nextCall()
  for (const event of unstamped(script)) recorder.record({ ...event, call } as NewCaptureEvent)
  return call
}

async function ask<N extends CommandName>(name: N, request: Commands[N]['request']): Promise<Commands[N]['response']> {
  const answer = await desk.command(name, request)
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message} (${answer.error.hint ?? ''})`)
  return answer.value as Commands[N]['response']
}

function rows(): CallSummary[] {
  return feeds.flatMap((message) => (message.feed === 'calls' ? message.value.calls : []))
}
function eventsOf(call: number): CallEvent[] {
  return feeds.flatMap((message) =>
    message.feed === 'call' && message.value.call === call ? message.value.events : [],
  )
}

describe('commands', () => {
  it('desk.status', async () => {
    expect(await ask('desk.status', {})).toEqual({
      version: '0.1.0',
      endpoint: 'http://127.0.0.1:7420/mcp',
      configFile: join(folder, 'sluice.json'),
      applied: 3,
      recording: recorder.status(),
      backends: [
        {
          name: 'weather',
          type: 'http',
          url: 'http://127.0.0.1:9/mcp',
          ofDemo: true,
          endpoint: 'http://127.0.0.1:7420/mcp/weather',
          era: 'modern',
          health: 'ready',
          changedAt: 7,
          serverInfo: { name: 'weather-server' },
          protocolVersion: '2026-07-28',
          counts: COUNTS,
        },
        {
          name: 'files',
          type: 'stdio',
          command: COMMAND,
          instances: 'shared',
          restartable: true,
          endpoint: 'http://127.0.0.1:7420/mcp/files',
          era: 'legacy',
          health: 'needs-sign-in',
          reason: 'it answered 401',
          changedAt: 8,
          protocolVersion: '2025-06-18',
          challenge: 'Bearer realm="files"',
          counts: COUNTS,
        },
      ],
      off: [{ name: 'old', type: 'sse', place: 1 }],
      waiting: [],
      demo: { running: true },
      startedAt: recorder.header.startedAt,
    } satisfies DeskStatus)
  })

  it('calls.list pages through rows', async () => {
    for (let count = 0; count < 5; count++) play(plainCall())
    await recorder.flush()
    const first = await ask('calls.list', { after: 0, limit: 3 })
    expect([first.calls.map(({ call }) => call), first.more]).toEqual([[1, 2, 3], true])
    const rest = await ask('calls.list', { after: 3 })
    expect([rest.calls.map(({ call }) => call), rest.more]).toEqual([[4, 5], false])
  })

  it('call.events gives what fold needs, and only long texts cut', async () => {
    const long = 'é'.repeat(100_000)
    const call = play(
      new CallScript({ params: { name: long } }).received().routed().ended('cancelled', 'client').events,
    )
    const { events, clipped, header, findings, omitted } = await ask('call.events', { call })
    expect(header).toEqual(recorder.header)
    expect(clipped).toEqual([{ seq: 1, length: expect.any(Number) as number }])
    expect(events[0]).not.toHaveProperty('cut')
    const record = foldCall(events, new Map(clipped.map(({ seq, length }) => [seq, length])))
    expect(record.request?.body).toMatchObject({ clipped: true, length: clipped[0]?.length })
    expect(omitted).toBeUndefined()
    expect(findings).toEqual([])
    const { text } = await ask('call.text', { call, seq: 1 })
    expect(text).toContain(long)
    expect(text).toHaveLength(clipped[0]?.length ?? 0)
  })

  it('call.events finds in whole texts what clipped ones do not show', async () => {
    const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [], more: 'x'.repeat(100_000) } })
    const script = new CallScript().received().routed().sent().head('application/json').upstream(answer, 'body')
    const { findings } = await ask('call.events', { call: play(script.events) })
    expect(findings?.map(({ rule }) => rule)).toEqual(['result-type-missing'])
  })

  it('call.events bounds a call of very many events', async () => {
    const call = play(new CallScript().received().routed().events)
    for (let count = 0; count < 25_000; count++) recorder.record({ kind: 'response.ping', call })
    recorder.record({ kind: 'call.ended', call, outcome: 'cancelled', by: 'client' })
    const { events, omitted } = await ask('call.events', { call })
    expect(events).toHaveLength(20_000)
    expect(omitted).toBe(5_003)
    expect([events[0]?.kind, events.at(-1)?.kind]).toEqual(['call.received', 'call.ended'])
  })

  it('call.events gives a call of many events in pages', async () => {
    const long = 'x'.repeat(70_000)
    const call = play(new CallScript().received().routed().events)
    for (let count = 0; count < 5; count++) recorder.record({ kind: 'response.ping', call })
    recorder.record({ kind: 'upstream.frame', call, exchange: 1, form: 'event', raw: `data: ${long}` })
    const whole = await ask('call.events', { call })
    expect(whole.more).toBeUndefined()
    const first = await ask('call.events', { call, after: 0, limit: 4 })
    expect(first).toMatchObject({ more: true, clipped: [] })
    const rest = await ask('call.events', { call, after: first.events.at(-1)?.seq ?? 0, limit: 4 })
    expect([...first.events, ...rest.events]).toEqual(whole.events)
    expect(rest.more).toBeUndefined()
    expect(rest.clipped).toEqual(whole.clipped)
    expect(await ask('call.events', { call, after: whole.events.at(-1)?.seq ?? 0, limit: 4 })).toMatchObject({
      events: [],
      clipped: [],
    })
  })

  it('operation.calls and calls.search', async () => {
    const first = play(plainCall({ operation: 'op', round: 1 }))
    const second = play(plainCall({ operation: 'op', round: 2, params: { name: 'needle' } }))
    await recorder.flush()
    expect(await ask('operation.calls', { operation: 'op' })).toEqual({ calls: [first, second] })
    expect(await ask('operation.calls', { operation: 'none' })).toEqual({ calls: [] })
    expect(await ask('calls.search', { text: 'NEEDLE' })).toEqual({ calls: [second] })
  })

  it('backend.catalog and backend.refresh', async () => {
    expect(await ask('backend.catalog', { backend: 'weather' })).toEqual({ entries: [], problems: ['none yet'] })
    expect(await ask('backend.refresh', { backend: 'weather' })).toMatchObject({ name: 'weather', health: 'ready' })
  })

  const entryAt = (url: string) => JSON.stringify({ url })

  it('config.addBackend writes into the file, and says what is wrong with a name or a URL', async () => {
    await writeFile(join(folder, 'sluice.json'), '{"mcpServers":{}}')
    const entry = entryAt('http://127.0.0.1:3000/mcp')
    expect(await ask('config.addBackend', { name: 'files', entry })).toEqual({ added: 'files', held: null })
    const taken = await desk.command('config.addBackend', { name: 'files', entry })
    expect(taken).toMatchObject({ ok: false, error: { code: 'failed', hint: 'choose another name' } })
    const named = await desk.command('config.addBackend', { name: 'a__b', entry })
    expect(named).toMatchObject({
      ok: false,
      error: { code: 'invalid-request', message: expect.stringContaining('single "_"') as string },
    })
    const located = await desk.command('config.addBackend', { name: 'a', entry: entryAt('file:///etc/passwd') })
    expect(located).toMatchObject({
      ok: false,
      error: { code: 'failed', message: expect.stringContaining('http') as string },
    })
  })

  it('config.addBackend takes the JSON of an entry, with comments, and says what is wrong in it', async () => {
    const file = join(folder, 'sluice.json')
    await writeFile(file, '{"mcpServers":{}}')
    const command = { command: 'npx', args: ['-y', 'files server', ''], env: { ROOT: '${HOME}/files' } }
    const entry = `// here\n${JSON.stringify(command)}`
    expect(await ask('config.addBackend', { name: 'local', entry })).toEqual({ added: 'local', held: null })
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ mcpServers: { local: command } })
    for (const [entry, at, message] of [
      ['{ "command": "a", "args": ["b\\u0000c"] }', ['mcpServers', 'x', 'args', 0], 'NUL'],
      ['{ "command": "a", "url": "http://h/" }', ['mcpServers', 'x'], 'both'],
      ['{ "command": "a", "command": "b" }', ['mcpServers', 'x', 'command'], 'twice'],
      ['{ "command": ', ['mcpServers', 'x'], 'not valid JSON'],
      ['[]', ['mcpServers', 'x'], 'is no object'],
    ] as const) {
      const refused = await desk.command('config.addBackend', { name: 'x', entry })
      expect(refused).toMatchObject({
        ok: false,
        error: { code: 'failed', problems: [{ at, message: expect.stringContaining(message) as string }] },
      })
    }
  })

  it('backend.restart starts a process again, and says of others that they have none', async () => {
    expect(await ask('backend.restart', { backend: 'files' })).toMatchObject({ name: 'files', restartable: true })
    expect(idle.heard.restarts).toBe(1)
    const none = await desk.command('backend.restart', { backend: 'weather' })
    expect(none).toMatchObject({ ok: false, error: { code: 'failed', hint: expect.any(String) as string } })
  })

  it('backend.activity has the last lines of a backend, and the feed what follows', async () => {
    recorder.record({ kind: 'backend.started', backend: 'files', text: `process 7: ${COMMAND}` })
    recorder.record({ kind: 'backend.stderr', backend: 'files', text: 'go to http://h/?token=abcdef' })
    recorder.record({ kind: 'backend.stderr', backend: 'weather', text: 'of another' })
    recorder.record({ kind: 'backend.probed', backend: 'files', health: 'down', era: 'legacy', reason: 'it ended' })
    recorder.record({ kind: 'backend.catalog', backend: 'files', counts: COUNTS })
    await recorder.flush()
    const { lines } = await ask('backend.activity', { backend: 'files' })
    expect(lines).toMatchObject([
      { seq: 1, kind: 'started', text: `process 7: ${COMMAND}` },
      { seq: 2, kind: 'stderr', text: 'go to http://h/?token=«redacted 8»' },
      { seq: 4, kind: 'state', text: 'down, era legacy: it ended' },
    ])
    const fed = (backend: string) =>
      feeds.flatMap((message) =>
        message.feed === 'activity' && message.value.backend === backend ? message.value.lines : [],
      )
    await vi.waitFor(() => expect(fed('files')).toEqual(lines))
    expect(fed('weather')).toMatchObject([{ text: 'of another' }])
  })

  it('recording.set and demo.set', async () => {
    expect(await ask('recording.set', { on: false })).toMatchObject({ on: false })
    expect(await ask('recording.set', { on: true })).toMatchObject({ on: true })
    expect(await ask('demo.set', { running: false })).toEqual({ running: false })
    expect(demoRunning).toBe(false)
  })

  it('says what to do when this run cannot', async () => {
    await control.close()
    start({ configured: null, demo: null })
    const added = await desk.command('config.addBackend', { name: 'a', entry: entryAt('http://h/') })
    expect(added).toMatchObject({
      ok: false,
      error: { code: 'failed', hint: expect.stringContaining('--config') as string },
    })
    const demo = await desk.command('demo.set', { running: true })
    expect(demo).toMatchObject({
      ok: false,
      error: { code: 'failed', hint: expect.stringContaining('--demo') as string },
    })
  })

  it.each<[unknown, unknown, string]>([
    ['call.events', { call: 99 }, 'not-found'],
    ['call.text', { call: 99, seq: 1 }, 'not-found'],
    ['backend.catalog', { backend: 'nope' }, 'not-found'],
    ['backend.refresh', { backend: 'nope' }, 'not-found'],
    ['no.command', {}, 'invalid-request'],
    ['toString', {}, 'invalid-request'],
    ['__proto__', {}, 'invalid-request'],
    [7, {}, 'invalid-request'],
    ['calls.list', undefined, 'invalid-request'],
    ['calls.list', { after: -1 }, 'invalid-request'],
    ['calls.list', { after: 0, limit: 1e9 }, 'invalid-request'],
    ['calls.list', { after: 0, more: 1 }, 'invalid-request'],
    ['call.events', { call: '1' }, 'invalid-request'],
    ['call.events', { call: 1.5 }, 'invalid-request'],
    ['calls.search', { text: '' }, 'invalid-request'],
    ['calls.search', { text: 'x'.repeat(100_000) }, 'invalid-request'],
    ['desk.status', null, 'invalid-request'],
  ])('refuses %j %j as %s', async (name, request, code) => {
    expect(await desk.command(name, request)).toMatchObject({ ok: false, error: { code } })
  })

  it('does not run an unbounded number at once', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => desk.command('calls.search', { text: 'x' })))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(64)
  })
})

it('backends are listened to for as long as a desk is there', () => {
  expect(idle.heard.watching).toBe(1)
  const other = control.connect({ push: () => undefined, ready: () => true })
  expect(idle.heard.watching).toBe(2)
  other.close()
  desk.close()
  expect(idle.heard.watching).toBe(0)
})

describe('feeds', () => {
  it('gives changed rows in batches, at most 30 a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    for (let step = 0; step < 100; step++) {
      play(plainCall())
      recorder.events(1).catch(() => undefined)
      await vi.advanceTimersByTimeAsync(10)
    }
    await vi.advanceTimersByTimeAsync(100)
    const batches = feeds.filter(({ feed }) => feed === 'calls')
    expect(batches.length).toBeLessThanOrEqual(33)
    expect(batches.length).toBeGreaterThan(10)
    expect(new Map(rows().map((row) => [row.call, row.outcome])).size).toBe(100)
    expect(rows().at(-1)).toMatchObject({ call: 100, outcome: 'result' })
  })

  it('gives the events of opened calls only, and at once', async () => {
    desk.openCall(2)
    play(plainCall())
    const call = play(progressCall())
    const { events } = await ask('call.events', { call })
    expect(eventsOf(2)).toEqual(events)
    expect(eventsOf(1)).toEqual([])
    desk.closeCall(2)
    recorder.record({ kind: 'response.ping', call: 2 })
    await recorder.flush()
    expect(eventsOf(2)).toHaveLength(events.length)
  })

  it('takes no calls that are none', async () => {
    for (const call of ['1', 1.5, -1, null, {}, NaN]) desk.openCall(call)
    play(plainCall())
    await recorder.flush()
    expect(feeds.filter(({ feed }) => feed === 'call')).toEqual([])
  })

  it('gives a desk that was behind the newest rows, and every event of an opened call once', async () => {
    const call = play(
      new CallScript({ meta: { progressToken: 'p' } }).received().routed().sent().head().committed().events,
    )
    await recorder.flush()
    desk.openCall(call)
    recorder.record({ kind: 'response.ping', call })
    await recorder.flush()
    ready = false
    for (let step = 1; step <= 3_000; step++) {
      recorder.record({
        kind: 'upstream.frame',
        call,
        exchange: 1,
        form: 'event',
        raw: `data: ${JSON.stringify(progress(step))}`,
      })
      if (step % 100 === 0) await recorder.flush()
    }
    expect(eventsOf(call)).toHaveLength(1)
    ready = true
    const last = recorder.record({
      kind: 'upstream.frame',
      call,
      exchange: 1,
      form: 'event',
      raw: `data: ${JSON.stringify(result())}`,
    })
    await recorder.flush()
    await vi.waitFor(() => expect(eventsOf(call).at(-1)?.seq).toBe(last), { timeout: 5_000 })
    const seqs = eventsOf(call).map(({ seq }) => seq)
    expect(seqs).toEqual(Array.from({ length: 3_002 }, (_unused, index) => index + 6))
    await vi.waitFor(() => expect(rows().at(-1)?.call).toBe(call))
  })

  it('tells of backends, recording and the demo', async () => {
    idle.heard.changed()
    await vi.waitFor(() => expect(feeds.some(({ feed }) => feed === 'status')).toBe(true))
    feeds.length = 0
    await ask('demo.set', { running: false })
    await vi.waitFor(() => expect(feeds.at(-1)).toMatchObject({ feed: 'status', value: { demo: { running: false } } }))
  })

  it('ends with its desk', async () => {
    const others: string[] = []
    control.connect({ push: ({ feed }) => others.push(feed), ready: () => true })
    desk.openCall(1)
    desk.close()
    play(plainCall())
    idle.heard.changed()
    await recorder.flush()
    await vi.waitFor(() => expect(others).toEqual(expect.arrayContaining(['calls', 'status'])))
    expect(feeds).toEqual([])
  })
})
