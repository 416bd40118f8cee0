import { fileURLToPath } from 'node:url'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'
import { startV1Http } from '../peers/v1-http'
import { startV2Http } from '../peers/v2-http'

const script = fileURLToPath(new URL('../peers/servers/v1-stdio.ts', import.meta.url))
/** The published SDKs' servers. */
export const SERVERS: [name: string, start: () => Promise<Record<string, unknown>>][] = [
  ['modern http', async () => ({ url: (await closing(startV2Http())).url })],
  ['legacy http', async () => ({ url: (await closing(startV1Http())).url })],
  [
    'legacy stdio',
    () => Promise.resolve({ type: 'stdio', command: process.execPath, args: ['--import', 'tsx', script] }),
  ],
]

export async function closing<Peer extends { close(): Promise<void> }>(starting: Promise<Peer>): Promise<Peer> {
  const peer = await starting
  onTestFinished(() => peer.close())
  return peer
}

export interface Session {
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
export type Connect = (url: string, name?: string) => Promise<Session>

export const connectModern: Connect = async (url, name = 'Ada') => {
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

export const connectLegacy: Connect = async (url, name = 'Ada') => {
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

export const CLIENTS: [name: string, connect: Connect][] = [
  ['modern client', connectModern],
  ['legacy client', connectLegacy],
]

/** What a client sees of a server; failures count as what they say. `asks`: it is asked in the middle of a call. */
export async function visit(session: Session, asks: boolean): Promise<unknown[]> {
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

/** A legacy server cannot ask a modern client (architecture: the four cells). */
export function canAsk(server: string, client: string): boolean {
  return !server.startsWith('legacy') || client === 'legacy client'
}
