import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { isInitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { memoryEvents } from './event-store'
import { createV1Server } from './servers/v1-server'
import type { Waits } from './servers/waits'

export interface V1Http {
  url: string
  /** What came, in order: HTTP method and JSON-RPC method. */
  readonly seen: string[]
  /** Header fields of the requests, beside `seen`. */
  readonly headers: IncomingMessage['headers'][]
  /** Sessions at this moment. */
  sessions(): number
  /** GET streams that are open at this moment. */
  streams(): number
  /** Forgets all sessions, as a server does that is started again. */
  forget(): void
  /** Answers requests of that method with an error from now on. */
  refuse(method: string | undefined): void
  /** Names of tools that wait, each time that one is called. */
  readonly waiting: string[]
  /** Names of tools whose call was cancelled. */
  readonly cancelled: string[]
  close(): Promise<void>
}

interface Options {
  /** Events get ids, streams are primed and can be resumed. */
  resumable?: boolean
  /** Plain JSON answers. */
  json?: boolean
  port?: number
}

/** The 1.x SDK's sessionful Streamable HTTP server. */
export async function startV1Http({ resumable = false, json = false, port = 0 }: Options = {}): Promise<V1Http> {
  const transports = new Map<string, StreamableHTTPServerTransport>()
  const waits = keepWaits()
  const begin = async (): Promise<StreamableHTTPServerTransport> => {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void transports.set(id, transport),
      onsessionclosed: (id) => void transports.delete(id),
      enableJsonResponse: json,
      ...(resumable ? { eventStore: memoryEvents<JSONRPCMessage>(), retryInterval: 50 } : {}),
    })
    await createV1Server(waits).connect(transport)
    return transport
  }
  return serve(
    async (request, response, body) => {
      const id = request.headers['mcp-session-id']
      const known = typeof id === 'string' ? transports.get(id) : undefined
      const transport = known ?? (id === undefined && isInitializeRequest(body) ? await begin() : undefined)
      if (transport !== undefined) return transport.handleRequest(request, response, body)
      response.writeHead(id === undefined ? 400 : 404, { 'content-type': 'application/json' })
      const error = { code: id === undefined ? -32000 : -32001, message: 'Session not found' }
      response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }))
    },
    { sessions: () => transports.size, forget: () => transports.clear(), ...waits.names },
    port,
  )
}

/** The 1.x SDK's HTTP+SSE server. */
export async function startV1Sse(): Promise<V1Http> {
  const transports = new Map<string, SSEServerTransport>()
  const waits = keepWaits()
  return serve(
    async (request, response, body) => {
      if (request.method === 'GET') {
        const transport = new SSEServerTransport('/messages', response)
        transports.set(transport.sessionId, transport)
        response.on('close', () => transports.delete(transport.sessionId))
        await createV1Server(waits).connect(transport)
        return
      }
      const id = new URL(request.url ?? '', 'http://x').searchParams.get('sessionId') ?? ''
      const transport = transports.get(id)
      if (transport !== undefined) return transport.handlePostMessage(request, response, body)
      response.writeHead(404).end('no such session')
    },
    {
      sessions: () => transports.size,
      forget: () => void [...transports.values()].map((transport) => transport.close()),
      ...waits.names,
    },
  )
}

function keepWaits(): Required<Waits> & { names: Pick<V1Http, 'waiting' | 'cancelled'> } {
  const names: Pick<V1Http, 'waiting' | 'cancelled'> = { waiting: [], cancelled: [] }
  return { began: (name) => names.waiting.push(name), cancelled: (name) => names.cancelled.push(name), names }
}

async function serve(
  handle: (request: IncomingMessage, response: ServerResponse, body: unknown) => Promise<void>,
  rest: Pick<V1Http, 'sessions' | 'forget' | 'waiting' | 'cancelled'>,
  wantedPort = 0,
): Promise<V1Http> {
  let refused: string | undefined
  let streams = 0
  const seen: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const server = createServer((request, response) => {
    readBody(request)
      .then(async (body) => {
        const method = (body as { method?: unknown } | undefined)?.method
        if (request.method === 'GET') {
          streams++
          response.on('close', () => streams--)
        }
        seen.push(`${request.method ?? ''}${typeof method === 'string' ? ` ${method}` : ''}`)
        headers.push(request.headers)
        if (method !== undefined && method === refused) {
          const { id } = body as { id: unknown }
          response.writeHead(200, { 'content-type': 'application/json' })
          response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'refused' } }))
        } else await handle(request, response, body)
      })
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(wantedPort, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    headers,
    streams: () => streams,
    refuse: (method) => (refused = method),
    ...rest,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}
