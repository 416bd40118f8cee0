import { fileURLToPath } from 'node:url'
import {
  Client as ModernClient,
  LOG_LEVEL_META_KEY,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernStdioTransport } from '@modelcontextprotocol/client/stdio'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as LegacyStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway, type Running } from '../gateway/running-gateway'
import { startV1Http, startV1Sse } from '../peers/v1-http'
import { startV2Http } from '../peers/v2-http'

/**
 * Every client with every backend, all published SDKs, the gateway between them: what each cell of the two eras does
 * with lists, calls, progress, logs, cancellation, elicitation, large results and a backend that dies.
 */
const script = (name: string): string => fileURLToPath(new URL(`../peers/servers/${name}.ts`, import.meta.url))

interface Peer {
  config: Record<string, unknown>
  /** Resolves when the backend has seen the cancellation of `wait`. */
  cancelled?: readonly string[]
  kill?: () => void
}
type Era = 'modern' | 'legacy'

const stdio = (name: string, ...more: string[]): Peer => ({
  config: { type: 'stdio', command: process.execPath, args: ['--import', 'tsx', script(name), ...more] },
})
const BACKENDS: [name: string, era: Era, start: () => Promise<Peer> | Peer][] = [
  ['modern http', 'modern', async () => fromHttp(await startV2Http())],
  ['legacy http with sessions', 'legacy', async () => fromHttp(await startV1Http())],
  ['legacy http, resumable', 'legacy', async () => fromHttp(await startV1Http({ resumable: true }))],
  ['legacy SSE', 'legacy', async () => fromHttp(await startV1Sse(), 'sse')],
  ['modern stdio', 'modern', () => stdio('v2-stdio')],
  ['legacy stdio', 'legacy', () => stdio('v1-stdio')],
]

function fromHttp(peer: { url: string; cancelled: readonly string[]; close(): Promise<void> }, type = 'http'): Peer {
  onTestFinished(() => peer.close())
  return { config: { type, url: peer.url }, cancelled: peer.cancelled, kill: () => void peer.close() }
}

/** What both SDKs' clients can do, in one form. */
interface Session {
  tools(): Promise<string[]>
  call(
    name: string,
    more?: { arguments?: Record<string, unknown>; onprogress?: (progress: number) => void; signal?: AbortSignal },
  ): Promise<string>
  logs: string[]
  listChanges: number
}

async function connectModern(
  url: string,
  transport: ModernTransport | ModernStdioTransport = new ModernTransport(new URL(url)),
): Promise<Session> {
  const client = new ModernClient(
    { name: 'modern', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: { elicitation: { form: {} } } },
  )
  const session: Session = {
    logs: [],
    listChanges: 0,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, { arguments: given = {}, onprogress, signal } = {}) => {
      const params = { name, arguments: given, _meta: { [LOG_LEVEL_META_KEY]: 'debug' as const } }
      const result = await client.callTool(params, {
        timeout: 15_000,
        ...(signal === undefined ? {} : { signal }),
        ...(onprogress === undefined ? {} : { onprogress: ({ progress }) => onprogress(progress) }),
      })
      return textOf(result)
    },
  }
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }))
  client.setNotificationHandler('notifications/message', ({ params }) => void session.logs.push(String(params.data)))
  await client.connect(transport)
  oneByOne(transport)
  onTestFinished(() => client.close())
  return session
}

async function connectLegacy(
  url: string,
  transport: LegacyTransport | LegacyStdioTransport = new LegacyTransport(new URL(url)),
): Promise<Session> {
  const client = new LegacyClient({ name: 'legacy', version: '1' }, { capabilities: { elicitation: {} } })
  const session: Session = {
    logs: [],
    listChanges: 0,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, { arguments: given = {}, onprogress, signal } = {}) => {
      const result = await client.callTool({ name, arguments: given }, undefined, {
        timeout: 15_000,
        ...(signal === undefined ? {} : { signal }),
        ...(onprogress === undefined ? {} : { onprogress: ({ progress }) => onprogress(progress) }),
      })
      return textOf(result)
    },
  }
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }))
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ params }) => void session.logs.push(String(params.data)),
  )
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void session.listChanges++)
  await client.connect(transport)
  oneByOne(transport)
  onTestFinished(() => client.close())
  return session
}

/**
 * Both SDKs lose a progress notification that is read in one chunk with the response it precedes: the response ends the
 * handler before the notification's turn comes. Here every message gets its own turn.
 */
