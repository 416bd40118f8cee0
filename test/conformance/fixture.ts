import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, createRequestStateCodec, McpServer, type ServerNotifier } from '@modelcontextprotocol/server'
import { registerInputTools } from './fixture-inputs'
import { registerPrompts } from './fixture-prompts'
import { registerResources } from './fixture-resources'
import { registerTools } from './fixture-tools'

/** State of one multi-round tool between its rounds. */
export interface RoundState {
  step: number
}

export interface Fixture {
  url: string
  /** Tells every subscriber that lists changed. */
  notify: ServerNotifier
  close(): Promise<void>
}

/**
 * The "everything" server that the official conformance suite expects, built with the published SDK: its tools, prompts
 * and resources have the names and answers that the suite's scenario descriptions ask for. Modern clients only:
 * `legacy: 'reject'` answers the others with the version that is served.
 */
export async function startFixture(port = 0): Promise<Fixture> {
  const states = createRequestStateCodec<RoundState>({ key: 'a key that is good enough for a conformance fixture' })
  const handler = createMcpHandler(
    () => {
      const server = new McpServer(
        { name: 'sluice-conformance-fixture', version: '1.0.0' },
        {
          capabilities: {
            tools: { listChanged: true },
            prompts: { listChanged: true },
            resources: { listChanged: true, subscribe: true },
            logging: {},
            completions: {},
          },
          requestState: { verify: states.verify },
        },
      )
      registerTools(server, () => handler.notify)
      registerInputTools(server, states)
      registerPrompts(server)
      registerResources(server)
      return server
    },
    { legacy: 'reject' },
  )
  const serve = toNodeHandler(handler)
  const validHost = localhostHostValidation()
  const validOrigin = localhostOriginValidation()
  const http = createServer((request, response) => {
    if (!validHost(request, response) || !validOrigin(request, response)) return
    void serve(request, response)
  })
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    notify: handler.notify,
    close: async () => {
      await handler.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
