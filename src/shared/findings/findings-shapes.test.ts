import { describe, expect, it } from 'vitest'
import { CallScript, log, progress, result } from '../../../test/capture/call-script'
import { batch } from '../../../test/findings/broken-messages'
import {
  acknowledgement,
  about,
  answered,
  asking,
  cachedResultOf,
  failed,
  gives,
  legacyAnswer,
  listen,
  resultOf,
  streamed,
  tool,
} from '../../../test/findings/scripts'
import { foldCall } from '../capture/fold'
import type { JsonObject, JsonValue } from '../protocol/json-rpc'
import { META } from '../protocol/meta'
import { findingsOf, MAX_FINDINGS_PER_RULE } from './index'

function rulesOf(script: CallScript): string[] {
  return findingsOf(foldCall(script.events)).map(({ rule }) => rule)
}
const REDACTED = '«redacted 16»'
const legacyResult = (value: JsonValue, method = 'tools/call') =>
  legacyAnswer({ jsonrpc: '2.0', id: 1, result: value }, method === 'tools/call' ? {} : { method, params: {} })
const image = (data: string): JsonObject => ({ type: 'image', mimeType: 'image/png', data })
const form = (properties: JsonObject) =>
  asking({ method: 'elicitation/create', params: { message: 'm', requestedSchema: { type: 'object', properties } } })

describe('nothing is found in', () => {
  it.each<[string, CallScript]>([
    ['no content', gives()],
    [
      'content of all kinds',
      gives(
        { type: 'text', text: '' },
        image('aGVsbG8='),
        { type: 'audio', mimeType: 'audio/wav', data: '' },
        { type: 'resource_link', uri: 'a://b', name: 'b' },
        { type: 'resource', resource: { uri: 'a://b', text: '' } },
        { type: 'resource', resource: { uri: 'a://b', blob: 'aGk=' } },
      ),
    ],
    ['a large image', gives(image('QUJD'.repeat(100_000)))],
    ['structured content of any value', answered(result({ content: [], structuredContent: [1] }))],
    ['content that was redacted', gives({ type: 'text', text: REDACTED }, image(REDACTED), REDACTED)],
    [
      'a result that was redacted',
      answered({ jsonrpc: '2.0', id: 1, result: { resultType: 'complete', content: REDACTED } }),
    ],
    ['a legacy task', legacyResult({ task: { taskId: 't', status: 'working' } })],
    ['content of a legacy tool', legacyResult({ content: [{ type: 'text', text: 'a' }], structuredContent: { a: 1 } })],
    ['the last page', cachedResultOf('tools/list', { tools: [tool(), tool({ name: 'a.b-c_D' })] })],
    ['an empty cursor', cachedResultOf('resources/list', { resources: [{ uri: 'a://b', name: 'b' }], nextCursor: '' })],
    [
      'an output schema of any type',
      cachedResultOf('tools/list', { tools: [tool({ outputSchema: { type: 'array' } })] }),
    ],
    [
      'schemas that were redacted',
      cachedResultOf('tools/list', {
        tools: [
          tool({ inputSchema: { type: 'object', properties: { token: REDACTED } } }),
          tool({ name: REDACTED, inputSchema: REDACTED }),
        ],
      }),
    ],
    ['an input schema of legacy', legacyResult({ tools: [tool()] }, 'tools/list')],
    [
      'a hundred completions',
      resultOf(
        'completion/complete',
        { completion: { values: Array.from({ length: 100 }, String), total: 200, hasMore: true } },
        { ref: {}, argument: {} },
      ),
    ],
    ['a handler without the method', failed({ code: -32601, message: 'm' })],
    ['a method that is not there', failed({ code: -32601, message: 'm' }, 404)],
    ['an empty message', failed({ code: 7, message: '' })],
    [
      'a version that is not supported',
      failed({ code: -32022, message: 'm', data: { supported: ['a'], requested: 'b' } }, 400),
    ],
    ['an error within a stream', streamed().event({ jsonrpc: '2.0', id: 1, error: { code: -32020, message: 'm' } })],
    ['notifications of other domains', streamed().event({ jsonrpc: '2.0', method: 'com.example/thing' })],
    [
      'a subscription to a resource',
      listenTo(
        { resourceSubscriptions: ['a://b'] },
        { ...(about('notifications/resources/updated').params as JsonObject), uri: 'a://b/c' },
      ),
    ],
    [
      'all fields of a form',
      form({
        a: { type: 'string', format: 'date' },
        b: { type: 'integer' },
        c: { type: 'boolean', default: true },
        d: { type: 'string', oneOf: [{ const: 'x', title: 'X' }] },
        e: { type: 'array', items: { anyOf: [{ const: 'x' }] } },
        f: { type: 'array', items: { type: 'string', enum: ['x'] } },
        g: REDACTED,
      }),
    ],
    [
      'a URL that may be asked for',
      asking(
        { method: 'elicitation/create', params: { message: 'm', mode: 'url', url: 'https://a/' } },
        { elicitation: { url: {} } },
      ),
    ],
    ['a batch of 2025-03-26', batch('2025-03-26')],
    [
      'answers to questions',
      new CallScript({
        params: {
          name: 'forecast',
          requestState: 's',
          inputResponses: {
            a: { action: 'accept', content: { n: 1, s: 's', b: false, l: ['x'] } },
            b: { action: 'decline' },
            c: { role: 'assistant', model: 'm', content: { type: 'text', text: 't' } },
            d: { roots: [] },
            e: REDACTED,
          },
        },
      }).received(),
    ],
    ['a number as progress token', new CallScript({ meta: { progressToken: 0 } }).received()],
    [
      'initialize of a legacy client',
      new CallScript({
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} },
      }).received({ era: 'legacy' }),
    ],
  ])('%s', (_name, script) => {
    expect(rulesOf(script)).toEqual([])
  })

  it('a list that the gateway asked for itself, to find who has a resource', () => {
    const script = new CallScript({ method: 'resources/read', params: { uri: 'a://b' } })
      .received()
      .routed({ backendEra: 'legacy' })
    script.sent(1, '{"jsonrpc":"2.0","id":1,"method":"resources/list"}').head('application/json')
    script.upstream('{"jsonrpc":"2.0","id":1,"result":{"resources":[]}}', 'body').ended()
    expect(rulesOf(script)).toEqual([])
  })

  it('lines of a shared process that are about another request', () => {
    const line = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
    expect(rulesOf(new CallScript().received().routed().sent().upstream(line, 'line'))).toEqual([])
  })
})

