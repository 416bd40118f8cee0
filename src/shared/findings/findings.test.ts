import { describe, expect, it } from 'vitest'
import {
  CallScript,
  log,
  plainCall,
  progress,
  progressCall,
  PROTOCOL_META,
  result,
  type CallOptions,
} from '../../../test/capture/call-script'
import type { HeaderList, SealedState, StateRefusedReason } from '../capture/events'
import { foldCall } from '../capture/fold'
import type { JsonObject } from '../protocol/json-rpc'
import { META } from '../protocol/meta'
import { findingsOf, MAX_FINDINGS_PER_RULE } from './index'

function rulesOf(script: CallScript): string[] {
  return findingsOf(foldCall(script.events)).map(({ rule }) => rule)
}

/** A streamed call up to its head. */
function streamed(options: CallOptions = {}): CallScript {
  return new CallScript(options).received().routed().sent().head()
}

/** A call that ends with `message` as JSON. */
function answered(message: JsonObject, options: CallOptions = {}): CallScript {
  const script = new CallScript(options).received().routed().sent().head('application/json')
  return script.upstream(JSON.stringify(message), 'body').upstreamEnded().ended()
}

const tokenMeta: CallOptions = { meta: { progressToken: 'p' } }
const listed: CallOptions = { method: 'tools/list', params: {} }
const eliciting: JsonObject = { method: 'elicitation/create', params: {} }
const elicitationDeclared: CallOptions = { meta: { [META.clientCapabilities]: { elicitation: {} } } }

const sealed: SealedState = {
  version: 1,
  backend: 'b',
  endpoint: '/mcp',
  method: 'tools/call',
  target: 't',
  paramsDigest: 'd',
  callerDigest: null,
  operation: 'o',
  round: 1,
  issuedAt: 0,
  expiresAt: 1,
}
function refused(reason: StateRefusedReason): CallScript {
  const params = { name: 'forecast', requestState: 'x' }
  const script = new CallScript({ params }).received()
  return script.push({ kind: 'state.refused', outer: 'x', reason, ...(reason === 'expired' && { sealed }) })
}
function listen(...messages: JsonObject[]): CallScript {
  const script = streamed({ method: 'subscriptions/listen', params: { notifications: {} }, id: 'l' })
  for (const message of messages) script.event(message)
  return script
}
function about(method: string, id: string | number | undefined = 'l'): JsonObject {
  return { jsonrpc: '2.0', method, params: { _meta: { [META.subscriptionId]: id } } }
}
const acknowledged = about('notifications/subscriptions/acknowledged')

describe('calls without findings', () => {
  it.each<[string, CallScript['events']]>([
    ['a streamed call', progressCall()],
    ['a plain call', plainCall()],
    ['a call that is still open', progressCall().slice(0, 7)],
    ['a call whose beginning was lost', progressCall().slice(4)],
    ['nothing', []],
    ['a list with hints', answered(result({ tools: [], ttlMs: 0, cacheScope: 'private' }), listed).events],
    [
      'a resource that asks',
      answered(result({ resultType: 'input_required', requestState: 's' }), {
        method: 'resources/read',
        params: { uri: 'a://b' },
      }).events,
    ],
    [
      'questions that may be asked',
      answered(result({ resultType: 'input_required', inputRequests: { a: eliciting } }), elicitationDeclared).events,
    ],
    [
      'a retry with both fields',
      answered(result(), { params: { name: 'a', inputResponses: {}, requestState: 's' } }).events,
    ],
    ['a shed call that is tried again', answered(result(), { params: { name: 'a', requestState: 's' } }).events],
    ['an error with the id', answered({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'm' } }).events],
    [
      'a task that was declared',
      answered(result({ resultType: 'task' }), {
        meta: { [META.clientCapabilities]: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
      }).events,
    ],
    ['a subscription', listen(acknowledged, about('notifications/tools/list_changed')).events],
    ['a state that expired', refused('expired').events],
    ['a cancelled stream', streamed().push({ kind: 'upstream.ended', exchange: 1, reason: 'cancelled' }).events],
    ['comments and events without data', streamed().upstream(': ping', 'comment').upstream('event: x').events],
    [
      'data that speaks of id:',
      streamed().upstream('data: {"jsonrpc":"2.0","id":1,\ndata: "result":{"resultType":"complete","id:":1}}').events,
    ],
    [
      'a name that is encoded',
      answered(result(), {
        params: { name: 'é' },
        headers: [
          ['accept', 'text/event-stream, application/json'],
          ['mcp-protocol-version', '2026-07-28'],
          ['mcp-method', 'tools/call'],
          ['mcp-name', '=?base64?w6k=?='],
        ],
      }).events,
    ],
  ])('%s', (_name, events) => {
    expect(findingsOf(foldCall(events))).toEqual([])
  })

  it('says nothing about what a legacy backend does', () => {
    const script = new CallScript().received().routed({ backendEra: 'legacy' }).sent().head()
    script.upstream('id: 1\ndata: {"jsonrpc":"2.0","id":1,"result":{}}').upstreamEnded()
    expect(rulesOf(script)).toEqual([])
  })

  it('says nothing about texts that are not here whole', () => {
    const script = answered(result({ resultType: undefined }))
    const seqs = script.events.map(({ seq }) => [seq, 1_000_000] as const)
    expect(findingsOf(foldCall(script.events, new Map(seqs)))).toEqual([])
  })
})

