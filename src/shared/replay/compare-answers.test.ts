import { describe, expect, it } from 'vitest'
import { CallScript, log, plainCall, progress, progressCall, result } from '../../../test/capture/call-script'
import { foldCall } from '../capture/fold'
import type { CallEvent } from '../capture/events'
import type { JsonObject, JsonValue } from '../protocol/json-rpc'
import { compareExchanges } from './compare-answers'
import { compareRules } from './compare-rules'
import { recordedExchanges, type RecordedExchange } from './recorded-exchange'

const read = compareRules()
if ('problem' in read) throw new Error(read.problem)
const { rules } = read

function exchange(events: readonly CallEvent[]): RecordedExchange {
  const [first] = recordedExchanges(foldCall(events))
  if (first === undefined) throw new Error('no exchange')
  return first
}

function streamed(frames: JsonValue[], answer: JsonValue = result(), wait = 0): RecordedExchange {
  const script = new CallScript().received().routed().sent().head()
  for (const frame of frames) script.wait(wait).event(frame)
  return exchange(script.event(answer).upstreamEnded().ended().events)
}

function differences(was: RecordedExchange, now: RecordedExchange) {
  return compareExchanges(was, now, rules).differences
}

describe('compareExchanges', () => {
  it('finds nothing between two runs that differ in ids, tokens and time', () => {
    const was = exchange(progressCall({ call: 3, id: 7 }))
    const script = new CallScript({ id: 'other', meta: { progressToken: 99 } })
      .received()
      .routed()
      .sent()
      .wait(90_000)
      .head()
    for (const frame of [progress(1, 99), log('info'), progress(2, 99)]) script.event(frame)
    const now = exchange(script.event(result({}, 'other')).upstreamEnded().ended().events)
    const { differences: found, timing } = compareExchanges(was, now, rules)
    expect(found).toEqual([])
    expect(timing.was).toEqual({ first: 1_000, answer: 9_000, frames: 4 })
    expect(timing.now.first).toBe(91_000)
  })

  describe('structured content that is repeated as text', () => {
    const told = (structured: JsonObject, text: unknown = structured, more: JsonObject[] = []): RecordedExchange => {
      const content = [{ type: 'text', text: typeof text === 'string' ? text : JSON.stringify(text, null, 2) }, ...more]
      return streamed([], result({ content, structuredContent: structured }))
    }

    it('differs once', () => {
      expect(differences(told({ unit: 'C', n: 1 }), told({ n: 1, unit: 'F' }))).toEqual([
        { path: '/result/structuredContent/unit', was: 'C', now: 'F' },
      ])
    })

    it('is left out with one rule', () => {
      const ignoring = compareRules({ ignore: ['/structuredContent/age'] })
      if ('problem' in ignoring) throw new Error(ignoring.problem)
      expect(compareExchanges(told({ age: 1 }), told({ age: 2 }), ignoring.rules).differences).toEqual([])
    })

    it('differs where only one of the answers repeats it, and where the text says something else', () => {
      expect(differences(told({ a: 1 }), told({ a: 2 }, 'a is 2'))).toHaveLength(2)
      expect(differences(told({ a: 1 }, '{"a":3}'), told({ a: 1 }, '{"a":4}'))).toEqual([
        { path: '/result/content/0/text', was: '{"a":3}', now: '{"a":4}' },
      ])
      const more = [{ type: 'text', text: 'more' }]
      expect(differences(told({ a: 1 }), told({ a: 1 }, { a: 1 }, more))).toEqual([
        { path: '/result/content/1', now: more[0] },
      ])
    })

    it('differs twice where everything counts', () => {
      const exact = compareRules({ exact: true })
      if ('problem' in exact) throw new Error(exact.problem)
      expect(compareExchanges(told({ a: 1 }), told({ a: 2 }), exact.rules).differences).toHaveLength(2)
    })
  })

  it('tells of a result that became an error, with the status', () => {
    const now = new CallScript().received().routed().sent().head('application/json', 400)
    now.upstream('{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}', 'body')
    expect(differences(exchange(plainCall()), exchange(now.events))).toEqual([
      { path: '/outcome', was: 'result', now: 'error' },
      { path: '/status', was: 200, now: 400 },
      { path: '/result', was: { resultType: 'complete', content: [] } },
      { path: '/error', now: { code: -32602, message: 'no' } },
    ])
  })

  it('tells of an answer that did not come, and why', () => {
    const now = new CallScript().received().routed().sent()
    now.push({ kind: 'upstream.ended', exchange: 1, reason: 'lost', detail: 'socket hang up' })
    expect(differences(exchange(plainCall()), exchange(now.events))[0]).toEqual({
      path: '/outcome',
      was: 'result',
      now: 'no answer: lost',
    })
  })

  it('takes a frame that is new or gone as one difference, and not as a change of all that follow', () => {
    const was = [progress(1), progress(2), progress(3), log('info', 'done')]
    expect(differences(streamed(was), streamed([progress(1), progress(3), log('info', 'done')]))).toEqual([
      { path: '/frames/1', was: { method: 'notifications/progress', params: progress(2).params as JsonObject } },
    ])
    expect(differences(streamed(was), streamed([progress(1), progress(2), log('debug'), ...was.slice(2)]))).toEqual([
      { path: '/frames/2', now: { method: 'notifications/message', params: log('debug').params as JsonObject } },
    ])
  })

  it('compares a frame that changed member by member', () => {
    expect(differences(streamed([log('info', { a: 1, b: 2 })]), streamed([log('warning', { a: 1, b: 3 })]))).toEqual([
      { path: '/frames/0/params/level', was: 'info', now: 'warning' },
      { path: '/frames/0/params/data/b', was: 2, now: 3 },
    ])
  })

  it('takes time and pings for no difference', () => {
    const was = new CallScript().received().routed().sent().head().upstream(': ping', 'comment')
    const slow = streamed([], result(), 5_000_000)
    expect(differences(exchange(was.event(result()).events), slow)).toEqual([])
  })

  it('compares across eras without what only one of them has', () => {
    const legacy = new CallScript()
      .received({ era: 'legacy' })
      .routed({ backendEra: 'legacy' })
      .sent()
      .head('application/json', 202)
    legacy.upstream('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}', 'body')
    const modern = new CallScript().received().routed().sent().head('application/json')
    const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '2' } }
    modern.upstream(JSON.stringify(result({ ttlMs: 5, cacheScope: 'private', _meta })), 'body')
    expect(differences(exchange(legacy.events), exchange(modern.events))).toEqual([])
    expect(differences(exchange(plainCall()), exchange(modern.events)).map(({ path }) => path)).toEqual([
      '/result/cacheScope',
      '/result/_meta',
    ])
  })
})

