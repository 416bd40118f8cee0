import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, type McpServer, type ServerContext } from '@modelcontextprotocol/server'

/** A demo backend that listens on the loopback interface. */
export interface DemoBackend {
  /** Its MCP endpoint, e.g. `http://127.0.0.1:40123/mcp`. */
  url: string
  /** Ends its open streams and frees the port. */
  close(): Promise<void>
}

/**
 * Answers a request by itself and says so with `true`, or leaves it to the SDK with `false`. Only the faulty backend
 * has one: the SDK's server cannot be brought to break the protocol.
 */
export type Interception = (request: IncomingMessage, response: ServerResponse, message: unknown) => boolean

/** Serves an SDK server over Streamable HTTP on a free port. The 2026-07-28 revision makes a server a request. */
export async function startDemoBackend(makeServer: () => McpServer, intercept?: Interception): Promise<DemoBackend> {
  const handler = createMcpHandler(makeServer, { legacy: 'reject' })
  const handle = toNodeHandler(handler)
  const listener: RequestListener = (request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!intercept || request.method !== 'POST') return handle(request, response)
    const message = await readJson(request)
    if (!intercept(request, response, message)) await handle(request, response, message)
  }

  const server = createServer(listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      await handler.close()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Reports progress of the running call, when its caller asked for it. */
export async function reportProgress(
  { mcpReq }: ServerContext,
  progress: number,
  total: number,
  message: string,
): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return
  await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total, message } })
}

/** The one-text result that most demo tools give. */
export function textResult(text: string): { content: { type: 'text'; text: string }[] } {
  return { content: [{ type: 'text', text }] }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = ''
  request.setEncoding('utf8')
  for await (const chunk of request) text += String(chunk)
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: the SDK answers it with its own parse error.
    return text
  }
}
