import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startDemoBackends } from '../../src/main/demo/demo'
import type { CallEvent } from '../../src/shared/capture/events'
import { foldCall } from '../../src/shared/capture/fold'
import { findingsOf } from '../../src/shared/findings'
import { isObject } from '../../src/shared/protocol/json-rpc'
import { startFixture } from '../conformance/fixture'
import { startGateway, type Running } from '../gateway/running-gateway'

/** Published servers, the fixture of the conformance suite and the demo keep the rules: nothing is found in what they do. */
interface Session {
  listTools(): Promise<{ tools: { name: string; inputSchema: unknown }[] }>
  listPrompts(): Promise<{ prompts: { name: string; arguments?: { name: string }[] | undefined }[] }>
  listResources(): Promise<{ resources: { uri: string }[] }>
  listTemplates(): Promise<unknown>
  call(name: string, given: Record<string, unknown>): Promise<unknown>
  getPrompt(given: { name: string; arguments: Record<string, string> }): Promise<unknown>
  readResource(given: { uri: string }): Promise<unknown>
  complete(prompt: string, argument: string): Promise<unknown>
}

const CAPABILITIES = { elicitation: { form: {} }, sampling: {}, roots: {} }
const WAIT = { timeout: 5_000, onprogress: () => undefined }
const sampled = { role: 'assistant' as const, model: 'none', content: { type: 'text' as const, text: 'sampled' } }

async function connectModern(url: string): Promise<Session> {
  const client = new Client(
    { name: 'modern', version: '1' },
    { capabilities: CAPABILITIES, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }))
  client.setRequestHandler('sampling/createMessage', () => sampled)
  client.setRequestHandler('roots/list', () => ({ roots: [] }))
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  onTestFinished(() => client.close())
  return {
    listTools: () => client.listTools(),
    listPrompts: () => client.listPrompts(),
    listResources: () => client.listResources(),
    listTemplates: () => client.listResourceTemplates(),
    call: (name, given) => client.callTool({ name, arguments: given }, WAIT),
    getPrompt: (given) => client.getPrompt(given),
    readResource: (given) => client.readResource(given),
    complete: (name, argument) =>
      client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument, value: 'a' } }),
  }
}

async function connectLegacy(url: string): Promise<Session> {
  const client = new LegacyClient({ name: 'legacy', version: '1' }, { capabilities: CAPABILITIES })
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }))
  client.setRequestHandler(CreateMessageRequestSchema, () => sampled)
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] }))
  await client.connect(new LegacyTransport(new URL(url)))
  onTestFinished(() => client.close())
  return {
    listTools: () => client.listTools(),
    listPrompts: () => client.listPrompts(),
    listResources: () => client.listResources(),
    listTemplates: () => client.listResourceTemplates(),
    call: (name, given) => client.callTool({ name, arguments: given }, undefined, WAIT),
    getPrompt: (given) => client.getPrompt(given),
    readResource: (given) => client.readResource(given),
    complete: (name, argument) =>
      client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument, value: 'a' } }),
  }
}

/** Something for each required argument. */
function argumentsFor(schema: unknown): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  if (!isObject(schema) || !isObject(schema.properties)) return values
  for (const [name, property] of Object.entries(schema.properties)) {
    const type = isObject(property) ? property.type : undefined
    if (!Array.isArray(schema.required) || !schema.required.includes(name)) continue
    values[name] = type === 'number' || type === 'integer' ? 1 : type === 'array' ? [] : type === 'object' ? {} : 'a'
  }
  return values
}

/** Everything that is offered is used once. Calls may fail: how they fail is judged. */
async function useAll(session: Session, leaveOut: ReadonlySet<string>): Promise<number> {
  const used: Promise<unknown>[] = []
  const use = (call: Promise<unknown>): void => void used.push(call.catch(() => undefined))
  const { tools } = await session.listTools()
  for (const { name, inputSchema } of tools) {
    if (!leaveOut.has(name.split('__').at(-1) ?? '')) use(session.call(name, argumentsFor(inputSchema)))
  }
  // Not every server has all kinds.
  const { prompts } = await session.listPrompts().catch(() => ({ prompts: [] }))
  for (const prompt of prompts) {
    const given = Object.fromEntries((prompt.arguments ?? []).map(({ name }) => [name, 'test://static-text']))
    use(session.getPrompt({ name: prompt.name, arguments: given }))
    for (const { name } of prompt.arguments ?? []) use(session.complete(prompt.name, name))
  }
  const { resources } = await session.listResources().catch(() => ({ resources: [] }))
  for (const { uri } of resources.slice(0, 10)) use(session.readResource({ uri }))
  use(session.listTemplates())
  use(session.readResource({ uri: 'test://nothing' }))
  await Promise.all(used)
  return used.length
}

/** What is found in the calls of a run, with the call that it is of. */
function foundIn({ tap }: Running): string[] {
  const calls = new Map<number, CallEvent[]>()
  for (const event of tap.events) {
    if (!('call' in event)) continue
    const events = calls.get(event.call)
    if (events === undefined) calls.set(event.call, [event])
    else events.push(event)
  }
  return [...calls.values()].flatMap((events) => {
    const record = foldCall(events)
    const { method, target } = record.summary
    return findingsOf(record).map(({ rule, message }) => `${method} ${target}: ${rule}: ${message}`)
  })
}

function published(name: string, ...args: string[]): Record<string, unknown> {
  const path = new URL(`../../node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url)
  return { type: 'stdio', command: process.execPath, args: [fileURLToPath(path), ...args] }
}

const CLIENTS: [name: string, connect: (url: string) => Promise<Session>][] = [
  ['a modern client', connectModern],
  ['a legacy client', connectLegacy],
]

describe.each(CLIENTS)('nothing is found with %s and', (_name, connect) => {
  it('the fixture of the conformance suite', async () => {
    const fixture = await startFixture()
    onTestFinished(() => fixture.close())
    const running = await startGateway({ fixture: { url: fixture.url } })
    expect(await useAll(await connect(running.one()), new Set())).toBeGreaterThan(30)
    expect(foundIn(running)).toEqual([])
  }, 60_000)

  it('published servers', async () => {
    const running = await startGateway({
      everything: published('server-everything'),
      files: published('server-filesystem', process.cwd()),
    })
    // It runs for seconds by itself, or writes.
    const leaveOut = new Set([
      'trigger-long-running-operation',
      'simulate-research-query',
      'write_file',
      'create_directory',
      'directory_tree',
      'search_files',
    ])
    expect(await useAll(await connect(running.all), leaveOut)).toBeGreaterThan(15)
    expect(foundIn(running)).toEqual([])
  }, 60_000)

  it('the demo, but for what it does wrong on purpose', async () => {
    const demo = await startDemoBackends()
    onTestFinished(() => demo.close())
    const backends = Object.fromEntries(Object.entries(demo.mcpServers).filter(([name]) => name !== 'faults'))
    const running = await startGateway(backends, { deferralWindowMs: 300 })
    expect(await useAll(await connect(running.all), new Set())).toBeGreaterThan(5)
    expect(foundIn(running)).toEqual([])
  }, 60_000)
})
