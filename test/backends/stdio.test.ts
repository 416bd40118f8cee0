import { describe, expect, it } from 'vitest'
import type { Stray } from '../../src/main/backends/backend'
import {
  ANY_SIGNAL,
  legacyCall,
  messagesOf,
  modernCall,
  partsOf,
  run,
  scripted,
  textResult,
  typescriptServer,
} from './running-backend'

describe('a modern server (SDK 2, stdio)', () => {
  it('is found by server/discover, and answers calls with the lines as they were', async () => {
    const { backend, activities } = run(typescriptServer('v2-stdio.ts'))
    expect(await backend.discover()).toMatchObject({
      health: 'ready',
      era: 'modern',
      serverInfo: { name: 'v2', version: '2.0.0' },
      discovered: { supportedVersions: ['2026-07-28'] },
    })
    const request = modernCall('progress')
    const parts = await partsOf(backend.exchange(request, ANY_SIGNAL))
    expect(parts[0]).toEqual({ kind: 'sent', method: 'stdio', url: backend.command, headers: [] })
    expect(parts.at(-1)).toEqual({ kind: 'ended', reason: 'complete' })
    expect(messagesOf(parts)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: request.id, progress: 1 } },
      { method: 'notifications/progress', params: { progress: 2 } },
      { method: 'notifications/progress', params: { progress: 3 } },
      { id: request.id, ...textResult('done') },
    ])
    for (const part of parts) if (part.kind === 'frame') expect(part).toMatchObject({ form: 'line', raw: part.data })
    expect(activities[0]).toMatchObject({ kind: 'started', text: expect.stringMatching(/^process \d+: /) as string })
  })

  it('calls run side by side, each with its own answer', async () => {
    const { backend } = run(typescriptServer('v2-stdio.ts'))
    const texts = ['a', 'b', 'c', 'd']
    const answers = await Promise.all(
      texts.map(async (text) => messagesOf(await partsOf(backend.exchange(modernCall('echo', { text }), ANY_SIGNAL)))),
    )
    expect(answers).toMatchObject(texts.map((text) => [textResult(text)]))
  })

  it('log messages go to the call that asked for them', async () => {
    const { backend } = run(typescriptServer('v2-stdio.ts'))
    await backend.discover()
    const waiting = new AbortController()
    const other = partsOf(backend.exchange(modernCall('wait'), waiting.signal))
    const parts = await partsOf(backend.exchange(modernCall('log', {}, { logLevel: 'info' }), ANY_SIGNAL))
    expect(messagesOf(parts)).toMatchObject([{ method: 'notifications/message' }, textResult('done')])
    waiting.abort()
    expect(messagesOf(await other)).toEqual([])
  })

  it('an abort is a notifications/cancelled, and ends the parts at once', async () => {
    const { backend, activity } = run(typescriptServer('v2-stdio.ts'))
    await backend.discover()
    const abort = new AbortController()
    const parts = partsOf(backend.exchange(modernCall('wait'), abort.signal))
    // Answers come in order, so that the other call has begun.
    await partsOf(backend.exchange(modernCall('echo', { text: '' }), ANY_SIGNAL))
    abort.abort()
    expect((await parts).at(-1)).toMatchObject({ kind: 'ended', reason: 'cancelled' })
    await activity('stderr', 'wait was cancelled')
  })

  it('messages of a subscription go to the call that opened it', async () => {
    const { backend } = run(typescriptServer('v2-stdio.ts'))
    await backend.discover()
    const abort = new AbortController()
    const listen = modernCall(
      '',
      {},
      { method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } },
    )
    const listening = backend.exchange(listen, abort.signal)
    const methods: unknown[] = []
    for await (const part of listening) {
      if (part.kind !== 'frame' || part.data === undefined) continue
      methods.push((JSON.parse(part.data) as { method: unknown }).method)
      if (methods.length === 1) await partsOf(backend.exchange(modernCall('bump'), ANY_SIGNAL))
      if (methods.length === 2) break
    }
    expect(methods).toEqual(['notifications/subscriptions/acknowledged', 'notifications/tools/list_changed'])
  })

  it('a server of both eras is modern when asked, and legacy when configuration says so', async () => {
    const { backend } = run(typescriptServer('v2-stdio.ts', 'legacy'))
    expect(await backend.discover()).toMatchObject({ health: 'ready', era: 'modern' })
    const legacy = run({ ...typescriptServer('v2-stdio.ts', 'legacy'), era: 'legacy' })
    expect(await legacy.backend.discover()).toMatchObject({ health: 'ready', era: 'legacy', initialized: {} })
    const session = await legacy.backend.shared([])
    expect(messagesOf(await partsOf(session.exchange(legacyCall('echo', { text: 'x' }), ANY_SIGNAL)))).toMatchObject([
      textResult('x'),
    ])
  })
})

