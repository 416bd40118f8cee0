import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { createV2Server } from './servers/v2-server'

export interface V2Http {
  url: string
  /** Names of tools that wait, each time that one is called. */
  readonly waiting: string[]
  /** Names of tools whose call was cancelled. */
  readonly cancelled: string[]
  close(): Promise<void>
}

/** The 2.x SDK's server over Streamable HTTP, for 2026-07-28 alone. */
export async function startV2Http(port = 0): Promise<V2Http> {
  const waiting: string[] = []
  const cancelled: string[] = []
  const handler = createMcpHandler(
    () =>
      createV2Server(
        { began: (name) => waiting.push(name), cancelled: (name) => cancelled.push(name) },
        () => handler.notify,
      ),
    { legacy: 'reject' },
  )
  const serve = toNodeHandler(handler)
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${bound}/mcp`,
    waiting,
    cancelled,
    close: async () => {
      // Streams break, as when a process is killed.
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await handler.close()
      await closed
    },
  }
}
