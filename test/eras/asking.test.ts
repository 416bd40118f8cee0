import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  ElicitRequestSchema,
  ListRootsRequestSchema,
  type ClientCapabilities,
} from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { typescriptServer } from '../backends/running-backend'
import { startV1Http, startV1Sse } from '../peers/v1-http'
import { closing, started } from './clients-by-hand'

const stdio = (instances: string): Promise<Record<string, unknown>> =>
  Promise.resolve({ type: 'stdio', instances, ...typescriptServer('v1-stdio.ts') })
const http = async (): Promise<Record<string, unknown>> => ({ url: (await closing(startV1Http())).url })
const sse = async (): Promise<Record<string, unknown>> => ({ type: 'sse', url: (await closing(startV1Sse())).url })

async function connect(
  url: string,
  capabilities: ClientCapabilities,
  prepare: (client: Client) => void,
): Promise<Client> {
  const client = new Client({ name: 'asked', version: '1' }, { capabilities })
  prepare(client)
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  onTestFinished(() => client.close())
  return client
}

const textOf = async (client: Client, name: string): Promise<string | undefined> =>
  ((await client.callTool({ name })) as { content: { text: string }[] }).content[0]?.text

const answersName = (client: Client): void =>
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }))

describe.each([
  ['legacy http', http],
  ['HTTP+SSE', sse],
  ['stdio, a process for each session', () => stdio('per-session')],
] as const)('a backend of %s', (_name, start) => {
  it('asks outside of calls whose session it is, and nobody else', async () => {
    const { all, tap } = await started({ peer: await start() })
    const roots = ['file:///one', 'file:///two']
    const clients = await Promise.all(
      roots.map((uri) =>
        connect(all, { roots: {} }, (client) =>
          client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri }] })),
        ),
      ),
    )
    expect(await Promise.all(clients.map((client) => textOf(client, 'peer__roots')))).toEqual(roots)
    const answered = tap.of('request.answered').filter(({ by }) => by === 'client')
    expect(answered).toHaveLength(2)
    // The question is on the record as what it is, with the frame of the backend that it carries on.
    const asked = tap.of('response.frame').filter(({ message }) => message === 'request')
    expect(asked.map(({ from }) => from).sort()).toEqual(answered.map(({ to }) => to).sort())
  }, 30_000)

  it('is refused what the client did not declare', async () => {
    const { all } = await started({ peer: await start() })
    const client = await connect(all, {}, () => undefined)
    await expect(textOf(client, 'peer__roots')).rejects.toThrow()
  }, 30_000)
})

it.each([
  ['HTTP+SSE', sse],
  ['a stdio process that clients share', () => stdio('shared')],
] as const)(
  'a client with two calls at a backend of %s is asked, since nobody else can be meant',
  async (_name, start) => {
    const { one } = await started({ peer: await start() })
    const client = await connect(one(), { elicitation: {} }, answersName)
    const abort = new AbortController()
    const waiting = client.callTool({ name: 'wait' }, undefined, { signal: abort.signal }).catch(() => 'cancelled')
    expect(await textOf(client, 'elicit')).toBe('accept {"name":"Ada"}')
    abort.abort()
    expect(await waiting).toBe('cancelled')
  },
  30_000,
)

describe('a stdio process with calls of several clients', () => {
  /** A call that lasts until the test ends. */
  const waiting = (client: Client): void => {
    const abort = new AbortController()
    void client.callTool({ name: 'wait' }, undefined, { signal: abort.signal }).catch(() => undefined)
    onTestFinished(() => abort.abort())
  }
  const silent = (): undefined => undefined

  it('asks the only client of them that can answer', async () => {
    const { one, tap } = await started({ peer: await stdio('shared') })
    const mute = await connect(one(), { roots: {} }, silent)
    const client = await connect(one(), { elicitation: {} }, answersName)
    waiting(mute)
    await tap.until('upstream.sent')
    expect(await textOf(client, 'elicit')).toBe('accept {"name":"Ada"}')
  }, 30_000)

  it('is refused, with the reason on record, when several can, or none', async () => {
    const { one, tap } = await started({ peer: await stdio('shared') })
    const first = await connect(one(), { elicitation: {} }, answersName)
    const second = await connect(one(), { elicitation: {} }, answersName)
    waiting(first)
    await tap.until('upstream.sent')
    await expect(textOf(second, 'elicit')).rejects.toThrow('names no call')
    expect(tap.of('backend.noise').map(({ text }) => text)).toEqual([
      expect.stringMatching(/^it could be for any of 2 calls: .*elicitation/) as string,
    ])
    const mute = await connect(one(), {}, silent)
    await expect(textOf(mute, 'roots')).rejects.toThrow('names no call')
  }, 30_000)
})

it.each([
  ['legacy http', http],
  ['HTTP+SSE', sse],
  ['stdio', () => stdio('shared')],
] as const)(
  'a question that a backend of %s takes back is taken back from the client',
  async (_name, start) => {
    const { all } = await started({ peer: await start() })
    let tookBack: () => void = () => undefined
    const takenBack = new Promise<void>((resolve) => (tookBack = resolve))
    const client = await connect(all, { elicitation: {} }, (asked) =>
      asked.setRequestHandler(ElicitRequestSchema, async (_request, { signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        tookBack()
        return { action: 'cancel' }
      }),
    )
    expect(await textOf(client, 'peer__impatient')).toBe('gave up')
    await takenBack
  },
  30_000,
)
