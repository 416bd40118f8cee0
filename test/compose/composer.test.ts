import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRecorder } from '../../src/main/capture/recorder'
import type { Recorder } from '../../src/main/capture/recorder-contract'
import { Composer } from '../../src/main/compose/composer'
import { type DemoBackends, startDemoBackends } from '../../src/main/demo/demo'
import { createGateway, type Gateway } from '../../src/main/gateway/gateway'
import type { ComposedCall, ComposedRequest, CompletionQuestion } from '../../src/shared/api/compose'
import { Configuration } from '../../src/shared/config/schema'
import { foldCall } from '../../src/shared/capture/fold'
import type { CallRecord } from '../../src/shared/capture/record'

let folder: string
let demo: DemoBackends
let recorder: Recorder
let gateway: Gateway
let composer: Composer

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-compose-'))
  demo = await startDemoBackends()
  const configuration = Configuration.parse({
    gateway: { port: 0, deferralWindowMs: 300, pingIntervalMs: 100 },
    mcpServers: demo.mcpServers,
  })
  recorder = createRecorder({
    file: join(folder, 'capture.ndjson'),
    header: { gateway: { name: 'sluice', version: '0.0.0', platform: 'test' }, backends: [] },
    redaction: configuration.gateway.redact,
  })
  gateway = createGateway({
    configuration,
    tap: recorder,
    stateKeys: { current: 'k', secrets: new Map([['k', new Uint8Array(32)]]) },
    version: '0.0.0',
  })
  await gateway.listen()
  composer = new Composer({ base: () => gateway.base, version: '0.0.0' })
  recorder.onChange((calls) => composer.recorded(calls))
})
afterEach(async () => {
  await composer.close()
  await gateway.close(100)
  await demo.close()
  await recorder.close()
  await rm(folder, { recursive: true, force: true })
})

function request(change: Partial<ComposedRequest> = {}): ComposedRequest {
  return {
    endpoint: '/mcp',
    era: 'modern',
    method: 'tools/call',
    params: '{"name":"booking__book_trip","arguments":{"city":"Kyoto"}}',
    settings: {
      capabilities: { elicitation: { form: {} } },
      logLevel: null,
      progress: false,
      headers: [],
      meta: {},
    },
    ...change,
  }
}

function current(id: string): ComposedCall {
  const call = composer.calls().find((each) => each.id === id)
  if (call === undefined) throw new Error(`no call ${id}`)
  return call
}

async function reach(id: string, state: ComposedCall['state']): Promise<ComposedCall> {
  await vi.waitFor(() => expect(current(id)).toMatchObject({ state }), { timeout: 8_000 })
  return current(id)
}

/** The call in the capture of one round. */
async function recorded(id: string, round: number): Promise<CallRecord> {
  await vi.waitFor(() => expect(current(id).rounds[round]?.call).toEqual(expect.any(Number)), { timeout: 4_000 })
  return foldCall(await recorder.events(current(id).rounds[round]?.call ?? 0))
}

const ACCEPT_DATES = { action: 'accept', content: { depart: '2027-05-01', nights: 3 } }

describe('a trip is booked in three rounds', () => {
  it('with answers to the keys of each round when modern', async () => {
    const { id } = composer.send(request())
    const first = await reach(id, 'asking')
    expect(first.asks).toMatchObject([{ key: 'dates', method: 'elicitation/create' }])
    expect(() => composer.answer(id, {})).toThrow('"dates" has no answer')

    composer.answer(id, { dates: ACCEPT_DATES })
    await vi.waitFor(() => expect(current(id)).toMatchObject({ state: 'asking', asks: [{ key: 'confirmation' }] }))
    composer.answer(id, { confirmation: { action: 'accept', content: { confirm: true } } })
    const booked = await reach(id, 'answered')

    expect(booked.answer?.text).toContain('Booked: 3 nights in Kyoto from 2027-05-01 for 315 €')
    expect(booked.rounds.map(({ status }) => status)).toEqual([200, 200, 200])
    const calls = await Promise.all([0, 1, 2].map((round) => recorded(id, round)))
    expect(calls.map(({ summary }) => summary.round)).toEqual([1, 2, 3])
    expect(new Set(calls.map(({ summary }) => summary.operation)).size).toBe(1)
    expect(calls[2]?.summary).toMatchObject({ client: 'sluice compose', era: 'modern', findings: 0 })
  })

  it('with requests in the middle of one call when legacy', async () => {
    const { id } = composer.send(request({ era: 'legacy' }))
    const first = await reach(id, 'asking')
    expect(first.asks).toMatchObject([{ method: 'elicitation/create', params: { message: /./ } }])
    composer.answer(id, { [first.asks[0]?.key ?? '']: ACCEPT_DATES })
    await vi.waitFor(() => expect(current(id).asks[0]?.params.message).toContain('315 €'), { timeout: 4_000 })
    composer.answer(id, { [current(id).asks[0]?.key ?? '']: { action: 'accept', content: { confirm: false } } })
    const booked = await reach(id, 'answered')
    expect(booked.answer?.text).toContain('Nothing booked')
    expect(booked.rounds).toHaveLength(1)
    expect((await recorded(id, 0)).summary).toMatchObject({ client: 'sluice compose', era: 'legacy', asked: 2 })
  })

  it('or not at all: a refusal ends it', async () => {
    const { id } = composer.send(request())
    await reach(id, 'asking')
    expect(composer.answer(id, null)).toMatchObject({ state: 'cancelled', asks: [] })
    expect(() => composer.answer(id, null)).toThrow('nothing is asked any more')
  })
})

