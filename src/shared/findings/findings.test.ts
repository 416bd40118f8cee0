import { describe, expect, it } from 'vitest'
import { CallScript, plainCall, progress, progressCall, result } from '../../../test/capture/call-script'
import { ALL_BROKEN } from '../../../test/findings/all-broken'
import {
  about,
  acknowledged,
  answered,
  elicitationDeclared,
  eliciting,
  listed,
  listen,
  refused,
  streamed,
  task,
  tokenMeta,
} from '../../../test/findings/scripts'
import { foldCall } from '../capture/fold'
import { META } from '../protocol/meta'
import { findingsOf, MAX_FINDINGS_PER_RULE } from './index'

function rulesOf(script: CallScript): string[] {
  return findingsOf(foldCall(script.events)).map(({ rule }) => rule)
}

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
    [
      'a retry of what was asked without a state',
      answered(result(), { params: { name: 'a', inputResponses: {} }, round: 2 }).events,
    ],
    ['a shed call that is tried again', answered(result(), { params: { name: 'a', requestState: 's' } }).events],
    ['an error with the id', answered({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'm' } }).events],
    [
      'a task that was declared',
      answered(result({ resultType: 'task', ...task }), {
        meta: { [META.clientCapabilities]: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
      }).events,
    ],
    ['a subscription', listen(acknowledged, about('notifications/tools/list_changed')).events],
    ['a state that expired', refused('expired').events],
    ['a cancelled stream', streamed().push({ kind: 'upstream.ended', exchange: 1, reason: 'cancelled' }).events],
    ['comments and events without data', streamed().upstream(': ping', 'comment').upstream('event: x').events],
    [
      'data that speaks of id:',
      streamed().upstream(
        'data: {"jsonrpc":"2.0","id":1,\ndata: "result":{"resultType":"complete","content":[],"id:":1}}',
      ).events,
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
    script.upstream('id: 1\ndata: {"jsonrpc":"2.0","id":1,"result":{"content":[]}}').upstreamEnded()
    expect(rulesOf(script)).toEqual([])
  })

  it('says nothing about texts that are not here whole', () => {
    const script = answered(result({ resultType: undefined }))
    const seqs = script.events.map(({ seq }) => [seq, 1_000_000] as const)
    expect(findingsOf(foldCall(script.events, new Map(seqs)))).toEqual([])
  })
})

describe('findings', () => {
  it.each(ALL_BROKEN)('%s (%#)', (rule, script) => {
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
