import { describe, expect, it } from 'vitest'
import { CallScript, result } from '../../../test/capture/call-script'
import { foldCall } from '../../shared/capture/fold'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import { drivenRounds } from './driven-rounds'

const ask = (message: string): JsonObject => ({ method: 'elicitation/create', params: { message } })
const asking = (requestState: string, inputRequests: JsonObject) =>
  result({ resultType: 'input_required', requestState, inputRequests })
const sent = (params: JsonObject) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'book', ...params } })

function toClient(script: CallScript, id: string, message: string): CallScript {
  const raw = JSON.stringify({ jsonrpc: '2.0', id, ...ask(message) })
  return script.push({ kind: 'response.frame', form: 'event', message: 'request', raw, edits: [] })
}
function answered(script: CallScript, id: string, answer: JsonObject): CallScript {
  const raw = JSON.stringify({ jsonrpc: '2.0', id, ...answer })
  return script.push({ kind: 'request.answered', by: 'client', raw })
}

/** Two questions in round 1, one in round 2, then the result. */
function booking(state = 's1'): CallScript {
  const script = new CallScript().received({ era: 'legacy' }).routed().sent(1, sent({}))
  script.upstream(JSON.stringify(asking('s1', { when: ask('When?'), who: ask('Who?') })), 'body').upstreamEnded()
  answered(toClient(script, 'q1', 'When?'), 'q1', { result: { action: 'accept', content: { date: 'May' } } })
  answered(toClient(script, 'q2', 'Who?'), 'q2', { result: { action: 'decline' } })
  const responses = { when: { action: 'accept', content: { date: 'May' } }, who: { action: 'decline' } }
  script.routed({ round: 2 }).sent(2, sent({ requestState: state, inputResponses: responses }))
  script.upstream(JSON.stringify(asking('s2', { sure: ask('Sure?') })), 'body', 2)
  return toClient(script, 'q3', 'Sure?')
}

describe('drivenRounds', () => {
  it('tells round by round what was asked, answered and kept in between', () => {
    const script = answered(booking(), 'q3', { result: { action: 'accept' } })
    script.routed({ round: 3 }).sent(3, sent({ requestState: 's2', inputResponses: { sure: { action: 'accept' } } }))
    script.upstream(JSON.stringify(result({ content: [{ type: 'text', text: 'Booked.' }] })), 'body', 3).ended()
    const rounds = drivenRounds(foldCall(script.events))
    expect(rounds).toMatchObject([
      {
        round: 1,
        outcome: 'input required',
        answers: [],
        stateCame: null,
        stateGiven: 's1',
        echoed: null,
        asks: [
          { ask: { key: 'when', message: 'When?' }, question: { answer: { by: 'client' } } },
          {
            ask: { key: 'who', message: 'Who?' },
            question: { answer: { message: { result: { action: 'decline' } } } },
          },
        ],
      },
      {
        round: 2,
        answers: [
          { key: 'when', action: 'accept', content: { date: 'May' } },
          { key: 'who', action: 'decline' },
        ],
        stateCame: 's1',
        echoed: true,
        asks: [{ ask: { key: 'sure' } }],
      },
      { round: 3, outcome: 'complete', asks: [], stateGiven: null, echoed: true, result: 'Booked.' },
    ])
  })

  it('shows a round whose question is open', () => {
    const [, second] = drivenRounds(foldCall(booking().events)) ?? []
    expect(second).toMatchObject({ asks: [{ ask: { key: 'sure' }, question: { answer: null } }] })
  })

  it('sees that another state was sent back', () => {
    expect(drivenRounds(foldCall(booking('other').events))?.[1]?.echoed).toBe(false)
  })

  it('a question that could not go to the client stands without one', () => {
    const script = new CallScript().received({ era: 'legacy' }).routed().sent(1, sent({}))
    script.upstream(JSON.stringify(asking('s1', { when: ask('When?') })), 'body').ended('error', 'gateway')
    expect(drivenRounds(foldCall(script.events))).toMatchObject([{ asks: [{ question: null }] }])
  })

  it('is nothing for calls of modern clients, and for calls that were answered at once', () => {
    const script = new CallScript()
      .received()
      .routed()
      .sent()
      .upstream(JSON.stringify(asking('s', {})), 'body')
    expect(drivenRounds(foldCall(script.events))).toBeNull()
    const plain = new CallScript()
      .received({ era: 'legacy' })
      .routed()
      .sent()
      .upstream(JSON.stringify(result()), 'body')
    expect(drivenRounds(foldCall(plain.events))).toBeNull()
  })
})
