import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway, type Running } from '../gateway/running-gateway'
import { modernRequest, send } from '../peers/raw-client'

/** The servers that the protocol's project publishes on npm, all three as stdio backends of one gateway. */
const GRAPH = 'memory://knowledge-graph'
const published = (name: string, ...args: string[]): Record<string, unknown> => ({
  type: 'stdio',
  command: process.execPath,
  args: [
    fileURLToPath(new URL(`../../node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url)),
    ...args,
  ],
})

async function started(): Promise<Running & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-public-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const running = await startGateway({
    everything: published('server-everything'),
    files: published('server-filesystem', folder),
    memory: { ...published('server-memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } },
  })
  await running.tap.until('backend.catalog', 3)
  return { ...running, folder }
}

interface Session {
  tools(): Promise<string[]>
  prompts(): Promise<string[]>
  resources(): Promise<string[]>
  call(name: string, given?: Record<string, unknown>, onprogress?: (progress: number) => void): Promise<unknown>
  prompt(name: string, given: Record<string, string>): Promise<unknown>
  read(uri: string): Promise<unknown>
  complete(prompt: string, argument: string, value: string): Promise<string[]>
}

async function connectModern(url: string): Promise<Session> {
  const client = new ModernClient(
    { name: 'modern', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: { elicitation: { form: {} }, sampling: {} } },
  )
  await client.connect(new ModernTransport(new URL(url)))
  onTestFinished(() => client.close())
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    call: (name, given = {}, onprogress) =>
      client.callTool(
        { name, arguments: given },
        onprogress === undefined ? {} : { onprogress: ({ progress }) => onprogress(progress) },
      ),
    prompt: (name, given) => client.getPrompt({ name, arguments: given }),
    read: (uri) => client.readResource({ uri }),
    complete: async (name, argument, value) =>
      (await client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument, value } })).completion
        .values,
  }
}

async function connectLegacy(url: string): Promise<Session & { client: LegacyClient }> {
  const client = new LegacyClient(
    { name: 'legacy', version: '1' },
    { capabilities: { elicitation: { form: {} }, sampling: {} } },
  )
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }))
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: 'assistant',
    model: 'none',
    content: { type: 'text', text: 'sampled' },
  }))
  await client.connect(new LegacyTransport(new URL(url)))
  onTestFinished(() => client.close())
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    call: (name, given = {}, onprogress) =>
      client.callTool(
        { name, arguments: given },
        undefined,
        onprogress === undefined ? {} : { onprogress: ({ progress }) => onprogress(progress) },
      ),
    prompt: (name, given) => client.getPrompt({ name, arguments: given }),
    read: (uri) => client.readResource({ uri }),
    complete: async (name, argument, value) =>
      (await client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument, value } })).completion
        .values,
  }
}

const CLIENTS: [name: string, connect: (url: string) => Promise<Session>][] = [
  ['a modern client', connectModern],
  ['a legacy client', connectLegacy],
]
const textOf = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? ''

describe.each(CLIENTS)('published servers and %s', (_, connect) => {
  it('lists, calls, progress, prompts, resources, completions, files and memory', async () => {
    const running = await started()
    const session = await connect(running.all)
    expect(await session.tools()).toEqual(
      expect.arrayContaining(['everything__echo', 'files__read_text_file', 'memory__read_graph']),
    )
    expect(await session.prompts()).toEqual(expect.arrayContaining(['everything__simple-prompt']))
    expect(await session.resources()).toEqual(
      expect.arrayContaining([GRAPH, 'demo://resource/static/document/architecture.md']),
    )
    expect(textOf(await session.call('everything__echo', { message: 'héllo' }))).toContain('héllo')
    expect(textOf(await session.call('everything__get-sum', { a: 2, b: 3 }))).toContain('5')
    expect(await session.call('everything__get-structured-content', { location: 'New York' })).toMatchObject({
      structuredContent: { temperature: expect.any(Number) as number },
    })
    const progress: number[] = []
    const long = { duration: 0.3, steps: 3 }
    await session.call('everything__trigger-long-running-operation', long, (value) => progress.push(value))
    expect(progress).toEqual([1, 2, 3])
    expect(JSON.stringify(await session.prompt('everything__args-prompt', { city: 'Bern' }))).toContain('Bern')
    expect(JSON.stringify(await session.read('demo://resource/dynamic/text/7'))).toContain('7')
    expect(await session.complete('everything__completable-prompt', 'department', 'Eng')).toEqual(['Engineering'])

    const path = join(running.folder, 'note.txt')
    await session.call('files__write_file', { path, content: 'written through the gateway' })
    expect(await readFile(path, 'utf8')).toBe('written through the gateway')
    expect(textOf(await session.call('files__read_text_file', { path }))).toBe('written through the gateway')
    expect(await session.call('files__read_text_file', { path: '/etc/hostname' })).toMatchObject({ isError: true })

    const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote programs'] }]
    await session.call('memory__create_entities', { entities })
    expect(textOf(await session.call('memory__search_nodes', { query: 'Ada' }))).toContain('wrote programs')
  }, 60_000)
})

it('published servers ask a legacy client in the middle of a call; a modern one cannot be asked', async () => {
  const running = await started()
  const legacy = await connectLegacy(running.all)
  expect(textOf(await legacy.call('everything__trigger-elicitation-request'))).toMatch(/declin/i)
  const sampled = await legacy.call('everything__trigger-sampling-request', { prompt: 'x', maxTokens: 5 })
  expect(JSON.stringify(sampled)).toContain('sampled')
  const modern = await connectModern(running.all)
  await expect(modern.call('everything__trigger-elicitation-request')).rejects.toThrow(/SEP-2322/)
}, 60_000)

it('an update of the memory reaches subscribers of both eras', async () => {
  const running = await started()
  const legacy = await connectLegacy(running.all)
  const updated: string[] = []
  legacy.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri))
  await legacy.client.subscribeResource({ uri: GRAPH })
  const notifications = { resourceSubscriptions: [GRAPH] }
  const request = modernRequest('subscriptions/listen', { notifications }, { id: 'memory' })
  const stream = send(running.all, request.body, request.headers)
  onTestFinished(() => stream.destroy())
  expect((await stream.nextFrame())?.data).toContain(GRAPH)
  await legacy.call('memory__create_entities', { entities: [{ name: 'Bob', entityType: 'person', observations: [] }] })
  expect((await stream.nextFrame())?.data).toContain('notifications/resources/updated')
  await expect.poll(() => updated).toEqual([GRAPH])
}, 60_000)