describe('hostile answers', () => {
  it.each<[string, JsonValue]>([
    ['thousands of blocks', Array.from({ length: 20_000 }, () => ({ type: 'x' }))],
    ['thousands of nulls', Array.from({ length: 20_000 }, () => null)],
  ])('%s make their point with a bounded number', (_name, content) => {
    expect(rulesOf(answered(result({ content })))).toHaveLength(MAX_FINDINGS_PER_RULE)
  })

  it('names of members of every object are no types, methods or actions', () => {
    const names = ['toString', 'constructor', '__proto__', 'hasOwnProperty']
    for (const name of names) {
      expect(rulesOf(gives({ type: name }))).toEqual(['content-block-unknown'])
      expect(rulesOf(streamed().event({ jsonrpc: '2.0', method: name }))).toEqual([])
      expect(rulesOf(answered(result(), { method: name, params: {} }))).toEqual([])
    }
  })

  it('deep nesting is looked at no deeper than the protocol is', () => {
    let deep: JsonValue = 1
    for (let depth = 0; depth < 2_000; depth++)
      deep = { properties: { a: deep }, items: [deep], type: 'object' }.properties
    expect(
      rulesOf(cachedResultOf('tools/list', { tools: [tool({ inputSchema: { type: 'object', properties: deep } })] })),
    ).toEqual([])
  })

  it('log messages and acknowledgements of any shape throw nothing', () => {
    for (const params of [null, [], 7, 'text', { level: [], data: null }] as JsonValue[]) {
      const script = streamed({ meta: { [META.logLevel]: 'debug' } })
      script
        .event({ ...log('info'), params })
        .event({ ...progress(1), params })
        .event({ ...acknowledgement({}), params })
      expect(() => rulesOf(script)).not.toThrow()
      expect(() => rulesOf(listen({ ...acknowledgement({}), params }))).not.toThrow()
    }
  })
})

/** A subscription with this filter, and a notification with these parameters. */
function listenTo(notifications: JsonObject, params: JsonObject): CallScript {
  const script = streamed({ method: 'subscriptions/listen', params: { notifications }, id: 'l' })
  return script
    .event(acknowledgement(notifications))
    .event({ jsonrpc: '2.0', method: 'notifications/resources/updated', params })
}
