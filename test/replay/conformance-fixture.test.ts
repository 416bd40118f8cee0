import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it } from 'vitest'
import { startFixture } from '../conformance/fixture'
import { startGateway } from '../gateway/running-gateway'
import { FILE, mocked } from './mocking'
import { MemoryCaptures } from './memory-captures'
import { replayed, startRecorded } from './resending'
import { closing } from './visitors'

/** The server of the conformance suite: every tool, prompt and resource, recorded, replayed as a backend, and sent again. */
interface Visited {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  listPrompts(): Promise<{ prompts: { name: string; arguments?: { name: string }[] | undefined }[] }>
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<unknown>
  listResources(): Promise<{ resources: { uri: string }[] }>
  listResourceTemplates(): Promise<unknown>
  readResource(params: { uri: string }): Promise<unknown>
  complete(params: {
    ref: { type: 'ref/prompt'; name: string }
    argument: { name: string; value: string }
  }): Promise<unknown>
  close(): Promise<void>
}

const answer = { action: 'accept' as const, content: { name: 'Ada', username: 'ada', response: 'yes', confirm: true } }
const message = { role: 'assistant' as const, model: 'none', content: { type: 'text' as const, text: 'Oslo' } }
const roots = { roots: [{ uri: 'file:///work', name: 'work' }] }
const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} }

async function modern(url: string): Promise<Visited> {
  const client = new ModernClient(
    { name: 'new-client', version: '1' },
    { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  client.setRequestHandler('elicitation/create', () => answer)
  client.setRequestHandler('sampling/createMessage', () => message)
  client.setRequestHandler('roots/list', () => roots)
  await client.connect(new ModernTransport(new URL(url)))
  return client
}

async function legacy(url: string): Promise<Visited> {
  const client = new LegacyClient({ name: 'old-client', version: '1' }, { capabilities })
  client.setRequestHandler(ElicitRequestSchema, () => answer)
  client.setRequestHandler(CreateMessageRequestSchema, () => message)
  client.setRequestHandler(ListRootsRequestSchema, () => roots)
  await client.connect(new LegacyTransport(new URL(url)))
  return client
}

/** One ends a stream before the answer, for a client that resumes it; one waits until it is cancelled. */
const LEFT_OUT = new Set(['test_reconnection', 'test_wait'])

/** What a client sees of all that the server offers; an error counts as what it says. */
async function tour(client: Visited): Promise<unknown[]> {
  const seen: unknown[] = []
  const see = async (what: Promise<unknown>): Promise<void> => {
    seen.push(await what.catch((error: unknown) => (error instanceof Error ? `failed: ${error.message}` : 'failed')))
  }
  const { tools } = await client.listTools()
  const { prompts } = await client.listPrompts()
  const { resources } = await client.listResources()
  seen.push(tools, prompts, resources)
  await see(client.listResourceTemplates())
  for (const { name } of tools) if (!LEFT_OUT.has(name)) await see(client.callTool({ name, arguments: {} }))
  for (const { name, arguments: wanted = [] } of prompts)
    await see(client.getPrompt({ name, arguments: Object.fromEntries(wanted.map((one) => [one.name, 'x'])) }))
  for (const { uri } of resources) await see(client.readResource({ uri }))
  await see(client.readResource({ uri: 'test://template/7/data' }))
  for (const { name, arguments: [first] = [] } of prompts)
    if (first !== undefined)
      await see(client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: first.name, value: 'p' } }))
  await client.close()
  return seen
}

describe.each([
  ['modern client', modern],
  ['legacy client', legacy],
])("the conformance suite's server, recorded with a %s", { timeout: 60_000 }, (_name, connect) => {
  it('is as a replay backend what it was, to the same client', async () => {
    const fixture = await closing(startFixture())
    const live = await startGateway({ everything: { url: fixture.url } })
    const were = await tour(await connect(live.one()))
    const captures = new MemoryCaptures()
    captures.set(FILE, live.tap.events)
    const mock = await mocked(captures, {}, 'everything')
    expect(were.length).toBeGreaterThan(30)
    expect(await tour(await connect(mock.one()))).toEqual(were)
  })

  it('shows no difference when it has not changed', async () => {
    const fixture = await closing(startFixture())
    const run = await startRecorded({ everything: { url: fixture.url } })
    await tour(await connect(run.one('everything')))
    const report = await replayed(run, await startRecorded({ everything: { url: fixture.url } }))
    expect(report.groups).toEqual([])
    expect(report.operations.filter(({ outcome }) => outcome === 'failed')).toEqual([])
    expect(report.counts.same).toBeGreaterThan(30)
  })
})
