import { Client, LOG_LEVEL_META_KEY, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startFixture, type Fixture } from '../conformance/fixture'
import { gate, startGateway, type Running } from '../gateway/running-gateway'

/**
 * The published SDK's client and server with the gateway between them, unchanged. The client is pinned to the modern
 * revision and can answer elicitation, sampling and roots.
 */
interface Session {
  client: Client
  running: Running
  fixture: Fixture
  /** What the client was asked, in order. */
  asked: string[]
  /** Errors that the client reported instead of throwing, for instance dropped frames. */
  complaints: Error[]
  /** The name of a tool or prompt at this endpoint. */
  named(name: string): string
}

const ENDPOINTS = ['one backend', 'all backends'] as const

async function connect(endpoint: (typeof ENDPOINTS)[number], settings: Record<string, unknown> = {}): Promise<Session> {
  const fixture = await startFixture()
  onTestFinished(() => fixture.close())
  const other = await startFixture()
  onTestFinished(() => other.close())
  const running = await startGateway({ everything: { url: fixture.url }, other: { url: other.url } }, settings)
  const client = new Client(
    { name: 'proof', version: '1.0.0' },
    {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
    },
  )
  const asked: string[] = []
  const complaints: Error[] = []
  client.onerror = (error) => complaints.push(error)
  client.setRequestHandler('elicitation/create', (request) => {
    asked.push(`elicitation: ${request.params.message}`)
    return { action: 'accept', content: { name: 'Ada', color: 'blue', ok: true, context: 'tests' } }
  })
  client.setRequestHandler('sampling/createMessage', () => {
    asked.push('sampling')
    return { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'none', stopReason: 'endTurn' }
  })
  client.setRequestHandler('roots/list', () => {
    asked.push('roots')
    return { roots: [{ uri: 'file:///work', name: 'work' }] }
  })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(endpoint === 'one backend' ? running.one() : running.all)),
  )
  onTestFinished(() => client.close())
  const named = (name: string): string => (endpoint === 'one backend' ? name : `everything__${name}`)
  return { client, running, fixture, asked, complaints, named }
}

const said = (result: { content: unknown }): string => JSON.stringify(result.content)