describe('a legacy server (SDK 1, stdio)', () => {
  it('is initialized once, on the same process, after it did not know server/discover', async () => {
    const { backend, activities } = run(typescriptServer('v1-stdio.ts'))
    expect(await backend.discover()).toMatchObject({
      health: 'ready',
      era: 'legacy',
      serverInfo: { name: 'v1', version: '1.2.3' },
      initialized: { protocolVersion: '2025-11-25', instructions: 'for tests', capabilities: { logging: {} } },
    })
    expect(await backend.discover()).toMatchObject({ health: 'ready', era: 'legacy' })
    expect(activities.filter(({ kind }) => kind === 'started' || kind === 'restarted')).toHaveLength(1)
    const session = await backend.shared([])
    expect(await backend.shared([])).toBe(session)
    const request = legacyCall('progress')
    expect(messagesOf(await partsOf(session.exchange(request, ANY_SIGNAL)))).toMatchObject([
      { params: { progressToken: request.id, progress: 1 } },
      { params: { progress: 2 } },
      { params: { progress: 3 } },
      { id: request.id, ...textResult('done') },
    ])
  })

  it('a request and a log message are for the only call under way', async () => {
    const { backend } = run(typescriptServer('v1-stdio.ts'))
    const session = await backend.shared([])
    const strays: Stray[] = []
    session.onStray((stray) => strays.push(stray))
    const messages: unknown[] = []
    for await (const part of session.exchange(legacyCall('elicit'), ANY_SIGNAL)) {
      if (part.kind !== 'frame') continue
      messages.push(JSON.parse(part.data ?? '') as unknown)
      part.respond?.(accepting(part.data ?? ''))
      part.respond?.('{"a second":"response"}')
    }
    expect(messages).toMatchObject([{ method: 'elicitation/create' }, textResult('accept {"name":"Ada"}')])
    expect(messagesOf(await partsOf(session.exchange(legacyCall('log'), ANY_SIGNAL)))).toMatchObject([
      { method: 'notifications/message' },
      textResult('done'),
    ])
    expect(strays).toEqual([])
  })

  it('with several calls under way a request is a stray of every handle on the process, a log message is noise', async () => {
    const { backend, activity } = run(typescriptServer('v1-stdio.ts'))
    const first = await backend.shared([])
    const second = await backend.open({ clientInfo: {}, capabilities: {}, protocolVersion: '2025-06-18', headers: [] })
    expect(second).not.toBe(first)
    expect(second.connection).toBe(first.connection)
    const strays: Stray[] = []
    const seconds: Stray[] = []
    first.onStray((stray) => {
      strays.push(stray)
      stray.respond?.(accepting(stray.data))
    })
    second.onStray((stray) => {
      seconds.push(stray)
      stray.respond?.('{"a second":"response"}')
    })
    const abort = new AbortController()
    const other = partsOf(first.exchange(legacyCall('wait'), abort.signal))
    const parts = await partsOf(second.exchange(legacyCall('elicit'), ANY_SIGNAL))
    expect(messagesOf(parts)).toMatchObject([textResult('accept {"name":"Ada"}')])
    await partsOf(first.exchange(legacyCall('log'), ANY_SIGNAL))
    await activity('noise', 'notifications/message')
    await partsOf(first.exchange(legacyCall('bump'), ANY_SIGNAL))
    const methods = ['elicitation/create', 'notifications/tools/list_changed']
    expect(strays.map(({ data }) => (JSON.parse(data) as { method: unknown }).method)).toEqual(methods)
    expect(seconds).toHaveLength(2)
    expect(strays[1]?.respond).toBeUndefined()
    abort.abort()
    await other
  })

  it('a request of the server is refused while nobody listens', async () => {
    const { backend } = run(typescriptServer('v1-stdio.ts'))
    const session = await backend.shared([])
    const abort = new AbortController()
    const other = partsOf(session.exchange(legacyCall('wait'), abort.signal))
    expect(messagesOf(await partsOf(session.exchange(legacyCall('elicit'), ANY_SIGNAL)))).toMatchObject([
      { error: { message: expect.stringContaining('No client is there') as string } },
    ])
    abort.abort()
    await other
  })

  it('an abort is a notifications/cancelled', async () => {
    const { backend, activity } = run(typescriptServer('v1-stdio.ts'))
    const session = await backend.shared([])
    const abort = new AbortController()
    const parts = partsOf(session.exchange(legacyCall('wait'), abort.signal))
    await partsOf(session.exchange(legacyCall('echo', { text: '' }), ANY_SIGNAL))
    expect(session.inFlight).toBe(1)
    abort.abort()
    expect((await parts).at(-1)).toMatchObject({ reason: 'cancelled' })
    expect(session.inFlight).toBe(0)
    await activity('stderr', 'wait was cancelled')
  })

  it('"per-session" gives each session a process of its own, with what its client declares', async () => {
    const { backend, activity } = run({ ...scripted(), instances: 'per-session' })
    await backend.discover()
    expect(backend.state.initialized?.raw.declared).toMatchObject({ capabilities: {}, clientInfo: { name: 'sluice' } })
    const opening = {
      clientInfo: { name: 'c' },
      capabilities: { roots: {} },
      protocolVersion: '2025-06-18',
      headers: [],
    }
    const session = await backend.open(opening)
    expect(session.initialized).toMatchObject({
      protocolVersion: '2025-06-18',
      raw: { declared: { clientInfo: { name: 'c' }, capabilities: { roots: {} } } },
    })
    const shared = await backend.shared([])
    expect(session.connection).not.toBe(shared.connection)
    const closed = new Promise((resolve) => session.onClosed(resolve))
    await partsOf(session.exchange(legacyCall('die'), ANY_SIGNAL))
    expect(await closed).toBe('the process exited with code 7')
    expect(session.open).toBe(false)
    expect(backend.state.health).toBe('ready')
    await activity('exited', 'exited with code 7')
    expect((await partsOf(session.exchange(legacyCall('echo'), ANY_SIGNAL))).at(-1)).toMatchObject({ reason: 'lost' })
  })
})