function oneByOne(transport: { onmessage?: ModernStdioTransport['onmessage'] }): void {
  const { onmessage } = transport
  transport.onmessage = (...given) => void setImmediate(() => onmessage?.(...given))
}

/** How a client launches the command that carries its lines to the gateway. */
const launch = (url: string): { command: string; args: string[]; cwd: string } => ({
  command: process.execPath,
  args: ['--import', 'tsx', 'src/main/cli/sluice.ts', 'connect', '--no-start', '--url', url],
  cwd: fileURLToPath(new URL('../../', import.meta.url)),
})

const CLIENTS: [name: string, era: Era, connect: (url: string) => Promise<Session>][] = [
  ['a modern client', 'modern', (url) => connectModern(url)],
  ['a legacy client', 'legacy', (url) => connectLegacy(url)],
  ['a modern stdio client', 'modern', (url) => connectModern(url, new ModernStdioTransport(launch(url)))],
  ['a legacy stdio client', 'legacy', (url) => connectLegacy(url, new LegacyStdioTransport(launch(url)))],
]
const ENDPOINTS = ['one', 'all'] as const

function textOf(result: unknown): string {
  return (result as { content: { text: string }[] }).content[0]?.text ?? ''
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

for (const [backendName, backendEra, startPeer] of BACKENDS) {
  for (const [clientName, clientEra, connect] of CLIENTS) {
    for (const endpoint of ENDPOINTS) {
      describe(`${clientName} and a ${backendName} backend, endpoint of ${endpoint}`, () => {
        const start = async (): Promise<{
          session: Session
          named: (name: string) => string
          peer: Peer
          running: Running
        }> => {
          const peer = await startPeer()
          // A server that is started with tsx on a busy machine needs longer than lists wait for it.
          const running = await startGateway({ peer: peer.config }, { listTimeoutMs: 30_000 })
          const session = await connect(endpoint === 'one' ? running.one() : running.all)
          return { session, peer, running, named: (name) => (endpoint === 'one' ? name : `peer__${name}`) }
        }

        it('lists, calls, progress, logs, a large result, elicitation, cancellation', async () => {
          const { session, named, running } = await start()
          expect(await session.tools()).toEqual(expect.arrayContaining([named('echo'), named('elicit')]))
          expect(await session.call(named('echo'), { arguments: { text: 'héllo' } })).toBe('héllo')
          const progress: number[] = []
          expect(await session.call(named('progress'), { onprogress: (value) => progress.push(value) })).toBe('done')
          expect(progress).toEqual([1, 2, 3])
          expect(await session.call(named('log'))).toBe('done')
          expect(session.logs).toEqual(['logged'])
          expect(await session.call(named('big'), { arguments: { size: 2_000_000 } })).toHaveLength(2_000_000)

          if (clientEra === 'modern' && backendEra === 'legacy') {
            await expect(session.call(named('elicit'))).rejects.toThrow(/SEP-2322|does not support form elicitation/)
          } else {
            expect(await session.call(named('elicit'))).toBe('accept {"name":"Ada"}')
          }

          const abort = new AbortController()
          const waiting = session.call(named('wait'), { signal: abort.signal })
          waiting.catch(() => undefined)
          await running.tap.until('upstream.sent', running.tap.of('upstream.sent').length)
          await until(() =>
            running.tap.of('upstream.sent').some(({ call }) => callName(running, call) === named('wait')),
          )
          abort.abort('enough')
          await expect(waiting).rejects.toThrow()
          await until(() =>
            running.tap
              .of('upstream.ended')
              .some((event) => callName(running, event.call) === named('wait') && event.reason === 'cancelled'),
          )
        }, 60_000)

        if (backendName.endsWith('stdio')) {
          it('a backend that dies in the middle of a call ends it at once, and is back soon', async () => {
            const { session, named } = await start()
            expect(await session.call(named('echo'), { arguments: { text: 'a' } })).toBe('a')
            await expect(session.call(named('die'))).rejects.toThrow(/peer/)
            await expect
              .poll(() => session.call(named('echo'), { arguments: { text: 'b' } }).catch(() => ''), {
                timeout: 20_000,
              })
              .toBe('b')
          }, 60_000)
        }
      })
    }
  }
}

function callName(running: Running, call: number): string | undefined {
  return running.tap.of('call.received').find((event) => event.call === call)?.name
}
