import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { startBackend, startGateway, type Running } from '../gateway/running-gateway'
import type { StubHandler } from '../peers/stub-backend'
import { serve, text, type Offer } from '../peers/scripted-server'
import { ask, call, errorOf, FILE, mocked, resultOf, textOf } from './mocking'
import { MemoryCaptures } from './memory-captures'

/** Two questions, one after the other; the state has the answer to the first. */
const bookTrip: StubHandler = ({ params }, reply) => {
  const { inputResponses, requestState } = params as { inputResponses?: JsonObject; requestState?: string }
  if (inputResponses?.city === undefined && requestState === undefined)
    return reply.result({ resultType: 'input_required', inputRequests: { city: question('Which city?') } })
  if (requestState === undefined) {
    const inputRequests = { day: question('Which day?') }
    const state = JSON.stringify(inputResponses?.city)
    return reply.result({ resultType: 'input_required', inputRequests, requestState: state })
  }
  reply.result(text(`booked ${requestState} ${JSON.stringify(inputResponses?.day)}`))
}
const question = (message: string): JsonObject => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties: {} } },
})
const accept = (content: JsonObject): JsonObject => ({ action: 'accept', content })
const offer: Offer = { tools: { book: { call: bookTrip } } }
const capabilities = { elicitation: { form: {} } }

/** Goes through the rounds with these answers; stops at an answer that asks nothing. */
async function goThrough(url: string, answers: JsonObject[]): Promise<JsonObject[]> {
  const answered: JsonObject[] = []
  let more: { inputResponses?: JsonObject; requestState?: string } = {}
  for (const inputResponses of [undefined, ...answers]) {
    if (inputResponses !== undefined) more = { ...more, inputResponses }
    const answer = await ask(url, call('book', { trip: 1 }, { capabilities, ...more }))
    answered.push(answer)
    if (answer.result === undefined || resultOf(answer).resultType !== 'input_required') break
    more = { requestState: String(resultOf(answer).requestState) }
  }
  return answered
}

const RECORDED = [{ city: accept({ name: 'Oslo' }) }, { day: accept({ date: 'Friday' }) }]

async function replayed(
  config: JsonObject = {},
  answers: JsonObject[] = RECORDED,
): Promise<{ live: Running; mock: Running }> {
  const live = await startGateway({ weather: await startBackend(serve(offer)) })
  await goThrough(live.one(), answers)
  const captures = new MemoryCaptures()
  captures.set(FILE, live.tap.events)
  return { live, mock: await mocked(captures, config) }
}

describe('a recorded chain of rounds', () => {
  it('is gone through again, with states of the new gateway', async () => {
    const { live, mock } = await replayed()
    const now = await goThrough(mock.one(), RECORDED)
    expect(now.map((answer) => resultOf(answer).resultType)).toEqual(['input_required', 'input_required', 'complete'])
    expect(resultOf(now[0] ?? {}).inputRequests).toEqual({ city: question('Which city?') })
    expect(textOf(now[2] ?? {})).toContain('"date":"Friday"')
    const [sealed] = mock.tap.of('state.sealed')
    expect(sealed?.sealed).toMatchObject({ backend: 'weather', inner: expect.stringMatching(/^replay\./) as unknown })
    expect(live.tap.of('state.sealed').map(({ outer }) => outer)).not.toContain(sealed?.outer)
  })

  it('ends with the difference, by key and pointer, when an answer is another one', async () => {
    const { mock } = await replayed()
    const now = await goThrough(mock.one(), [{ city: accept({ name: 'Bergen' }) }])
    expect(errorOf(now[1] ?? {})).toMatchObject({
      code: -32602,
      message: expect.stringContaining('the answer to "city" is not the one recorded in call 2') as unknown,
      data: {
        reason: 'answer-differs',
        difference: { key: 'city', pointer: '/content/name', was: 'Oslo', now: 'Bergen' },
      },
    })
  })

  it.each([
    [{ city: { action: 'decline' } }, { key: 'city', pointer: '/action', was: 'accept', now: 'decline' }],
    [{ town: accept({ name: 'Oslo' }) }, { key: 'city', pointer: '' }],
    [{}, { key: 'city', pointer: '' }],
  ])('says where: %j', async (given, difference) => {
    const { mock } = await replayed()
    const now = await goThrough(mock.one(), [given])
    expect(errorOf(now[1] ?? {}).data).toMatchObject({ difference })
  })

  it('goes on as recorded with "any", and the difference stands with the call', async () => {
    const { mock } = await replayed({ answers: 'any' })
    const now = await goThrough(mock.one(), [{ city: accept({ name: 'Bergen' }) }, RECORDED[1] ?? {}])
    expect(textOf(now[2] ?? {})).toContain('Oslo')
    const remark = mock.tap.of('upstream.frame').find(({ form }) => form === 'comment')
    expect(remark?.raw).toBe(
      ': replay: the answer to "city" differs from call 2 at /content/name: "Oslo" was recorded, "Bergen" was given',
    )
    expect(mock.tap.of('upstream.frame').filter(({ form }) => form === 'comment')).toHaveLength(1)
    expect(mock.tap.events.filter(({ kind }) => kind === 'backend.noise')).toHaveLength(1)
  })

  it('does not mind what it is told to ignore', async () => {
    const { mock } = await replayed({ ignore: ['/inputResponses/city/content'] })
    const now = await goThrough(mock.one(), [{ city: accept({ name: 'Bergen' }) }, RECORDED[1] ?? {}])
    expect(textOf(now[2] ?? {})).toContain('Oslo')
  })

  it('says so when the recording has no answer to its last questions', async () => {
    const { mock } = await replayed({}, RECORDED.slice(0, 1))
    const now = await goThrough(mock.one(), RECORDED)
    expect(errorOf(now[2] ?? {})).toMatchObject({ code: -32602, data: { reason: 'chain-ends', call: 2 } })
  })

  it('takes the branch whose answers fit, where a chain was answered twice', async () => {
    const live = await startGateway({ weather: await startBackend(serve(offer)) })
    const [first] = await goThrough(live.one(), [])
    const requestState = String(resultOf(first ?? {}).requestState)
    for (const name of ['Oslo', 'Bergen']) {
      const inputResponses = { city: accept({ name }) }
      const second = await ask(live.one(), call('book', { trip: 1 }, { capabilities, requestState, inputResponses }))
      const state = String(resultOf(second).requestState)
      await ask(
        live.one(),
        call('book', { trip: 1 }, { capabilities, requestState: state, inputResponses: RECORDED[1] ?? {} }),
      )
    }
    const captures = new MemoryCaptures()
    captures.set(FILE, live.tap.events)
    const mock = await mocked(captures)
    for (const name of ['Bergen', 'Oslo']) {
      const now = await goThrough(mock.one(), [{ city: accept({ name }) }, RECORDED[1] ?? {}])
      expect(textOf(now[2] ?? {})).toContain(name)
    }
  })

  it('refuses a state of another capture', async () => {
    const { live, mock } = await replayed()
    const captures = new MemoryCaptures()
    captures.set(FILE, live.tap.events.slice(0, 9))
    const [first] = await goThrough(mock.one(), [])
    const other = await mocked(captures, {}, 'weather')
    const requestState = String(resultOf(first ?? {}).requestState)
    const answer = await ask(other.one(), call('book', { trip: 1 }, { capabilities, requestState, inputResponses: {} }))
    expect(errorOf(answer).code).toBe(-32602)
  })
})