describe('what is sent', () => {
  it('has its params as they were written, with _meta beside them', async () => {
    const params = '{ "name": "weather__current",\n  "arguments": {"city":"Lisbon", "n": 1.50e1} }'
    const { id } = composer.send(
      request({
        params,
        settings: {
          capabilities: {},
          logLevel: 'warning',
          progress: true,
          headers: [{ name: 'X-Trace', value: 'abc' }],
          meta: { traceparent: '00-1-1-00' },
        },
      }),
    )
    await reach(id, 'answered')
    const { request: sent } = await recorded(id, 0)
    expect(sent?.body.text).toContain('{ "name": "weather__current",\n  "arguments": {"city":"Lisbon", "n": 1.50e1}')
    expect(sent?.message.params?._meta).toMatchObject({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/logLevel': 'warning',
      progressToken: `${id}.1`,
      traceparent: '00-1-1-00',
    })
    expect(sent?.http.headers).toContainEqual(['X-Trace', 'abc'])
    expect(sent?.http.headers).toContainEqual(['Mcp-Name', 'weather__current'])
  })

  it('can break the rules: a field of the user replaces that of the protocol', async () => {
    const settings = { ...request().settings, headers: [{ name: 'Mcp-Name', value: 'another' }] }
    const { id } = composer.send(request({ settings }))
    const answered = await reach(id, 'answered')
    expect(answered.rounds[0]?.status).toBe(400)
    expect(answered.answer?.text).toContain('-32020')
  })
})

it('a running call is cancelled', async () => {
  const { id } = composer.send(
    request({
      params: '{"name":"weather__forecast","arguments":{"city":"Lima"}}',
      settings: { ...request().settings, progress: true },
    }),
  )
  await vi.waitFor(() => expect(current(id).rounds[0]?.status).toBe(200), { timeout: 4_000 })
  expect(composer.cancel(id)).toMatchObject({ state: 'cancelled' })
  await recorded(id, 0)
  const call = current(id).rounds[0]?.call ?? 0
  await vi.waitFor(() => expect(recorder.index.get(call)).toMatchObject({ outcome: 'cancelled', endedBy: 'client' }))
})

it.each(['modern', 'legacy'] as const)('what can be composed is listed for a %s client', async (era) => {
  const all = await composer.offer('/mcp', era)
  expect(all.problems).toEqual([])
  expect(all.tools.map(({ name }) => name)).toContain('booking__book_trip')
  expect(all.tools[0]).toHaveProperty('inputSchema')
  const one = await composer.offer('/mcp/booking', era)
  expect(one).toMatchObject({ tools: [{ name: 'book_trip' }], resources: [{ uri: 'booking://terms' }], problems: [] })
  const none = await composer.offer('/mcp/nobody', era)
  expect(none.problems.join('\n')).toContain('nobody')
})

describe.each(['modern', 'legacy'] as const)('an argument goes on, for a %s client', (era) => {
  const question = (change: Partial<CompletionQuestion>): CompletionQuestion => ({
    endpoint: '/mcp',
    era,
    ref: { type: 'ref/prompt', name: 'weather__packing-list' },
    argument: { name: 'city', value: 'Os' },
    known: { country: 'Norway' },
    ...change,
  })

  it('as the server says, on both endpoints', async () => {
    expect(await composer.complete(question({}))).toEqual({ values: ['Oslo', 'Ostrava'], problem: null })
    const own = question({ endpoint: '/mcp/weather', ref: { type: 'ref/prompt', name: 'packing-list' } })
    expect(await composer.complete(own)).toEqual({ values: ['Oslo', 'Ostrava'], problem: null })
  })

  it('or the words why it does not', async () => {
    const { values, problem } = await composer.complete(question({ ref: { type: 'ref/prompt', name: 'nobody' } }))
    expect(values).toEqual([])
    expect(problem).toContain('nobody')
  })
})
