import { fileURLToPath } from 'node:url'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../gateway/running-gateway'
import { startV1Http } from '../peers/v1-http'
import { startV2Http } from '../peers/v2-http'
import { FILE, mocked } from './mocking'
import { MemoryCaptures } from './memory-captures'

/** The published SDKs' servers are recorded and replayed, and the same clients get the same from both. */
const script = fileURLToPath(new URL('../peers/servers/v1-stdio.ts', import.meta.url))
const SERVERS: [name: string, start: () => Promise<Record<string, unknown>>][] = [
  ['modern http', async () => ({ url: (await closing(startV2Http())).url })],
  ['legacy http', async () => ({ url: (await closing(startV1Http())).url })],
  [
    'legacy stdio',
    () => Promise.resolve({ type: 'stdio', command: process.execPath, args: ['--import', 'tsx', script] }),
  ],
]

async function closing<Peer extends { close(): Promise<void> }>(starting: Promise<Peer>): Promise<Peer> {
  const peer = await starting
  onTestFinished(() => peer.close())
  return peer
}

interface Session {
  call(
    name: string,
    args?: Record<string, unknown>,
    onprogress?: (step: { progress: number }) => void,
  ): Promise<unknown>
  tools(): Promise<string[]>
  resource(uri: string): Promise<unknown>
  close(): Promise<void>
}

/** Answers every question with this name. */
type Connect = (url: string, name?: string) => Promise<Session>

const connectModern: Connect = async (url, name = 'Ada') => {
  const client = new ModernClient(
    { name: 'new-client', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name } }))
  await client.connect(new ModernTransport(new URL(url)))
  return {
    call: async (tool, args = {}, onprogress) =>
      (await client.callTool({ name: tool, arguments: args }, { ...(onprogress && { onprogress }) })).content,
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    resource: async (uri) => (await client.readResource({ uri })).contents,
    close: () => client.close(),
  }
}

const connectLegacy: Connect = async (url, name = 'Ada') => {
  const client = new LegacyClient({ name: 'old-client', version: '1' }, { capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name } }))
  await client.connect(new LegacyTransport(new URL(url)))
  return {
    call: async (tool, args = {}, onprogress) =>
      (await client.callTool({ name: tool, arguments: args }, undefined, { ...(onprogress && { onprogress }) }))
        .content,
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    resource: async (uri) => (await client.readResource({ uri })).contents,
    close: () => client.close(),
  }
}

const CLIENTS: [name: string, connect: Connect][] = [
  ['modern client', connectModern],
  ['legacy client', connectLegacy],
]

/** What a client sees of a server; failures count as what they say. `asks`: it is asked in the middle of a call. */
async function visit(session: Session, asks: boolean): Promise<unknown[]> {
  const steps: number[] = []
  const seen: unknown[] = [
    await session.tools(),
    await session.call('echo', { text: 'hello' }),
    await session.call('echo', { text: 'again' }),
    await session.call('progress', {}, ({ progress }) => steps.push(progress)),
    steps,
    await session.call('big', { size: 100_000 }),
  ]
  if (asks) seen.push(await session.call('elicit'))
  return seen
}

async function recordedBy(connect: Connect, server: Record<string, unknown>, asks: boolean) {
  const live = await startGateway({ peer: server })
  const session = await connect(live.one())
  const were = await visit(session, asks)
  await session.close()
  const captures = new MemoryCaptures()
  captures.set(FILE, live.tap.events)
  return { were, captures, live }
}

describe.each(SERVERS)('a replayed server of %s', (name, start) => {
  // A legacy server cannot ask a modern client (architecture: the four cells).
  const canAsk = (client: string): boolean => !name.startsWith('legacy') || client === 'legacy client'

  it.each(CLIENTS)('is to the %s that was recorded what the server was', async (client, connect) => {
    const asks = canAsk(client)
    const { were, captures, live } = await recordedBy(connect, await start(), asks)
    const mock = await mocked(captures, {}, 'peer')
    const session = await connect(mock.one())
    expect(await visit(session, asks)).toEqual(were)
    await session.close()
    expect(mock.gateway.backends()[0]?.state.era).toBe(live.gateway.backends()[0]?.state.era)
  })

  it.each(CLIENTS)('is to a %s what it was to a client of the other era', async (client, connect) => {
    const [, other] = CLIENTS.find(([one]) => one !== client) ?? ['', connectModern]
    const asks = name.startsWith('modern')
    const { were, captures } = await recordedBy(other, await start(), asks)
    const mock = await mocked(captures, {}, 'peer')
    const session = await connect(mock.one())
    expect(await visit(session, asks)).toEqual(were)
    await session.close()
  })
})

describe('a replayed legacy server that asks in the middle of a call', () => {
  it('ends the call with the difference when the answer is another one', async () => {
    const { captures } = await recordedBy(connectLegacy, { url: (await closing(startV1Http())).url }, true)
    const mock = await mocked(captures, {}, 'peer')
    const session = await connectLegacy(mock.one(), 'Grace')
    await expect(session.call('elicit')).rejects.toMatchObject({
      code: -32602,
      data: { difference: { key: 'elicitation/create', pointer: '/content/name', was: 'Ada', now: 'Grace' } },
    })
    await session.close()
  })

  it('goes on as recorded with "any"', async () => {
    const { captures } = await recordedBy(connectLegacy, { url: (await closing(startV1Http())).url }, true)
    const mock = await mocked(captures, { answers: 'any' }, 'peer')
    const session = await connectLegacy(mock.one(), 'Grace')
    expect(await session.call('elicit')).toEqual([{ type: 'text', text: 'accept {"name":"Ada"}' }])
    expect(mock.tap.events.find(({ kind }) => kind === 'backend.noise')).toMatchObject({
      text: expect.stringContaining('"Ada" was recorded, "Grace" was given') as unknown,
    })
    await session.close()
  })
})