function headersWithout(name: string, ...more: HeaderList): HeaderList {
  const all: HeaderList = [
    ['accept', 'application/json, text/event-stream'],
    ['mcp-protocol-version', '2026-07-28'],
    ['mcp-method', 'tools/call'],
    ['mcp-name', 'forecast'],
  ]
  return [...all.filter(([key]) => key !== name), ...more]
}

describe('findings', () => {
  it.each<[rule: string, script: CallScript]>([
    ['progress-not-increasing', streamed(tokenMeta).event(progress(2)).event(progress(2))],
    ['progress-not-increasing', streamed(tokenMeta).event(progress(2)).event(progress(1))],
    ['progress-without-token', streamed().event(progress(1))],
    ['progress-token-differs', streamed(tokenMeta).event(progress(1, 'q'))],
    ['progress-token-differs', streamed({ meta: { progressToken: 1 } }).event(progress(1, '1'))],
    ['log-without-level', streamed().event(log('error'))],
    ['log-below-level', streamed({ meta: { [META.logLevel]: 'warning' } }).event(log('info'))],
    ['log-level-unknown', streamed({ meta: { [META.logLevel]: 'debug' } }).event(log('verbose'))],
    ['message-after-response', streamed(tokenMeta).event(result()).event(progress(1))],
    ['message-after-response', streamed().event(result()).event(result())],
    ['stream-without-result', streamed().upstreamEnded()],
    ['stream-without-result', streamed().push({ kind: 'upstream.ended', exchange: 1, reason: 'lost' })],
    ['sse-id', streamed().upstream(`id: 1\ndata: ${JSON.stringify(result())}`)],
    ['sse-id', streamed().upstream(`data: ${JSON.stringify(result())}\r\nid`)],
    ['sse-retry', streamed().upstream(`event: message\rretry: 10\rdata: ${JSON.stringify(result())}`)],
    ['server-request', streamed().event({ jsonrpc: '2.0', id: 7, method: 'sampling/createMessage' })],
    ['result-type-missing', answered({ jsonrpc: '2.0', id: 1, result: {} })],
    ['result-type-unknown', answered(result({ resultType: 'partial' }))],
    ['result-type-unknown', answered(result({ resultType: 7 }))],
    ['result-type-task-undeclared', answered(result({ resultType: 'task' }))],
    ['input-required-not-allowed', answered(result({ resultType: 'input_required', requestState: 's' }), listed)],
    ['input-required-empty', answered(result({ resultType: 'input_required' }))],
    ['input-required-empty', answered(result({ resultType: 'input_required', inputRequests: {} }))],
    ['input-state-no-string', answered(result({ resultType: 'input_required', requestState: 7 }))],
    [
      'input-requests-no-object',
      answered(result({ resultType: 'input_required', requestState: 's', inputRequests: [] })),
    ],
    [
      'input-request-unknown',
      answered(result({ resultType: 'input_required', inputRequests: { a: { method: 'tools/call' } } })),
    ],
    [
      'input-request-unknown',
      answered(result({ resultType: 'input_required', inputRequests: { a: { method: 'toString' } } })),
    ],
    ['input-request-undeclared', answered(result({ resultType: 'input_required', inputRequests: { a: eliciting } }))],
    ['cache-ttl-missing', answered(result({ cacheScope: 'public' }), listed)],
    ['cache-ttl-invalid', answered(result({ cacheScope: 'public', ttlMs: -1 }), listed)],
    ['cache-scope-missing', answered(result({ ttlMs: 1 }), listed)],
    ['cache-scope-invalid', answered(result({ ttlMs: 1, cacheScope: 'shared' }), listed)],
    ['response-id-differs', answered(result({}, 2))],
    ['response-id-differs', answered(result({}, '1'))],
    ['response-id-missing', answered({ jsonrpc: '2.0', error: { code: -32603, message: 'm' } })],
    ['error-code-given-up', answered({ jsonrpc: '2.0', id: 1, error: { code: -32002, message: 'm' } })],
    ['error-code-reserved', answered({ jsonrpc: '2.0', id: 1, error: { code: -32050, message: 'm' } })],
    [
      'content-type-wrong',
      new CallScript().received().routed().sent().head('text/plain').upstream(JSON.stringify(result()), 'body'),
    ],
    ['body-not-framed', streamed().upstream(JSON.stringify(result()), 'body')],
    ['not-json-rpc', streamed().upstream('data: {"torn"')],
    ['not-json-rpc', answered({ id: 1, result: { resultType: 'complete' } })],
    ['request-not-json-rpc', new CallScript({ body: '[1]' }).received()],
    [
      'request-id-null',
      new CallScript({
        body: `{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"forecast","_meta":${JSON.stringify(PROTOCOL_META)}}}`,
      }).received(),
    ],
    ['request-meta-missing', new CallScript({ meta: { [META.clientCapabilities]: undefined } }).received()],
    ['request-meta-missing', new CallScript({ meta: { [META.clientCapabilities]: [] } }).received()],
    ['header-missing', new CallScript({ headers: headersWithout('mcp-method') }).received()],
    ['header-missing', new CallScript({ headers: headersWithout('mcp-name') }).received()],
    ['header-missing', new CallScript({ headers: headersWithout('mcp-protocol-version') }).received()],
    ['header-mismatch', new CallScript({ headers: headersWithout('mcp-name', ['Mcp-Name', 'Forecast']) }).received()],
    [
      'header-mismatch',
      new CallScript({ headers: headersWithout('mcp-name', ['Mcp-Name', '=?base64?!?=']) }).received(),
    ],
    [
      'header-mismatch',
      new CallScript({ headers: headersWithout('mcp-method', ['Mcp-Method', 'tools/list']) }).received(),
    ],
    ['accept-incomplete', new CallScript({ headers: headersWithout('accept', ['Accept', '*/*']) }).received()],
    ['state-not-echoed', refused('malformed')],
    ['state-not-echoed', refused('unauthentic')],
    ['retry-differs', refused('request_mismatch')],
    ['state-of-another-caller', refused('caller_mismatch')],
    ['state-missing', new CallScript({ params: { name: 'forecast', inputResponses: {} } }).received()],
    ['retry-not-allowed', new CallScript({ method: 'tools/list', params: { requestState: 's' } }).received()],
    ['subscription-not-acknowledged', listen(about('notifications/tools/list_changed'))],
    ['subscription-id-differs', listen(about('notifications/subscriptions/acknowledged', 7))],
    [
      'session-id',
      new CallScript()
        .received()
        .routed()
        .sent()
        .push({
          kind: 'upstream.head',
          exchange: 1,
          status: 200,
          headers: [
            ['Content-Type', 'application/json'],
            ['Mcp-Session-Id', '1'],
          ],
        }),
    ],
  ])('%s (%#)', (rule, script) => {
    expect(rulesOf(script)).toEqual([rule])
  })

  it('calls an error page of a backend a warning, not an error', () => {
    const script = new CallScript().received().routed().sent().head('text/html', 502).upstream('<html>', 'body')
    expect(findingsOf(foldCall(script.events))).toMatchObject([{ rule: 'not-json-rpc', severity: 'warning' }])
  })

  it('expects the token that the gateway gave to the backend', () => {
    const script = new CallScript(tokenMeta).received()
    script.routed({ edits: [{ what: 'progressToken', at: '/params/_meta/progressToken', was: '"p"', now: '7' }] })
    script.sent().head().event(progress(1, 7))
    expect(rulesOf(script)).toEqual([])
  })

  it('says in a sentence what, with the section and the event', () => {
    const [finding] = findingsOf(foldCall(streamed(tokenMeta).event(progress(3)).event(progress(1)).events))
    expect(finding).toEqual({
      rule: 'progress-not-increasing',
      severity: 'error',
      leg: 'backend',
      message: 'Progress went from 3 to 1; it must increase with every notification.',
      spec: 'basic/patterns/progress',
      seq: 6,
    })
  })

  it('makes its point with a bounded number', () => {
    const script = streamed(tokenMeta)
    for (let count = 0; count < 1_000; count++) script.event(progress(1))
    expect(rulesOf(script)).toHaveLength(MAX_FINDINGS_PER_RULE)
  })
})