describe('eras of a server that answers oddly', () => {
  it.each([
    ['other-modern', { health: 'degraded', era: 'modern' }],
    [
      'refuses-initialize',
      { health: 'down', reason: expect.stringContaining('refuses initialize with error -32603: not today') as string },
    ],
    ['future', { health: 'down', reason: expect.stringContaining('"2099-01-01"') as string }],
    ['ignores-discover', { health: 'ready', era: 'legacy' }],
    ['late-discover', { health: 'ready', era: 'modern' }],
  ])('%s', async (mode, expected) => {
    const modes = mode === 'late-discover' ? [mode, 'modern'] : [mode]
    const { backend } = run(scripted(...modes), { timing: { discoverMs: 100, restartPausesMs: [60_000] } })
    expect(await backend.discover()).toMatchObject(expected)
  })

  it('one that is late and knows no initialize is started again once, and not waited for', async () => {
    const modes = ['late-discover', 'modern', 'ignores-initialize']
    const { backend, activities } = run(scripted(...modes), { timing: { discoverMs: 100, initializeMs: 60_000 } })
    expect(await backend.discover()).toMatchObject({ health: 'ready', era: 'modern' })
    expect(activities.filter(({ kind }) => kind === 'restarted')).toHaveLength(1)
  })

  it('one that ends on server/discover gets initialize the next time', async () => {
    const { backend, health, states } = run(scripted('dies-on-discover'))
    await backend.discover()
    expect(states.map(({ reason }) => reason)).toContainEqual(expect.stringContaining('exited with code 9'))
    expect(await health('ready')).toMatchObject({ era: 'legacy' })
  })

  it('a silent one is down after the time for initialize', async () => {
    const timing = { discoverMs: 50, initializeMs: 100, restartPausesMs: [60_000] }
    const { backend } = run(scripted('silent'), { timing })
    expect(await backend.discover()).toMatchObject({
      health: 'down',
      reason: expect.stringContaining('no answer to initialize') as string,
    })
  })
})

