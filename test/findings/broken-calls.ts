import { CallScript, log, progress, PROTOCOL_META, result } from '../capture/call-script'
import type { RuleId } from '../../src/shared/findings/guide'
import { META } from '../../src/shared/protocol/meta'
import {
  about,
  acknowledgement,
  answered,
  eliciting,
  headersWithout,
  listed,
  listen,
  refused,
  streamed,
  task,
  tokenMeta,
} from './scripts'

/** A call that breaks one rule and no other. */
export type BrokenCall = [rule: RuleId, script: CallScript]

export const BROKEN_CALLS: BrokenCall[] = [
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
  ['result-type-missing', answered({ jsonrpc: '2.0', id: 1, result: { content: [] } })],
  ['result-type-unknown', answered(result({ resultType: 'partial' }))],
  ['result-type-unknown', answered(result({ resultType: 7 }))],
  ['result-type-task-undeclared', answered(result({ resultType: 'task', ...task }))],
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
  ['cache-ttl-missing', answered(result({ tools: [], cacheScope: 'public' }), listed)],
  ['cache-ttl-invalid', answered(result({ tools: [], cacheScope: 'public', ttlMs: -1 }), listed)],
  ['cache-scope-missing', answered(result({ tools: [], ttlMs: 1 }), listed)],
  ['cache-scope-invalid', answered(result({ tools: [], ttlMs: 1, cacheScope: 'shared' }), listed)],
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
  ['header-mismatch', new CallScript({ headers: headersWithout('mcp-name', ['Mcp-Name', '=?base64?!?=']) }).received()],
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
  ['subscription-id-differs', listen(acknowledgement({}, 7))],
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
]