for (const endpoint of ENDPOINTS) {
  describe(`the SDK's client through the endpoint of ${endpoint}`, () => {
    it('negotiates the modern revision and discovers', async () => {
      const { client } = await connect(endpoint)
      expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
      expect(client.getServerCapabilities()).toMatchObject({ tools: {}, prompts: {}, resources: {}, completions: {} })
    })

    it('lists tools, prompts, resources and templates', async () => {
      const { client, named, complaints } = await connect(endpoint)
      const { tools } = await client.listTools()
      expect(tools.map((tool) => tool.name)).toEqual(
        expect.arrayContaining([named('test_simple_text'), named('test_x_mcp_header')]),
      )
      const { prompts } = await client.listPrompts()
      expect(prompts.map((prompt) => prompt.name)).toContain(named('test_prompt_with_arguments'))
      const { resources } = await client.listResources()
      expect(resources.map((resource) => resource.uri)).toContain('test://static-text')
      const { resourceTemplates } = await client.listResourceTemplates()
      expect(resourceTemplates.map((template) => template.uriTemplate)).toContain('test://template/{id}/data')
      expect(complaints).toEqual([])
    })

    it('calls a tool with progress and logs', async () => {
      const { client, named, complaints } = await connect(endpoint)
      const progress: number[] = []
      await client.callTool(
        { name: named('test_tool_with_progress'), arguments: {} },
        { onprogress: (step) => progress.push(step.progress) },
      )
      expect(progress).toEqual([0, 50, 100])
      const logs: unknown[] = []
      client.setNotificationHandler('notifications/message', (notification) => {
        logs.push(notification.params.level)
      })
      const logging = { name: named('test_logging_tool'), arguments: {}, _meta: { [LOG_LEVEL_META_KEY]: 'warning' } }
      await client.callTool(logging)
      expect(logs).toEqual(['warning', 'error'])
      await client.callTool({ name: named('test_logging_tool'), arguments: {} })
      expect(logs).toHaveLength(2)
      expect(complaints).toEqual([])
    })

    it('calls tools that answer with every kind of content, fail, or mirror an argument in a header', async () => {
      const { client, named } = await connect(endpoint)
      const mixed = await client.callTool({ name: named('test_multiple_content_types'), arguments: {} })
      expect(mixed.content.map((content) => content.type)).toEqual(['text', 'image', 'resource'])
      const failed = await client.callTool({ name: named('test_error_handling'), arguments: {} })
      expect(failed.isError).toBe(true)
      await client.listTools()
      const mirrored = await client.callTool({ name: named('test_x_mcp_header'), arguments: { region: 'Zürich' } })
      expect(said(mirrored)).toContain('Zürich')
      await expect(client.callTool({ name: named('no_such_tool'), arguments: {} })).rejects.toMatchObject({
        code: -32602,
      })
    })

    it('drives multi-round calls: elicitation, sampling, roots, several at once, and several rounds', async () => {
      const { client, named, asked, running, complaints } = await connect(endpoint)
      const call = async (name: string): Promise<string> =>
        said(await client.callTool({ name: named(name), arguments: {} }))
      expect(await call('test_input_required_result_elicitation')).toContain('Hello, Ada!')
      expect(await call('test_input_required_result_sampling')).toContain('Paris')
      expect(await call('test_input_required_result_list_roots')).toContain('file:///work')
      expect(await call('test_input_required_result_request_state')).toContain('state-ok')
      expect(await call('test_input_required_result_multiple_inputs')).toContain('for Ada with 1 roots')
      expect(await call('test_input_required_result_multi_round')).toContain('blue')
      expect(await call('test_streaming_elicitation').catch((error: unknown) => String(error))).toMatch(/round/i)
      expect(asked.filter((question) => question.startsWith('elicitation'))).toContain(
        'elicitation: Step 2: What is your favorite color?',
      )
      const operations = running.tap
        .of('call.routed')
        .filter((event) => event.name === 'test_input_required_result_multi_round')
      expect(operations.map((event) => event.round)).toEqual([1, 2, 3])
      expect(new Set(operations.map((event) => event.operation)).size).toBe(1)
      expect(running.tap.of('state.refused')).toEqual([])
      expect(complaints).toEqual([])
    })

    it('reads resources, also through a template, and says which one does not exist', async () => {
      const { client } = await connect(endpoint)
      const read = await client.readResource({ uri: 'test://static-text' })
      expect(read.contents[0]).toMatchObject({ uri: 'test://static-text' })
      const templated = await client.readResource({ uri: 'test://template/42/data' })
      expect(JSON.stringify(templated.contents)).toContain('Data for ID: 42')
      await expect(client.readResource({ uri: 'test://nothing' })).rejects.toMatchObject({
        code: -32602,
        data: { uri: 'test://nothing' },
      })
    })

    it('gets prompts, one after a question, and completes an argument', async () => {
      const { client, named } = await connect(endpoint)
      const prompt = await client.getPrompt({
        name: named('test_prompt_with_arguments'),
        arguments: { arg1: 'a', arg2: 'b' },
      })
      expect(JSON.stringify(prompt.messages)).toContain("arg1='a', arg2='b'")
      const asked = await client.getPrompt({ name: named('test_input_required_result_prompt') })
      expect(JSON.stringify(asked.messages)).toContain('Prompt in the context: tests')
      const completed = await client.complete({
        ref: { type: 'ref/prompt', name: named('test_prompt_with_arguments') },
        argument: { name: 'arg1', value: 'par' },
      })
      expect(completed.completion.values).toEqual(['paris', 'park', 'party'])
    })

    it('cancels a call, which ends it on the backend', async () => {
      const { client, named, running } = await connect(endpoint)
      const abort = new AbortController()
      const call = client.callTool({ name: named('test_wait'), arguments: {} }, { signal: abort.signal })
      call.catch(() => undefined)
      await running.tap.until('upstream.sent', running.tap.of('upstream.sent').length + 1)
      const before = performance.now()
      abort.abort()
      await expect(call).rejects.toThrow()
      const ended = (await running.tap.until('call.ended')).length
      for (let count = ended; running.tap.of('call.ended').at(-1)?.outcome !== 'cancelled'; count += 1)
        await running.tap.until('call.ended', count + 1)
      expect(performance.now() - before).toBeLessThan(500)
      expect(running.tap.of('upstream.ended').at(-1)?.reason).toBe('cancelled')
    })

    it('stays alive on a silent tool behind a short window, since the gateway pings', async () => {
      const { client, named } = await connect(endpoint, { deferralWindowMs: 10, pingIntervalMs: 10 })
      const result = await client.callTool({ name: named('test_tool_with_progress'), arguments: {} })
      expect(said(result)).toContain('text')
    })

    it('subscribes to changes, receives them, and closes', async () => {
      const { client, fixture, complaints } = await connect(endpoint)
      const changed = gate()
      client.setNotificationHandler('notifications/tools/list_changed', () => changed.open())
      const updated = gate()
      client.setNotificationHandler('notifications/resources/updated', (notification) => {
        if (notification.params.uri === 'test://watched-resource') updated.open()
      })
      const subscription = await client.listen({
        toolsListChanged: true,
        resourceSubscriptions: ['test://watched-resource'],
      })
      fixture.notify.toolsChanged()
      fixture.notify.resourceUpdated('test://watched-resource')
      await changed.opened
      await updated.opened
      await subscription.close()
      expect(complaints).toEqual([])
    })
  })
}