describe('what a process does wrong', () => {
  it('noise on stdout is reported, and hurts nothing', async () => {
    const { backend, activity } = run(scripted('noisy', 'modern'))
    await backend.discover()
    await activity('noise', 'Listening for requests…')
    await activity('noise', '{"half":')
    expect(messagesOf(await partsOf(backend.exchange(modernCall('noise'), ANY_SIGNAL)))).toMatchObject([
      textResult('done'),
    ])
    await activity('noise', 'debug: here I am')
  })

  it('keeps every character of a line', async () => {
    const { backend } = run(scripted('modern'))
    const request = modernCall('spelling')
    const parts = await partsOf(backend.exchange(request, ANY_SIGNAL))
    expect(parts).toContainEqual({
      kind: 'frame',
      form: 'line',
      raw: `{ "jsonrpc":"2.0",  "id":${request.id}, "result":{"n":1.0,"big":12345678901234567890} }`,
      data: `{ "jsonrpc":"2.0",  "id":${request.id}, "result":{"n":1.0,"big":12345678901234567890} }`,
    })
  })

  it('answers by the string form of an id, batches and answers to nobody', async () => {
    const { backend, activity } = run(scripted('modern'))
    expect(messagesOf(await partsOf(backend.exchange(modernCall('string-id'), ANY_SIGNAL)))).toMatchObject([
      textResult('by its string form'),
    ])
    expect(messagesOf(await partsOf(backend.exchange(modernCall('batch'), ANY_SIGNAL)))).toMatchObject([
      { method: 'notifications/progress' },
      textResult('batched'),
    ])
    await partsOf(backend.exchange(modernCall('unknown-id'), ANY_SIGNAL))
    await activity('noise', 'it answers no request that is under way: .*never-asked')
  })

  it('a ping is answered by the connector', async () => {
    const { backend, activity } = run(scripted())
    const session = await backend.shared([])
    await partsOf(session.exchange(legacyCall('pings'), ANY_SIGNAL))
    await activity('stderr', 'got {"jsonrpc":"2.0","id":"ping-1","result":{}}')
  })

  it('a message over the limit ends the call that it was for, and no other', async () => {
    const { backend } = run(scripted('modern'), { maxMessageBytes: 50_000 })
    const abort = new AbortController()
    const other = partsOf(backend.exchange(modernCall('never'), abort.signal))
    const parts = await partsOf(backend.exchange(modernCall('giant'), ANY_SIGNAL))
    expect(parts.at(-1)).toMatchObject({
      reason: 'protocol',
      detail: expect.stringContaining('maxMessageBytes') as string,
    })
    const nameless = await partsOf(backend.exchange(modernCall('nameless-giant'), ANY_SIGNAL))
    expect(nameless.at(-1)).toMatchObject({ reason: 'protocol' })
    expect((await other).at(-1)).toMatchObject({ reason: 'protocol' })
    expect(messagesOf(await partsOf(backend.exchange(modernCall('fine'), ANY_SIGNAL)))).toMatchObject([
      textResult('fine'),
    ])
  })

  it('a call whose reader is slow ends, instead of holding up the others', async () => {
    const { backend, activity } = run(scripted('modern'), { maxMessageBytes: 50_000 })
    await backend.discover()
    const slow = backend.exchange(modernCall('flood'), ANY_SIGNAL)
    await activity('stderr', 'notifications/cancelled')
    expect(messagesOf(await partsOf(backend.exchange(modernCall('fine'), ANY_SIGNAL)))).toMatchObject([
      textResult('fine'),
    ])
    expect((await partsOf(slow)).at(-1)).toMatchObject({
      reason: 'protocol',
      detail: expect.stringContaining('too slowly') as string,
    })
  })

  it('modern log messages that could be for two calls are noise', async () => {
    const { backend, activity } = run(scripted('modern'))
    const abort = new AbortController()
    const other = partsOf(backend.exchange(modernCall('never', {}, { logLevel: 'info' }), abort.signal))
    const parts = await partsOf(backend.exchange(modernCall('log', {}, { logLevel: 'info' }), ANY_SIGNAL))
    expect(messagesOf(parts)).toMatchObject([textResult('done')])
    await activity('noise', 'names no call')
    abort.abort()
    await other
  })

  it('a request of a modern server is for the only call to show, without a way to respond', async () => {
    const { backend } = run(scripted('modern'))
    await backend.discover()
    for await (const part of backend.exchange(modernCall('asks'), ANY_SIGNAL)) {
      if (part.kind !== 'frame') continue
      expect(part).toMatchObject({ data: expect.stringContaining('sampling/createMessage') as string })
      expect(part.respond).toBeUndefined()
      break
    }
  })
})

function accepting(request: string): string {
  const { id } = JSON.parse(request) as { id: unknown }
  return JSON.stringify({ jsonrpc: '2.0', id, result: { action: 'accept', content: { name: 'Ada' } } })
}
