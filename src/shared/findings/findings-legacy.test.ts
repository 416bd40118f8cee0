import { describe, expect, it } from 'vitest'
import { CallScript, log, progress, result } from '../../../test/capture/call-script'
import { eliciting } from '../../../test/findings/scripts'
import { foldCall } from '../capture/fold'
import type { JsonObject } from '../protocol/json-rpc'
import { META } from '../protocol/meta'
import { findingsOf } from './index'

function rulesOf(script: CallScript): string[] {
  return findingsOf(foldCall(script.events)).map(({ rule }) => rule)
}

const plain: JsonObject = { jsonrpc: '2.0', id: 1, result: { content: [] } }
const asks: JsonObject = { jsonrpc: '2.0', id: 7, method: 'roots/list' }
const listed = { method: 'tools/list', params: {} }
const body = (message: JsonObject) => (script: CallScript) =>
  script.head('application/json').upstream(JSON.stringify(message), 'body')
const stream =
  (...messages: JsonObject[]) =>
  (script: CallScript) => {
    script.head()
    for (const message of messages) script.event(message)
    return script
  }

/** What a backend does, and the rule that it breaks when it speaks 2026-07-28. */
const BROKEN_BY_MODERN: [rule: string, does: (script: CallScript) => CallScript, options?: typeof listed][] = [
  ['result-type-missing', body(plain)],
  ['cache-ttl-missing', body(result({ tools: [], cacheScope: 'public' })), listed],
  ['cache-scope-missing', body(result({ tools: [], ttlMs: 1 })), listed],
  ['error-code-given-up', body({ jsonrpc: '2.0', id: 1, error: { code: -32002, message: 'no such resource' } })],
  ['error-code-given-up', body({ jsonrpc: '2.0', id: 1, error: { code: -32042, message: 'open this URL' } })],
  ['error-code-reserved', body({ jsonrpc: '2.0', id: 1, error: { code: -32050, message: 'own code' } })],
  ['response-id-differs', body(result({}, '1'))],
  ['server-request', stream(asks, result())],
  ['log-without-level', stream(log('info'), result())],
  ['message-after-response', stream(result(), log('info'))],
  ['sse-id', (script) => script.head().upstream(`id: 1\ndata: ${JSON.stringify(result())}`)],
  ['sse-retry', (script) => script.head().upstream(`retry: 10\ndata: ${JSON.stringify(result())}`)],
  ['stream-without-result', (script) => script.head().upstreamEnded()],
  ['content-type-wrong', (script) => script.head('text/plain').upstream(JSON.stringify(result()), 'body')],
  ['body-not-framed', (script) => script.head().upstream(JSON.stringify(result()), 'body')],
  ['not-json-rpc', (script) => script.head().upstream('data: [{"jsonrpc":"2.0"}]')],
  ['input-required-empty', body(result({ resultType: 'input_required' }))],
  [
    'session-id',
    (script) =>
      script.push({
        kind: 'upstream.head',
        exchange: 1,
        status: 200,
        headers: [
          ['Content-Type', 'application/json'],
          ['Mcp-Session-Id', '1'],
        ],
      }),
  ],
]

describe('rules of 2026-07-28', () => {
  it.each(BROKEN_BY_MODERN)('%s is no fault of a legacy backend (%#)', (rule, does, options) => {
    const script = (era: 'modern' | 'legacy'): CallScript =>
      does(new CallScript(options ?? {}).received().routed({ backendEra: era }).sent())
    expect(rulesOf(script('modern'))).toContain(rule)
    expect(rulesOf(script('legacy'))).toEqual([])
  })

  it.each(BROKEN_BY_MODERN)('%s, where both eras are asked for a merged answer (%#)', (rule, does, options) => {
    const script = (era: 'modern' | 'legacy'): CallScript => {
      const merged = new CallScript(options ?? {}).received()
      merged.push({ kind: 'call.routed', backend: null, backends: ['a', 'b'], operation: 'o', round: 1, edits: [] })
      const http = { method: 'POST', url: 'http://b/', headers: [] }
      merged.push({ kind: 'upstream.sent', exchange: 1, backend: 'b', era, http, body: '{"id":1}' })
      return does(merged)
    }
    expect(rulesOf(script('modern'))).toContain(rule)
    expect(rulesOf(script('legacy'))).toEqual([])
  })

  it('the subscription rules leave unasked messages of legacy backends alone', () => {
    const script = new CallScript({ method: 'subscriptions/listen', params: { notifications: {} }, id: 'l' }).received()
    script.push({ kind: 'call.routed', backend: null, backends: ['a'], operation: 'o', round: 1, edits: [] })
    const raw = 'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
    script.push({ kind: 'upstream.frame', exchange: 4, form: 'event', unasked: 'a', raw })
    expect(rulesOf(script)).toEqual([])
  })

  it('a call that was tried in the one era and then in the other is judged by each', () => {
    const script = new CallScript().received().routed().sent().head('application/json', 400)
    script.upstream('{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"no session"}}', 'body')
    script.routed({ backendEra: 'legacy' }).sent(2).head('application/json', 200, 2)
    script.upstream(JSON.stringify(plain), 'body', 2).ended()
    expect(rulesOf(script)).toEqual([])
  })
})

