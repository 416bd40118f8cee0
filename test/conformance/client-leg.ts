import { Client, StreamableHTTPClientTransport, type Tool } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { startConformanceGateway } from './conformance-gateway'

/**
 * The client that the suite's client scenarios watch: `client-leg.ts <url>` starts a gateway in front of the suite's server
 * at that URL and does behind it, with the published SDK, what the scenario is about. Exits with 1 when something failed.
 */
const Context = z.object({
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })),
})
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const url = z.url().parse(process.argv.at(-1))

/** What a scenario wants its client to do, with the tools that the server lists. */
const CALLS: Record<string, (tools: Tool[]) => { name: string; arguments: Record<string, unknown> }[]> = {
  tools_call: () => [{ name: 'add_numbers', arguments: { a: 5, b: 3 } }],
  'request-metadata': () => [],
  'sep-2322-client-request-state': (tools) => tools.map(({ name }) => ({ name, arguments: {} })),
  'http-standard-headers': (tools) => tools.map(({ name }) => ({ name, arguments: {} })),
  'http-custom-headers': () => Context.parse(JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')).toolCalls,
  // The SDK leaves out the tools that no client may call.
  'http-invalid-tool-headers': (tools) => tools.map(({ name }) => ({ name, arguments: { region: 'us-west1' } })),
  'json-schema-ref-no-deref': () => [],
  'json-schema-2020-12-preservation': (tools) => {
    const [rich, echo] = tools
    if (rich === undefined || echo === undefined) throw new Error('the server does not list its two tools')
    return [{ name: echo.name, arguments: { schema: rich.inputSchema } }]
  },
}
/** A result without `resultType` counts as complete for the suite, and as a fault for this SDK; it must only not be asked again. */
const TOOL_WITHOUT_RESULT_TYPE = 'test_mrtr_no_result_type'

const callsOf = CALLS[scenario]
if (callsOf === undefined) throw new Error(`no client for the scenario ${JSON.stringify(scenario)}`)
const gateway = await startConformanceGateway({ suite: { type: 'http', url } })
const client = new Client(
  { name: 'conformance-client', version: '1.0.0' },
  {
    versionNegotiation: { mode: 'auto' },
    capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
  },
)
client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { confirmed: true } }))
try {
  await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.base}/mcp/suite`)))
  const { tools } = await client.listTools()
  for (const call of callsOf(tools)) {
    const calling = client.callTool(call)
    if (call.name === TOOL_WITHOUT_RESULT_TYPE)
      await calling.catch((error: unknown) => console.log(`${call.name}: ${String(error)}`))
    else await calling
  }
  const { resources, prompts } = client.getServerCapabilities() ?? {}
  if (resources !== undefined)
    for (const { uri } of (await client.listResources()).resources) await client.readResource({ uri })
  if (prompts !== undefined)
    for (const { name } of (await client.listPrompts()).prompts) await client.getPrompt({ name })
} finally {
  await client.close()
  await gateway.close(0)
}
