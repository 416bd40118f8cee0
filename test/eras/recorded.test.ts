import { fileURLToPath } from 'node:url'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { drivenRounds } from '../../src/renderer/rounds/driven-rounds'
import type { CallEvent } from '../../src/shared/capture/events'
import { foldCall } from '../../src/shared/capture/fold'
import type { CallRecord } from '../../src/shared/capture/record'
import { readEvent } from '../../src/shared/capture/schema'
import { findingsOf } from '../../src/shared/findings'
import { startGateway, type Running } from '../gateway/running-gateway'
import { modernRequest, send } from '../peers/raw-client'
import { startV1Http } from '../peers/v1-http'
import { startV2Http } from '../peers/v2-http'

/** What the desk is told of calls across the eras: published peers, and the record that is folded of what was recorded. */
const V1_STDIO = {
  type: 'stdio',
  command: process.execPath,
  args: ['--import', 'tsx', fileURLToPath(new URL('../peers/servers/v1-stdio.ts', import.meta.url))],
}
const BACKENDS: [name: string, era: 'modern' | 'legacy', start: () => Promise<Record<string, unknown>>][] = [
  ['modern http', 'modern', async () => ({ url: (await closing(startV2Http())).url })],
  ['legacy http', 'legacy', async () => ({ url: (await closing(startV1Http())).url })],
  ['legacy stdio', 'legacy', () => Promise.resolve(V1_STDIO)],
]

async function closing<Peer extends { close(): Promise<void> }>(starting: Promise<Peer>): Promise<Peer> {
  const peer = await starting
  onTestFinished(() => peer.close())
  return peer
}

async function legacyClient(url: string): Promise<LegacyClient> {
  const client = new LegacyClient({ name: 'old-client', version: '1' }, { capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }))
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  onTestFinished(() => client.close())
  return client
}

/** The record of the only call of a method to a tool. */
function recordOf({ tap }: Running, method: string, name?: string): CallRecord {
  const events = tap.events.filter((event): event is CallEvent => 'call' in event)
  for (const event of events) expect(readEvent(event)).toEqual({ ok: true, value: event })
  const received = events.find(
    (event) => event.kind === 'call.received' && event.method === method && (name === undefined || event.name === name),
  )
  return foldCall(events.filter(({ call }) => call === received?.call))
}

describe.each(BACKENDS)('a legacy client and a backend of %s', (_name, era, start) => {
  it('is asked in the middle of a call; its answer and the eras are in the record', async () => {
    const running = await startGateway({ peer: await start() })
    const client = await legacyClient(running.one())
    await client.callTool({ name: 'elicit', arguments: {} })
    const record = recordOf(running, 'tools/call', 'elicit')
    expect(record.summary).toMatchObject({
      era: 'legacy',
      backendEra: era,
      client: 'old-client',
      asked: 1,
      input: true,
    })
    expect(record.questions).toMatchObject([
      {
        by: era === 'modern' ? 'gateway' : 'backend',
        method: 'elicitation/create',
        refused: null,
        answer: { by: 'client', message: { result: { action: 'accept', content: { name: 'Ada' } } } },
      },
    ])
    expect(new Set(record.exchanges.map((exchange) => exchange.era))).toEqual(new Set([era]))
    const rounds = drivenRounds(record)
    expect(rounds?.map(({ outcome, asks, answers }) => [outcome, asks.length, answers.length])).toEqual(
      era === 'modern'
        ? [
            ['input required', 1, 0],
            ['complete', 0, 1],
          ]
        : undefined,
    )
    expect(rounds?.[0]?.asks[0]?.question).toBe(era === 'modern' ? record.questions[0] : undefined)
    expect(findingsOf(record)).toEqual([])
    expect(recordOf(running, 'initialize').summary.client).toBe('old-client')
  })
})

describe.each(BACKENDS.slice(1))('a modern client and a backend of %s', (name, _era, start) => {
  it('the question of the backend is refused, with the reason in the record', async () => {
    const running = await startGateway({ peer: await start() })
    const request = modernRequest('tools/call', { name: 'elicit', arguments: {} })
    await send(running.one(), request.body, request.headers).json()
    await running.tap.until('upstream.ended')
    const record = recordOf(running, 'tools/call', 'elicit')
    // Over HTTP the session of modern clients declares no elicitation, so the server does not even ask.
    expect(record.questions).toHaveLength(name === 'legacy stdio' ? 1 : 0)
    for (const { asked, refused, answer } of record.questions) {
      expect([asked, answer?.by]).toEqual([null, 'gateway'])
      expect(refused).toContain('elicitation')
    }
    expect(record.summary.asked).toBe(0)
    expect(findingsOf(record)).toEqual([])
  })
})

it('a merged list of both eras breaks no rule of either', async () => {
  const backends = await Promise.all(BACKENDS.map(async ([name, , start]) => [name.replace(' ', '-'), await start()]))
  const running = await startGateway(Object.fromEntries(backends) as Record<string, Record<string, unknown>>)
  const request = modernRequest('tools/list', {})
  await send(running.all, request.body, request.headers).json()
  const record = recordOf(running, 'tools/list')
  expect(record.exchanges.map(({ era }) => era).sort()).toEqual(['legacy', 'legacy', 'modern'])
  expect(findingsOf(record)).toEqual([])
})
