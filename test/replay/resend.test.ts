import { describe, expect, it } from 'vitest'
import { partsBy } from '../../src/shared/capture/call-selection'
import { parseFilter } from '../../src/shared/capture/filter'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { gate, startBackend } from '../gateway/running-gateway'
import type { Stub, StubHandler } from '../peers/stub-backend'
import { serve, text, type Offer } from '../peers/scripted-server'
import { ask, call, resultOf } from './mocking'
import { begin, plan, replayed, startRecorded, type Recorded } from './resending'

const forecast =
  (unit: string): StubHandler =>
  ({ params }, reply) => {
    const { city } = params.arguments as JsonObject
    reply.result({
      content: [{ type: 'text', text: `sunny in ${String(city)}` }],
      structuredContent: { unit, at: new Date().toISOString() },
    })
  }
const readOnly = { annotations: { readOnlyHint: true } }
const weather = (unit = 'C'): Offer => ({
  tools: { forecast: { call: forecast(unit), descriptor: readOnly } },
  prompts: { greet: { get: (_request, reply) => reply.result({ messages: [] }) } },
  resources: {
    'test://one': { read: (_request, reply) => reply.result({ contents: [{ uri: 'test://one', text: unit }] }) },
  },
})

async function against(offer: Offer, name = 'weather'): Promise<Recorded & { server: Stub }> {
  const server = await startBackend(serve(offer))
  return { ...(await startRecorded({ [name]: { url: server.url } })), server }
}

async function visit(run: Recorded, times = 3): Promise<void> {
  await ask(run.all, { method: 'tools/list' })
  await ask(run.one('weather'), { method: 'prompts/get', params: { name: 'greet' } })
  await ask(run.all, { method: 'resources/read', params: { uri: 'test://one' } })
  for (let time = 1; time <= times; time++) await ask(run.all, call('weather__forecast', { city: `city ${time}` }))
}

