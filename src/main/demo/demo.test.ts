import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { META } from '../../shared/protocol/meta'
import { MODERN_VERSION } from '../../shared/protocol/revisions'
import { type DemoBackends, startDemoBackends } from './demo'

let demo: DemoBackends
const clients: Client[] = []

beforeAll(async () => {
  demo = await startDemoBackends()
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  await demo.close()
})

async function connect(backend: string, asked: string[] = []): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '0' },
    { versionNegotiation: { mode: { pin: MODERN_VERSION } }, capabilities: { elicitation: { form: {} } } },
  )
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message)
    const content: Record<string, string | number | boolean> =
      asked.length === 1 ? { depart: '2027-01-02', nights: 2 } : { confirm: true }
    return { action: 'accept', content }
  })
  const server = demo.mcpServers[backend]
  if (!server) throw new Error(`no demo backend ${backend}`)
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)))
  clients.push(client)
  return client
}

/** The raw answer to one tools/call, for what the SDK's client would hide. */
async function post(backend: string, name: string): Promise<Response> {
  const meta = { [META.protocolVersion]: MODERN_VERSION, [META.clientCapabilities]: {}, progressToken: 'p' }
  return fetch(demo.mcpServers[backend]?.url ?? '', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN_VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, _meta: meta } }),
  })
}

describe('weather', () => {
  it('reports five steps of progress and logs them, then answers', async () => {
    const client = await connect('weather')
    const progress: (number | undefined)[] = []
    const logs: string[] = []
    client.setNotificationHandler('notifications/message', ({ params }) => {
      logs.push(params.level)
    })
    const result = await client.callTool(
      { name: 'forecast', arguments: { city: 'Turin' }, _meta: { [META.logLevel]: 'info' } },
      { onprogress: (step) => progress.push(step.progress) },
    )
    expect(progress).toEqual([1, 2, 3, 4, 5])
    expect(logs).toEqual(['info', 'info', 'info', 'warning', 'info'])
    expect(result.content).toEqual([{ type: 'text', text: 'Turin, next 3 days: rain, then sun, 17 °C' }])
  })
})

describe('booking', () => {
  it('asks for dates, then for a confirmation, then books', async () => {
    const asked: string[] = []
    const client = await connect('booking', asked)
    const result = await client.callTool({ name: 'book_trip', arguments: { city: 'Kyoto' } })
    expect(asked).toEqual(['When do you want to go to Kyoto?', '2 nights in Kyoto from 2027-01-02 cost 240 €.'])
    expect(result.content).toEqual([{ type: 'text', text: 'Booked: 2 nights in Kyoto from 2027-01-02 for 240 €' }])
  })
})

describe('archive', () => {
  it('stays silent, then answers in one piece', async () => {
    const client = await connect('archive')
    const result = await client.callTool({ name: 'restore', arguments: { file: 'a', silenceMs: 20 } })
    expect(result.content).toEqual([{ type: 'text', text: 'a restored' }])
  })
})

describe('faults', () => {
  it('fails within the protocol: a tool error, a thrown error, a JSON-RPC error', async () => {
    const client = await connect('faults')
    expect(await client.callTool({ name: 'tool_error' })).toMatchObject({ isError: true })
    expect(await client.callTool({ name: 'throws' })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('cannot read the ledger') as unknown }],
    })
    await expect(client.callTool({ name: 'protocol_error' })).rejects.toMatchObject({ code: -32602 })
  })

  it('fails below the protocol', async () => {
    const page = await post('faults', 'error_page')
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html'])
    await expect((await post('faults', 'garbage')).json()).rejects.toThrow(SyntaxError)
    expect(await (await post('faults', 'stray_ids')).text()).toMatch(/^id: 7\nretry: 3000\n/)
    await expect((await post('faults', 'dies_mid_stream')).text()).rejects.toThrow('terminated')
  })

  it('reports progress that goes backwards', async () => {
    const text = await (await post('faults', 'progress_backwards')).text()
    expect([...text.matchAll(/"progress":(\d)/g)].map((match) => match[1])).toEqual(['2', '1'])
  })

  it('lists every one of its tools', async () => {
    const client = await connect('faults')
    expect((await client.listTools()).tools.map((tool) => tool.name).sort()).toEqual([
      'dies_mid_stream',
      'error_page',
      'garbage',
      'progress_backwards',
      'protocol_error',
      'stray_ids',
      'throws',
      'tool_error',
    ])
  })
})
