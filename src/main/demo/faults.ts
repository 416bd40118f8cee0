import type { ServerResponse } from 'node:http'
import { McpServer, ProtocolError } from '@modelcontextprotocol/server'
import { isObject, isRequestId, type RequestId } from '../../shared/protocol/json-rpc'
import { type DemoBackend, reportProgress, startDemoBackend, textResult } from './demo-backend'

/** Shows what goes wrong in practice: one tool for each way to fail, within the protocol and against it. */
export function startFaults(): Promise<DemoBackend> {
  return startDemoBackend(makeServer, (_request, response, message) => {
    if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params)) return false
    const breakIt = typeof message.params.name === 'string' ? BROKEN_ANSWERS[message.params.name] : undefined
    if (!breakIt || !isRequestId(message.id)) return false
    breakIt(response, message.id)
    return true
  })
}

/** Failures that the SDK's server never produces, written by hand. */
const BROKEN_ANSWERS: Record<string, (response: ServerResponse, id: RequestId) => void> = {
  error_page(response) {
    response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>503 Service Unavailable</h1>')
  },
  garbage(response) {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc": "2.0", "result": oops')
  },
  dies_mid_stream(response) {
    beginStream(response)
    response.write(
      event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'last words' } }),
    )
    setTimeout(() => response.destroy(), 300)
  },
  protocol_error(response, id) {
    const error = { code: -32602, message: 'the account is closed', data: { account: 'A-17' } }
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, error }))
  },
  stray_ids(response, id) {
    beginStream(response)
    const result = { resultType: 'complete', content: [{ type: 'text', text: 'an `id:` line came with this' }] }
    response.end(`id: 7\nretry: 3000\n${event({ jsonrpc: '2.0', id, result })}`)
  },
}

const DESCRIPTIONS: Record<string, string> = {
  error_page: 'Answers with an HTML page and status 503.',
  garbage: 'Answers with broken JSON.',
  dies_mid_stream: 'Begins a stream and drops the connection.',
  protocol_error: 'Answers with a JSON-RPC error and status 400.',
  stray_ids: 'Sends `id:` and `retry:` lines, which 2026-07-28 does not have.',
}

function makeServer(): McpServer {
  const server = new McpServer({ name: 'demo-faults', version: '1.0.0' })

  server.registerTool('tool_error', { description: 'Returns a result that says the tool failed.' }, () => ({
    ...textResult('no such account'),
    isError: true,
  }))
  server.registerTool('throws', { description: 'Throws in its handler.' }, () => {
    throw new Error('cannot read the ledger')
  })
  server.registerTool(
    'progress_backwards',
    { description: 'Reports progress that does not increase.' },
    async (context) => {
      await reportProgress(context, 2, 3, 'two of three')
      await reportProgress(context, 1, 3, 'one of three?')
      return textResult('done, somehow')
    },
  )
  for (const [name, description] of Object.entries(DESCRIPTIONS)) {
    // Never reached: these calls are answered before the SDK sees them. Registered so that they are listed.
    server.registerTool(name, { description }, () => {
      throw new ProtocolError(-32603, `${name} is answered below the SDK`)
    })
  }
  return server
}

function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' })
}

function event(message: object): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`
}