describe('a capture that is sent again', () => {
  it('to the unchanged server shows no difference, whatever the time', async () => {
    const run = await against(weather())
    await visit(run)
    const report = await replayed(run, await against(weather()))
    expect(report.groups).toEqual([])
    expect(report.counts).toEqual({ total: 6, same: 6, different: 0, failed: 0, 'not-sent': 0 })
    expect(report.operations.every(({ rounds }) => rounds[0]?.timing.now.answer !== null)).toBe(true)
  })

  it('to a changed server shows exactly the change, as one line over all calls', async () => {
    const run = await against(weather('C'))
    await visit(run, 40)
    const report = await replayed(run, await against(weather('F')), { concurrency: 8 })
    expect(report.counts).toMatchObject({ total: 43, same: 2, different: 41 })
    expect(report.groups).toMatchObject([
      {
        kind: 'changed',
        path: '/result/structuredContent/unit',
        calls: 40,
        constant: true,
        names: [{ name: 'forecast', calls: 40 }],
        // Of the calls that are under way at once any may be answered first.
        example: { was: 'C', now: 'F', call: 4 },
      },
      { path: '/result/contents/*/text', calls: 1, names: [{ name: 'test://one', calls: 1 }] },
    ])
    expect(JSON.parse(JSON.stringify(report))).toEqual(report)
  })

  it('of a list that was asked of several backends only what a filter means, if it means one of them', async () => {
    const both = async (): Promise<Recorded> => {
      const servers = [await startBackend(serve(weather())), await startBackend(serve(weather()))]
      return startRecorded({ weather: { url: servers[0]?.url }, archive: { url: servers[1]?.url } })
    }
    const [run, now] = [await both(), await both()]
    await ask(run.all, { method: 'tools/list' })
    const sentTo = async (filter: string): Promise<unknown> => {
      const isPart = partsBy(parseFilter(filter), { now: 0, bodyHits: new Map() })
      return (await plan(run, now, { isPart })).operations.map(({ backend }) => backend).sort()
    }
    expect(await sentTo('backend:archive')).toEqual(['archive'])
    expect(await sentTo('method:tools/list')).toEqual(['archive', 'weather'])
    expect(await sentTo('backend:nobody')).toEqual(['archive', 'weather'])
  })

  it('does not count what is ignored', async () => {
    const run = await against(weather('C'))
    await visit(run)
    const rules = { ignore: ['/result/structuredContent/unit', '/contents/*/text'] }
    expect((await replayed(run, await against(weather('F')), { rules })).groups).toEqual([])
  })

  it('goes to the backend that it is mapped to', async () => {
    const run = await against(weather())
    await visit(run)
    const one = await against(weather(), 'other')
    expect((await plan(run, one)).mapping).toEqual([{ from: 'weather', to: 'other', calls: 6 }])
    const two = await startRecorded({ a: { url: one.server.url }, b: { url: one.server.url } })
    const unmapped = await plan(run, two)
    expect(unmapped.mapping).toEqual([{ from: 'weather', to: null, calls: 6 }])
    expect(unmapped.operations[0]?.problem).toBe('there is no backend for "weather"')
    const mapped = await plan(run, two, { mapping: { weather: 'b' } })
    expect(mapped.counts).toEqual({ sent: 6, consent: 0, notSent: 0 })
    const report = await begin(mapped, run, two).report
    expect(report.counts.same).toBe(6)
    expect(report.operations.every(({ backend }) => backend === 'b')).toBe(true)
  })

  it('asks before tools that no list calls read-only', async () => {
    const offer: Offer = {
      tools: { ...weather().tools, book: { call: (_request, reply) => reply.result(text('ok')) } },
    }
    const run = await against(offer)
    await ask(run.one('weather'), call('book'))
    await ask(run.one('weather'), call('forecast', { city: 'Oslo' }))
    const now = await against(offer)
    const planned = await plan(run, now)
    expect(planned.counts).toEqual({ sent: 2, consent: 1, notSent: 0 })
    expect(planned.operations[0]?.consent).toBe('its list does not say that it is read-only')
    const report = await begin(planned, run, now, { consented: () => false }).report
    expect(report.counts).toMatchObject({ same: 1, 'not-sent': 1 })
    expect(report.operations[0]?.reason).toContain('it was not confirmed')
    expect(now.server.of('tools/call').map(({ name }) => name)).toEqual(['forecast'])
  })

  it('leaves out what is no question, and says why', async () => {
    const run = await against(weather())
    await ask(run.all, call('unknown__tool'))
    const planned = await plan(run, run)
    expect(planned.operations).toMatchObject([{ problem: 'the gateway refused it, and no backend was asked' }])
  })

  it('says of a server that is not there that nothing could be compared', async () => {
    const run = await against(weather())
    await ask(run.one('weather'), call('forecast', { city: 'Oslo' }))
    const gone = await startRecorded({ weather: { url: 'http://127.0.0.1:9/mcp', era: 'modern' } })
    const report = await replayed(run, gone)
    expect(report.counts).toMatchObject({ failed: 1, different: 0 })
    expect(report.operations[0]?.reason).toContain('the backend cannot be reached')
  })

  it('is paused, goes on, and is stopped', async () => {
    const run = await against(weather())
    await visit(run)
    const { opened, open } = gate()
    const slow: Offer = {
      ...weather(),
      prompts: {
        greet: {
          get: async (_request, reply) => {
            await opened
            reply.result({ messages: [] })
          },
        },
      },
    }
    const now = await against(slow)
    const seen: number[] = []
    const replay = begin(await plan(run, now), run, now, {}, ({ done }) => seen.push(done))
    await now.server.next('prompts/get')
    replay.pause()
    open()
    await expect.poll(() => seen).toEqual([1, 2])
    expect(now.server.of('resources/read')).toHaveLength(0)
    replay.resume()
    await now.server.next('resources/read')
    replay.stop()
    const report = await replay.report
    expect(report.stopped).toBe(true)
    expect(report.counts.total).toBe(6)
    expect(report.counts['not-sent']).toBeGreaterThan(0)
  })

  it('is told in the order of the recording, in whatever order it was answered', async () => {
    const run = await against(weather())
    for (const city of ['Oslo', 'Bergen', 'Tromsø']) await ask(run.one('weather'), call('forecast', { city }))
    const { opened, open } = gate()
    const late: StubHandler = async ({ params }, reply) => {
      if (JSON.stringify(params).includes('Oslo')) await opened
      reply.result(text('changed'))
    }
    const now = await against({ tools: { forecast: { call: late, descriptor: readOnly } } })
    const ended: number[] = []
    const replay = begin(await plan(run, now), run, now, { concurrency: 3 }, ({ operation }) => {
      ended.push(operation.call)
      if (ended.length === 2) open()
    })
    const { operations } = await replay.report
    const calls = operations.map(({ call: number }) => number)
    expect(ended.at(-1)).toBe(calls[0])
    expect(calls).toEqual([...calls].sort((a, b) => a - b))
  })

  it('keeps the captured pacing where it is asked to', async () => {
    const run = await against(weather())
    await ask(run.one('weather'), call('forecast', { city: 'Oslo' }))
    await ask(run.one('weather'), call('forecast', { city: 'Bergen' }))
    const now = await against(weather())
    const planned = await plan(run, now)
    const [first, second] = planned.operations
    if (first?.rounds[0] === undefined || second?.rounds[0] === undefined) throw new Error('no plan')
    second.rounds[0].at = first.rounds[0].at + 300_000
    await begin(planned, run, now, { pacing: 'captured' }).report
    const [one, two] = now.server.of('tools/call')
    expect((two?.at ?? 0) - (one?.at ?? 0)).toBeGreaterThan(200)
  })
})