describe('recordedExchanges', () => {
  it('reads both legs of a call into what the backend was asked and answered', () => {
    const [read] = recordedExchanges(
      foldCall(progressCall({ params: { name: 'forecast', arguments: { city: 'Oslo' } } })),
    )
    expect(read).toMatchObject({
      call: 1,
      backend: 'weather',
      era: 'modern',
      method: 'tools/call',
      name: 'forecast',
      params: { arguments: { city: 'Oslo' } },
      operation: 'op-1',
      round: 1,
      head: { status: 200, offset: 1_000 },
      outcome: 'result',
      endedBy: 'backend',
      cut: null,
    })
    expect(read?.frames.map(({ form, offset }) => [form, offset])).toEqual([
      ['event', 2_000],
      ['event', 5_000],
      ['event', 7_000],
      ['event', 9_000],
    ])
  })

  it('says when only a part was recorded', () => {
    const events = plainCall()
    const sent = events.find(({ kind }) => kind === 'upstream.sent')
    if (sent !== undefined) sent.cut = 99_999_999
    expect(recordedExchanges(foldCall(events))[0]?.cut).toBe('only the beginning of its request was recorded')
  })

  it('refuses what nests without end', () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
    const script = new CallScript().received().routed().sent().head('application/json')
    script.upstream(`{"jsonrpc":"2.0","id":1,"result":{"content":${deep}}}`, 'body')
    const [read] = recordedExchanges(foldCall(script.events))
    expect(read?.cut).toBe('its answer is too long or too deep to be read')
  })
})
