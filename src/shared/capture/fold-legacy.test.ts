import { describe, expect, it } from 'vitest'
import { CallScript, result } from '../../../test/capture/call-script'
import { foldCall } from './fold'
import { readEvent } from './schema'

const asks = {
  jsonrpc: '2.0',
  id: 's-1',
  method: 'elicitation/create',
  params: { message: 'Which city?' },
}
const toClient = { ...asks, id: 'sluice-1' }
const legacy = () => new CallScript().received({ era: 'legacy' }).routed({ backendEra: 'legacy' }).sent()

describe('requests in the direction of the client', () => {
  it('of a legacy backend, with the answer of the client', () => {
    const script = legacy().head().event(asks)
    const question = script.last
    const raw = JSON.stringify(toClient)
    script.push({ kind: 'response.frame', form: 'event', message: 'request', raw, from: question, edits: [] })
    const asked = script.last
    const answer = '{"jsonrpc":"2.0","id":"s-1","result":{"action":"accept","content":{"city":"Oslo"}}}'
    script.push({ kind: 'request.answered', to: question, by: 'client', raw: answer })
    const { questions, timeline, summary } = foldCall(script.events)
    expect(questions).toMatchObject([
      {
        seq: question,
        by: 'backend',
        exchange: 1,
        method: 'elicitation/create',
        params: { message: 'Which city?' },
        asked: { seq: asked },
        refused: null,
        answer: { by: 'client', message: { result: { action: 'accept' } } },
      },
    ])
    expect(timeline.slice(-3).map(({ leg, kind, summary: words }) => [leg, kind, words])).toEqual([
      ['backend', 'server-request', 'request elicitation/create'],
      ['client', 'server-request', 'request elicitation/create'],
      ['client', 'answer', 'answer to elicitation/create: accept'],
    ])
    expect(summary).toMatchObject({ asked: 1, input: true })
    expect(summary.life.map(({ mark }) => mark)).toEqual(['question', 'answer'])
  })

  it('that is refused, with the reason and what the backend was told', () => {
    const script = legacy().head().event(asks)
    const question = script.last
    const raw = '{"jsonrpc":"2.0","id":"s-1","error":{"code":-32601,"message":"Sluice: no."}}'
    script.push({ kind: 'request.answered', to: question, by: 'gateway', raw })
    const why = { method: 'elicitation/create', reason: 'server-request' as const, detail: 'it cannot be asked' }
    script.push({ kind: 'response.withheld', from: question, ...why })
    const { questions, timeline } = foldCall(script.events)
    expect(questions).toMatchObject([{ asked: null, refused: 'it cannot be asked', answer: { by: 'gateway' } }])
    expect(timeline.at(-2)).toMatchObject({
      leg: 'gateway',
      kind: 'answer',
      exchange: 1,
      from: question,
      summary: 'error -32601 to elicitation/create: Sluice: no.',
    })
  })

  it('of the gateway, whose answer is found by its id', () => {
    const script = new CallScript().received({ era: 'legacy' }).routed().sent()
    for (const id of ['sluice-1', 'sluice-2']) {
      const raw = JSON.stringify({ ...asks, id })
      script.push({ kind: 'response.frame', form: 'event', message: 'request', raw, edits: [] })
    }
    script.push({ kind: 'request.answered', by: 'client', raw: '{"jsonrpc":"2.0","id":"sluice-2","result":{}}' })
    const { questions } = foldCall(script.events)
    expect(questions.map(({ by, answer }) => [by, answer === null])).toEqual([
      ['gateway', true],
      ['gateway', false],
    ])
  })

  it('an answer to nothing that is known does no harm', () => {
    const script = legacy().push({ kind: 'request.answered', to: 99, by: 'client', raw: '{"torn' })
    expect(foldCall(script.events).questions).toEqual([])
  })
})