describe('a chain of rounds that is sent again', () => {
  const question = (message: string): JsonObject => ({
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: { type: 'object', properties: {} } },
  })
  /** Each chain has a state of its own, and only its own is good. */
  const booking = (asks: 'city' | 'town' | 'nothing'): { offer: Offer; given: string[] } => {
    const states = new Set<string>()
    const given: string[] = []
    let begun = 0
    const book: StubHandler = ({ params }, reply) => {
      const { requestState, inputResponses } = params as { requestState?: string; inputResponses?: JsonObject }
      if (asks === 'nothing') return reply.result(text('booked at once'))
      if (requestState === undefined) {
        const state = `chain ${Math.random()} ${++begun}`
        states.add(state)
        return reply.result({
          resultType: 'input_required',
          inputRequests: { [asks]: question('Where?') },
          requestState: state,
        })
      }
      given.push(requestState)
      if (!states.has(requestState)) return reply.error(400, { code: -32602, message: 'state of another chain' })
      reply.result(text(`booked ${JSON.stringify(inputResponses)}`))
    }
    return { offer: { tools: { book: { call: book } } }, given }
  }
  const capabilities = { elicitation: { form: {} } }

  async function bookOnce(run: Recorded): Promise<void> {
    const first = await ask(run.all, call('weather__book', { trip: 1 }, { capabilities }))
    const requestState = String(resultOf(first).requestState)
    const inputResponses = { city: { action: 'accept', content: { name: 'Oslo' } } }
    await ask(run.all, call('weather__book', { trip: 1 }, { capabilities, requestState, inputResponses }))
  }

  it('goes through its rounds with the state of the new chain and the answers of then', async () => {
    const run = await against(booking('city').offer)
    await bookOnce(run)
    const { offer, given } = booking('city')
    const now = await against(offer)
    const planned = await plan(run, now)
    expect(planned.operations.map(({ rounds }) => rounds.length)).toEqual([2])
    const report = await begin(planned, run, now).report
    expect(report.groups).toEqual([])
    expect(report.operations[0]?.rounds.map(({ call: number }) => number)).toEqual([1, 2])
    expect(given).toHaveLength(1)
  })

  it('stops where the new round asks something else, and shows both', async () => {
    const run = await against(booking('city').offer)
    await bookOnce(run)
    const { offer, given } = booking('town')
    const report = await replayed(run, await against(offer))
    expect(report.operations[0]).toMatchObject({
      outcome: 'different',
      reason:
        'it was stopped after round 1: then it asked for "city" (elicitation/create), and now for "town" (elicitation/create)',
      rounds: [
        {
          differences: [
            { path: '/result/inputRequests/city', was: question('Where?') },
            { path: '/result/inputRequests/town', now: question('Where?') },
          ],
        },
      ],
    })
    expect(given).toEqual([])
  })

  it('stops where it is not asked any more', async () => {
    const run = await against(booking('city').offer)
    await bookOnce(run)
    const report = await replayed(run, await against(booking('nothing').offer))
    expect(report.operations[0]?.reason).toContain('and now it does not ask')
    expect(report.operations[0]?.rounds[0]?.differences[0]).toEqual({
      path: '/outcome',
      was: 'input-required',
      now: 'result',
    })
  })
})
