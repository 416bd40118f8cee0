import { describe, expect, it } from 'vitest'
import type { CallEvent, Edit, SealedState } from '../../shared/capture/events'
import { foldCall } from '../../shared/capture/fold'
import { readInnerState, shortToken } from './inner-state'
import { operationOf } from './rounds-model'

const SEALED: SealedState = {
  version: 1,
  backend: 'booking',
  endpoint: '/mcp',
  method: 'tools/call',
  target: 'book_trip',
  inner: 'v1.eyJzdGVwIjoxfQ.bWFj',
  paramsDigest: 'd',
  callerDigest: null,
  operation: 'op',
  round: 1,
  issuedAt: 0,
  expiresAt: 600,
}
const ASKED =
  '{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"dates":{"method":"elicitation/create","params":{"mode":"form","message":"When?","requestedSchema":{"type":"object","properties":{"from":{"type":"string","format":"date"},"class":{"enum":["a","b"]}},"required":["from"]}}},"who":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Name it"}}]}}},"requestState":"OUTER1"}}'
const DONE = '{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"Booked."}]}}'

function call(
  number: number,
  at: number,
  params: object,
  middle: (stamp: (offset: number) => { seq: number; at: number; call: number }) => CallEvent[],
) {
  let seq = number * 100
  const stamp = (offset: number) => ({ seq: seq++, at: at + offset, call: number })
  return foldCall([
    {
      ...stamp(0),
      kind: 'call.received',
      endpoint: '/mcp',
      era: 'modern',
      http: { method: 'POST', path: '/mcp', headers: [] },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: number,
        method: 'tools/call',
        params: { name: 'book_trip', ...params },
      }),
      method: 'tools/call',
      name: 'book_trip',
      deferralWindowMs: 15_000,
      responseMode: 'auto',
    },
    ...middle(stamp),
  ])
}
const routed = (round: number, backend = 'booking') => ({
  kind: 'call.routed' as const,
  backend,
  operation: 'op',
  round,
  edits: [] as Edit[],
})

const first = call(1, 0, {}, (stamp) => [
  { ...stamp(10), ...routed(1) },
  { ...stamp(20), kind: 'state.sealed', outer: 'OUTER1', kid: 'k', sealed: SEALED },
  { ...stamp(30), kind: 'response.frame', form: 'body', message: 'result', raw: ASKED, edits: [] },
  { ...stamp(40), kind: 'call.ended', outcome: 'input-required', by: 'backend' },
])
const second = (state: string, backend?: string) =>
  call(
    2,
    1_000_000,
    {
      requestState: state,
      inputResponses: { dates: { action: 'accept', content: { from: 'x' } }, who: { role: 'assistant' } },
    },
    (stamp) => [
      { ...stamp(10), ...routed(2, backend) },
      { ...stamp(20), kind: 'state.opened', outer: state, kid: 'k', sealed: SEALED },
      { ...stamp(30), kind: 'response.frame', form: 'body', message: 'result', raw: DONE, edits: [] },
      { ...stamp(40), kind: 'call.ended', outcome: 'result', by: 'backend' },
    ],
  )

describe('operationOf', () => {
  it('tells what was asked and what was answered', () => {
    const { rounds } = operationOf([first, second('OUTER1')])
    expect(rounds[0]!.asks).toEqual([
      {
        key: 'dates',
        method: 'elicitation/create',
        mode: 'form',
        message: 'When?',
        url: null,
        fields: ['from: string (date)', 'class?: "a" | "b"'],
      },
      { key: 'who', method: 'sampling/createMessage', mode: null, message: 'Name it', url: null, fields: [] },
    ])
    expect(rounds[1]!.answers).toEqual([
      { key: 'dates', action: 'accept', content: { from: 'x' } },
      { key: 'who', action: null, content: { role: 'assistant' } },
    ])
    expect(rounds[1]!.result).toBe('Booked.')
  })
  it('sums up the operation', () => {
    expect(operationOf([first, second('OUTER1')])).toMatchObject({
      complete: true,
      duration: 1_000_040,
      waited: 999_960,
      echoed: true,
      sameBackend: true,
    })
    expect(operationOf([first])).toMatchObject({ complete: false, echoed: null, sameBackend: null })
  })
  it('sees a changed state and another backend', () => {
    expect(operationOf([first, second('OUTER2', 'other')])).toMatchObject({ echoed: false, sameBackend: false })
  })
  it('keeps a refused retry apart and compares the next one with the round before it', () => {
    const refused = call(3, 500_000, { requestState: 'BROKEN' }, (stamp) => [
      { ...stamp(5), kind: 'state.refused', outer: 'BROKEN', reason: 'unauthentic' },
      { ...stamp(9), kind: 'call.ended', outcome: 'error', by: 'gateway', error: { code: -32602, message: 'refused' } },
    ])
    const { rounds, complete, waited } = operationOf([first, refused, second('OUTER1')])
    expect(waited).toBe(999_960)
    expect(rounds.map((round) => round.echoed)).toEqual([null, false, true])
    expect(rounds[1]).toMatchObject({ refused: { reason: 'unauthentic' }, result: 'refused' })
    expect(complete).toBe(true)
  })
})

describe('inner state', () => {
  it('reads the payload of a signed state', () => {
    expect(readInnerState('v1.eyJzdGVwIjoxLCJuIjoiw6kifQ.bWFj')).toEqual({
      version: 'v1',
      payload: '{"step":1,"n":"é"}',
      mac: 'bWFj',
    })
  })
  it.each(['', 'opaque', 'v1.%%%.x', 'v1.AAAA.x', 'v1.a.b', 'a.b.c', 'v1.eyJ9.mac'])('leaves %j alone', (state) => {
    expect(readInnerState(state)).toBeNull()
  })
  it('shortens a token but not beyond telling apart', () => {
    expect(shortToken('short')).toBe('short')
    expect(shortToken('a'.repeat(600) + 'ending')).toBe(`${'a'.repeat(18)}…nding · 606 B`)
  })
})
