import { describe, expect, it } from 'vitest'
import { CallScript } from '../../../test/capture/call-script'
import type { JsonObject } from '../protocol/json-rpc'
import { foldCall } from './fold'
import { MAX_STREAM_METHODS, MAX_STREAM_URIS } from './summary'

const note = (method: string, params: JsonObject = {}) => ({ jsonrpc: '2.0', method, params })
const streamOf = (script: CallScript) => foldCall(script.events).summary.stream

describe('subscriptions/listen', () => {
  const listen = (notifications: JsonObject) =>
    new CallScript({ method: 'subscriptions/listen', params: { notifications } }).received().committed()
  const acknowledged = (notifications: JsonObject) =>
    note('notifications/subscriptions/acknowledged', { notifications })

  it('tells what was asked for, what is honoured and what flowed', () => {
    const script = listen({
      toolsListChanged: true,
      promptsListChanged: false,
      resourceSubscriptions: ['a://1', 'a://2'],
    })
    expect(streamOf(script)).toMatchObject({
      kind: 'listen',
      asked: ['toolsListChanged', 'resourceSubscriptions'],
      honoured: null,
      uriCount: 2,
      lastAt: null,
    })
    script.frame(acknowledged({ toolsListChanged: true, resourceSubscriptions: ['a://1'] }))
    for (let times = 0; times < 3; times++) script.frame(note('notifications/tools/list_changed'))
    script.frame(note('notifications/resources/updated', { uri: 'a://1' }))
    expect(streamOf(script)).toEqual({
      kind: 'listen',
      asked: ['toolsListChanged', 'resourceSubscriptions'],
      honoured: ['toolsListChanged', 'resourceSubscriptions'],
      uris: ['a://1'],
      uriCount: 1,
      flowed: { 'notifications/tools/list_changed': 3, 'notifications/resources/updated': 1 },
      lastAt: script.events.at(-1)?.at,
      resumed: false,
    })
  })

  it('keeps little of a flood of names', () => {
    const uris = Array.from({ length: 500 }, (_, index) => `a://${index}`)
    const script = listen({ resourceSubscriptions: uris })
    for (let index = 0; index < 100; index++) script.frame(note(`notifications/${'x'.repeat(index)}`))
    script.frame(note('__proto__'))
    const stream = streamOf(script)
    expect(stream?.uris).toHaveLength(MAX_STREAM_URIS)
    expect(stream?.uriCount).toBe(500)
    expect(Object.keys(stream?.flowed ?? {})).toHaveLength(MAX_STREAM_METHODS + 1)
    expect(Object.values(stream?.flowed ?? {}).reduce((sum, count) => sum + count, 0)).toBe(101)
  })

  it('takes a filter that is none', () => {
    expect(streamOf(new CallScript({ method: 'subscriptions/listen', body: '{"torn' }).received())).toMatchObject({
      asked: [],
    })
  })
})

describe('the GET stream of a legacy session', () => {
  const get = (headers: [string, string][] = []) =>
    new CallScript({ body: '' }).received({ era: 'legacy', http: { method: 'GET', path: '/mcp', headers }, method: '' })

  it('is a stream, and says whether it resumes', () => {
    expect(streamOf(get())).toMatchObject({ kind: 'session', honoured: null, resumed: false })
    expect(streamOf(get([['Last-Event-ID', 'get-4']]))).toMatchObject({ resumed: true })
  })

  it('a call is none, nor is a GET of 2026-07-28, which has no such stream', () => {
    expect(streamOf(new CallScript().received({ era: 'legacy' }))).toBeNull()
    expect(streamOf(new CallScript().received({ http: { method: 'GET', path: '/mcp', headers: [] } }))).toBeNull()
  })

  it('counts what flows', () => {
    expect(streamOf(get().committed().frame(note('notifications/prompts/list_changed')))?.flowed).toEqual({
      'notifications/prompts/list_changed': 1,
    })
  })
})