describe('progress of legacy backends', () => {
  const began = () =>
    new CallScript({ meta: { progressToken: 'p' } }).received().routed({ backendEra: 'legacy' }).sent()
  it('must increase in all revisions', () => {
    const findings = findingsOf(foldCall(began().head().event(progress(2)).event(progress(1)).events))
    expect(findings).toMatchObject([
      { rule: 'progress-not-increasing', spec: '2025-11-25 basic/utilities/progress', seq: 6 },
    ])
  })
  it('has the token that it was given', () => {
    expect(rulesOf(began().head().event(progress(1, 'q')))).toEqual(['progress-token-differs'])
  })
})

describe('legacy clients', () => {
  const legacy = (meta: JsonObject = {}) => {
    const params = { name: 'a', _meta: meta }
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    return new CallScript({ body: text, headers: [] }).received({ era: 'legacy' }).routed()
  }
  const upstream = (meta: JsonObject) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', _meta: meta } })

  it('need neither the header fields nor the _meta of 2026-07-28', () => {
    expect(rulesOf(legacy().sent().head('application/json').upstream(JSON.stringify(result()), 'body'))).toEqual([])
  })

  it.each(['GET', 'DELETE'])('may send %s without a body', (method) => {
    const http = { method, path: '/mcp', headers: [] }
    expect(rulesOf(new CallScript({ body: '' }).received({ era: 'legacy', http }))).toEqual([])
  })

  it('post answers to what they were asked', () => {
    const text = '{"jsonrpc":"2.0","id":"sluice-1","result":{"action":"accept"}}'
    expect(rulesOf(new CallScript({ body: text }).received({ era: 'legacy' }))).toEqual([])
  })

  it('a POST that is no message stays one', () => {
    expect(rulesOf(new CallScript({ body: '[' }).received({ era: 'legacy' }))).toEqual(['request-not-json-rpc'])
  })

  it('are told log messages at the level that the gateway asked for', () => {
    const asked = (level: string) => legacy().sent(1, upstream({ [META.logLevel]: level }))
    expect(rulesOf(asked('info').head().event(log('info')).event(result()))).toEqual([])
    expect(rulesOf(asked('error').head().event(log('info')).event(result()))).toEqual(['log-below-level'])
  })

  it('can be asked what the gateway declared for them', () => {
    const inputRequests = { a: eliciting }
    const asked = (capabilities: JsonObject) =>
      legacy()
        .sent(1, upstream({ [META.clientCapabilities]: capabilities }))
        .head('application/json')
        .upstream(JSON.stringify(result({ resultType: 'input_required', inputRequests })), 'body')
    expect(rulesOf(asked({ elicitation: {} }))).toEqual([])
    expect(rulesOf(asked({}))).toEqual(['input-request-undeclared'])
  })

  it('progress begins anew with each round that the gateway drives', () => {
    const script = legacy({ progressToken: 'p' })
    script
      .sent()
      .head()
      .event(progress(1))
      .event(result({ resultType: 'input_required', requestState: 's' }))
    script.routed({ round: 2 }).sent(2).head('text/event-stream', 200, 2).event(progress(1), 2).event(result(), 2)
    expect(rulesOf(script)).toEqual([])
  })
})
