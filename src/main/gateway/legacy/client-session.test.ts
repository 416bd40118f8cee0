import { describe, expect, it } from 'vitest'
import { ClientSession, type SessionFacts } from './client-session'
import { EventStore } from './event-store'
import { SessionStore } from './session-store'

const facts = (more: Partial<SessionFacts> = {}): SessionFacts => ({
  endpoint: '/mcp',
  backend: undefined,
  caller: null,
  protocolVersion: '2025-11-25',
  clientInfo: {},
  capabilities: {},
  ...more,
})

describe('ClientSession', () => {
  it.each([
    [{}, 'elicitation/create', {}, false],
    [{ elicitation: {} }, 'elicitation/create', {}, true],
    [{ elicitation: {} }, 'elicitation/create', { mode: 'form' }, true],
    [{ elicitation: {} }, 'elicitation/create', { mode: 'url' }, false],
    [{ elicitation: { url: {} } }, 'elicitation/create', { mode: 'url' }, true],
    [{ sampling: {} }, 'sampling/createMessage', {}, true],
    [{ roots: {} }, 'roots/list', undefined, true],
    [{ roots: {} }, 'sampling/createMessage', {}, false],
    [{ roots: {} }, 'something/else', {}, false],
  ])('with %j can answer %s %j: %s', (capabilities, method, params, can) =>
    expect(new ClientSession(facts({ capabilities })).canAnswer(method, params)).toBe(can),
  )

  it('asks under ids of its own, and takes each answer once', async () => {
    const session = new ClientSession(facts())
    const sent: { id: string }[] = []
    const ask = () =>
      session.ask(7, 'roots/list', undefined, new AbortController().signal, (text) =>
        sent.push(JSON.parse(text) as { id: string }),
      )
    const [one, two] = [ask(), ask()]
    expect(session.answer({ id: sent[1]?.id, result: { roots: [] } })).toBe(7)
    expect(session.answer({ id: sent[1]?.id, result: {} })).toBeUndefined()
    expect(session.answer({ id: 'never', result: {} })).toBeUndefined()
    expect(session.answer({ id: sent[0]?.id, error: { code: -1, message: 'no' } })).toBe(7)
    expect(await two).toEqual({ result: { roots: [] } })
    expect(await one).toEqual({ error: { code: -1, message: 'no' } })
  })

  it('what was asked ends with the call, and with the session', async () => {
    const session = new ClientSession(facts())
    const call = new AbortController()
    const byCall = session.ask(7, 'roots/list', undefined, call.signal, () => undefined)
    const bySession = session.ask(7, 'roots/list', undefined, new AbortController().signal, () => undefined)
    call.abort()
    expect(await byCall).toMatchObject({ error: { code: -32603 } })
    await session.close()
    expect(await bySession).toMatchObject({ error: { code: -32603 } })
  })
})

describe('EventStore', () => {
  it('gives what followed an event on its own stream only', () => {
    const store = new EventStore()
    const first = store.append('a', '1')
    store.append('b', 'x')
    store.append('a', '2', true)
    expect(store.after(first.id)?.events.map(({ text, last }) => [text, last])).toEqual([['2', true]])
    expect(store.after('a.99')).toBeUndefined()
  })
  it('tells followers until they leave', () => {
    const store = new EventStore()
    const heard: string[] = []
    const leave = store.follow('a', { event: ({ text }) => heard.push(text), replaced: () => heard.push('replaced') })
    store.append('a', '1')
    store.append('b', '2')
    leave()
    store.append('a', '3')
    expect([heard, store.followed('a')]).toEqual([['1'], false])
  })
  it('forgets the oldest beyond its bounds', () => {
    const store = new EventStore()
    const first = store.append('a', 'x'.repeat(5_000_000))
    const second = store.append('a', 'x'.repeat(5_000_000))
    expect(store.after(first.id)).toBeUndefined()
    expect(store.after(second.id)?.events).toEqual([])
    for (let count = 0; count < 1_001; count++) store.append('b', '')
    expect(store.after(second.id)).toBeUndefined()
  })
})

describe('SessionStore', () => {
  it('finds a session for its own endpoint and caller only', () => {
    const store = new SessionStore()
    const session = store.open(facts({ caller: 'me' }))
    expect(store.find(session.id, '/mcp', 'me')).toBe(session)
    expect(store.find(session.id, '/mcp', null)).toBeUndefined()
    expect(store.find(session.id, '/mcp', 'you')).toBeUndefined()
    expect(store.find(session.id, '/mcp/a', 'me')).toBeUndefined()
    expect(store.find('x', '/mcp', 'me')).toBeUndefined()
  })
  it('the longest unused gives way beyond the bound', () => {
    let now = 0
    const store = new SessionStore(() => now)
    const first = store.open(facts())
    first.lastUsed = 0
    for (let count = 1; count < 1_000; count++) store.open(facts()).lastUsed = ++now
    store.open(facts())
    expect([store.size, first.closed]).toEqual([1_000, true])
  })
})