describe('exchanges', () => {
  it('know their own route, also when the gateway drives rounds', () => {
    const edit = (now: string) => [{ what: 'id' as const, at: '/id', was: '1', now }]
    const script = new CallScript()
      .received({ era: 'legacy' })
      .routed({ edits: edit('7') })
      .sent(7)
    script.routed({ round: 2, edits: edit('8') }).sent(8)
    const { exchanges, route, summary } = foldCall(script.events)
    expect(exchanges.map((exchange) => [exchange.route?.round, exchange.route?.edits[0]?.now])).toEqual([
      [1, '7'],
      [2, '8'],
    ])
    expect(route?.round).toBe(2)
    expect(summary).toMatchObject({ round: 2, drivenRounds: 2 })
  })

  it('the later round of a client of its own is no driven one', () => {
    expect(foldCall(new CallScript().received().routed({ round: 3 }).events).summary.drivenRounds).toBe(0)
  })

  it('know the era of their backend, where several are asked', () => {
    const script = new CallScript({ method: 'tools/list', params: {} }).received()
    script.push({ kind: 'call.routed', backend: null, backends: ['a', 'b'], operation: 'o', round: 1, edits: [] })
    for (const [exchange, era] of [[1, 'modern'] as const, [2, 'legacy'] as const]) {
      const http = { method: 'POST', url: 'http://h/', headers: [] }
      script.push({ kind: 'upstream.sent', exchange, backend: 'b', era, http, body: '{}' })
    }
    script.push({ kind: 'upstream.frame', exchange: 3, form: 'line', unasked: 'c', raw: '{}' })
    expect(foldCall(script.events).exchanges.map(({ backend, era }) => [backend, era])).toEqual([
      ['b', 'modern'],
      ['b', 'legacy'],
      ['c', 'legacy'],
    ])
  })

  it('keep what was sent once more, and the head before', () => {
    const script = legacy().head('application/json', 404)
    const http = { method: 'POST', url: 'http://h/', headers: [] }
    script.push({ kind: 'upstream.sent', exchange: 1, backend: 'b', again: 'repeat', http, body: '{}' })
    script.head('text/event-stream')
    const [exchange] = foldCall(script.events).exchanges
    expect(exchange).toMatchObject({
      sent: { again: null },
      sentAgain: [{ again: 'repeat' }],
      headsBefore: [{ status: 404 }],
      head: { status: 200 },
    })
  })
})

describe('what legacy clients do by HTTP alone', () => {
  const summaryOf = (method: string, body: string) => {
    const http = { method, path: '/mcp', headers: [] }
    const event = new CallScript({ body }).received({ era: 'legacy', http })
    delete (event.events[0] as { method?: string }).method
    delete (event.events[0] as { name?: string }).name
    return foldCall(event.events).timeline[0]?.summary
  }
  it.each([
    ['GET', '', 'GET: the stream of the session'],
    ['DELETE', '', 'DELETE: the session ends'],
    ['POST', '{"jsonrpc":"2.0","id":"sluice-1","result":{}}', 'answer to "sluice-1"'],
  ])('%s %s', (method, body, words) => {
    expect(summaryOf(method, body)).toBe(words)
  })

  it('results on legacy legs are not said to lack a resultType', () => {
    const plain = { jsonrpc: '2.0', id: 1, result: { content: [] } }
    const script = legacy().head('application/json').upstream(JSON.stringify(plain), 'body')
    script.frame(plain, 'result', 'body')
    expect(
      foldCall(script.events)
        .timeline.slice(-2)
        .map(({ summary }) => summary),
    ).toEqual(['result', 'result'])
    const modern = new CallScript().received().routed().sent().upstream(JSON.stringify(plain), 'body')
    expect(foldCall(modern.events).timeline.at(-1)?.summary).toBe('no resultType')
  })

  it('a frame that waits for the client says so', () => {
    const raw = JSON.stringify(result())
    const script = legacy().push({
      kind: 'response.frame',
      form: 'event',
      message: 'result',
      kept: true,
      raw,
      edits: [],
    })
    const { response, timeline } = foldCall(script.events)
    expect(response.frames[0]?.kept).toBe(true)
    expect(timeline.at(-1)?.summary).toContain('kept, the client was away')
  })
})

it('the capture format takes every new member', () => {
  const script = legacy()
  const http = { method: 'GET', url: 'http://h/', headers: [] }
  script.push({ kind: 'upstream.sent', exchange: 1, backend: 'b', era: 'legacy', again: 'resume', http })
  script.push({ kind: 'upstream.frame', exchange: 2, form: 'line', unasked: 'b', raw: '{}' })
  script.push({ kind: 'response.frame', form: 'event', message: 'request', raw: '{}', kept: true, edits: [] })
  script.push({ kind: 'request.answered', by: 'gateway', raw: '{}' })
  for (const event of script.events) expect(readEvent(event)).toEqual({ ok: true, value: event })
})
