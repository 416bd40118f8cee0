import type { SealedState } from '../../src/shared/capture/events'
import { asked, complete, Writer, type Step } from './modern-script'

const sealed = (round: number, operation: string, inner: string | undefined): SealedState => ({
  version: 1,
  backend: 'booking',
  endpoint: '/mcp',
  method: 'tools/call',
  target: 'booking__book_trip',
  ...(inner === undefined ? {} : { inner }),
  paramsDigest: 'sha256-7f3ac1d09b4e55aa0c7d1f2e',
  callerDigest: null,
  operation,
  round,
  issuedAt: Math.floor(Date.now() / 1000) - 22,
  expiresAt: Math.floor(Date.now() / 1000) + 578,
})
const INNER =
  'v1.eyJwIjp7ImRlcGFydCI6IjIwMjctMDUtMDEiLCJuaWdodHMiOjMsInByaWNlIjozMTV9LCJleHAiOjE3OTU5NTk5NDJ9.dHPRFEGH-p6QZama_u_6QEFwuf8OwuOkjDHpAQBwjqQ'
const outer = (round: number) =>
  `eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiazEifQ..${'q7Xf-3'.repeat(90 + round * 6)}.Qk7w${round}`

function trip(number: number, round: number, operation: string, params: object): Writer {
  return new Writer(
    number,
    asked(number, {
      method: 'tools/call',
      name: 'booking__book_trip',
      backend: 'booking',
      operation,
      round,
      params: { arguments: { city: 'Kyoto' }, ...params },
    }),
  )
}

export const bookTrip: { round: number; scenario: (number: number, operation: string) => Step[] }[] = [
  {
    round: 1,
    scenario: (number, operation) => {
      const out = trip(number, 1, operation, {})
      out.add(30, { kind: 'state.sealed', outer: outer(1), kid: 'k-2026-11', sealed: sealed(1, operation, undefined) })
      return out.body(
        36,
        {
          resultType: 'input_required',
          inputRequests: {
            dates: {
              method: 'elicitation/create',
              params: {
                mode: 'form',
                message: 'When do you want to go to Kyoto?',
                requestedSchema: {
                  type: 'object',
                  properties: {
                    depart: { type: 'string', format: 'date', title: 'Departure' },
                    nights: { type: 'integer' },
                  },
                  required: ['depart', 'nights'],
                },
              },
            },
          },
          requestState: outer(1),
        },
        'input-required',
      )
    },
  },
  {
    round: 2,
    scenario: (number, operation) => {
      const out = trip(number, 2, operation, {
        requestState: outer(1),
        inputResponses: { dates: { action: 'accept', content: { depart: '2027-05-01', nights: 3 } } },
      })
      out.add(2, { kind: 'state.opened', outer: outer(1), kid: 'k-2026-11', sealed: sealed(1, operation, undefined) })
      out.add(33, { kind: 'state.sealed', outer: outer(2), kid: 'k-2026-11', sealed: sealed(2, operation, INNER) })
      return out.body(
        39,
        {
          resultType: 'input_required',
          inputRequests: {
            confirmation: {
              method: 'elicitation/create',
              params: {
                mode: 'form',
                message: '3 nights in Kyoto from 2027-05-01 cost 315 €.',
                requestedSchema: {
                  type: 'object',
                  properties: { confirm: { type: 'boolean' } },
                  required: ['confirm'],
                },
              },
            },
          },
          requestState: outer(2),
        },
        'input-required',
      )
    },
  },
  {
    round: 2,
    scenario: (number, operation) => {
      const out = new Writer(
        number,
        asked(number, {
          method: 'tools/call',
          name: 'booking__book_trip',
          params: { arguments: { city: 'Osaka' }, requestState: outer(2) },
        }),
      )
      out.add(0.8, { kind: 'call.routed', backend: null, operation, round: 2, edits: [] })
      out.add(1, {
        kind: 'state.refused',
        outer: outer(2),
        reason: 'request_mismatch',
        sealed: sealed(2, operation, INNER),
        differs: { field: 'params', sealed: 'sha256-7f3a…', now: 'sha256-02bc…' },
      })
      const error = { code: -32602, message: 'The request state belongs to another request.' }
      out.commit(1.4, 'json', 'error', 400)
      out.add(1.5, {
        kind: 'response.frame',
        form: 'body',
        message: 'error',
        raw: JSON.stringify({ jsonrpc: '2.0', id: number, error: { ...error, data: { reason: 'request_mismatch' } } }),
        edits: [],
      })
      return out.end(1.7, 'error', 'gateway', error)
    },
  },
  {
    round: 3,
    scenario: (number, operation) => {
      const out = trip(number, 3, operation, {
        requestState: outer(2),
        inputResponses: { confirmation: { action: 'accept', content: { confirm: true } } },
      })
      out.add(2, { kind: 'state.opened', outer: outer(2), kid: 'k-2026-11', sealed: sealed(2, operation, INNER) })
      return out.body(41, complete('Booked: 3 nights in Kyoto from 2027-05-01 for 315 €'))
    },
  },
]
