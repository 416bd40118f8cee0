import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import { isInitializeRequest, type JSONRPCMessage, type McpServer } from '@modelcontextprotocol/server'
import { memoryEvents } from '../peers/event-store'

/** A legacy client that is told to come back for its answer does so this soon. */
const RETRY_MS = 100

/** The legacy leg of the fixture: one server and one transport for each session. */
export class FixtureSessions {
  readonly #create: () => McpServer
  readonly #sessions = new Map<string, { server: McpServer; transport: NodeStreamableHTTPServerTransport }>()

  constructor(create: () => McpServer) {
    this.#create = create
  }

  async serve(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const id = request.headers['mcp-session-id']
    const known = typeof id === 'string' ? this.#sessions.get(id)?.transport : undefined
    const transport = known ?? (id === undefined && isInitializeRequest(body) ? await this.#begin() : undefined)
    if (transport !== undefined) return transport.handleRequest(request, response, body)
    response.writeHead(id === undefined ? 400 : 404, { 'content-type': 'application/json' })
    const error = { code: id === undefined ? -32000 : -32001, message: 'Session not found' }
    response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }))
  }

  /** Servers of the sessions that are open now. */
  servers(): McpServer[] {
    return [...this.#sessions.values()].map(({ server }) => server)
  }

  async close(): Promise<void> {
    await Promise.all(this.servers().map((server) => server.close()))
  }

  async #begin(): Promise<NodeStreamableHTTPServerTransport> {
    const server = this.#create()
    const transport: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void this.#sessions.set(id, { server, transport }),
      onsessionclosed: (id) => void this.#sessions.delete(id),
      eventStore: memoryEvents<JSONRPCMessage>(),
      retryInterval: RETRY_MS,
    })
    await server.connect(transport)
    return transport
  }
}
