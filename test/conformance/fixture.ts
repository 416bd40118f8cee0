import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
  toWebRequest,
} from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  createRequestStateCodec,
  isLegacyRequest,
  McpServer,
  type ServerNotifier,
} from '@modelcontextprotocol/server'
import { registerInputTools } from './fixture-inputs'
import { registerPrompts } from './fixture-prompts'
import { registerQuestionTools } from './fixture-questions'
import { registerResources } from './fixture-resources'
import { FixtureSessions } from './fixture-sessions'
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
 * and resources have the names and answers that the suite's scenario descriptions ask for. Requests of revision 2026-07-28
 * are served each for itself, older ones in sessions.
 */
export async function startFixture(port = 0): Promise<Fixture> {
  const states = createRequestStateCodec<RoundState>({ key: 'a key that is good enough for a conformance fixture' })
  const create = (notifier: () => ServerNotifier): McpServer => {
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
    registerTools(server, notifier)
    registerInputTools(server, states)
    registerQuestionTools(server)
    registerPrompts(server)
    registerResources(server)
    return server
  }
  const modern = createMcpHandler(() => create(() => modern.notify), { legacy: 'reject' })
  const sessions = new FixtureSessions(() => {
    const server = create(() => ofSession(server))
    server.server.setRequestHandler('resources/subscribe', () => ({}))
    server.server.setRequestHandler('resources/unsubscribe', () => ({}))
    return server
  })
  const serveModern = toNodeHandler(modern)
  const validHost = localhostHostValidation()
  const validOrigin = localhostOriginValidation()
  const http = createServer((request, response) => {
    if (!validHost(request, response) || !validOrigin(request, response)) return
    const serve = async (): Promise<void> => {
      const body = await jsonBody(request)
      if (await isLegacyRequest(await toWebRequest(request, body), body)) await sessions.serve(request, response, body)
      else await serveModern(request, response, body)
    }
    serve().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    notify: modern.notify,
    close: async () => {
      await modern.close()
      await sessions.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

/** Tells the client of one session. */
function ofSession(server: McpServer): ServerNotifier {
  return {
    toolsChanged: () => server.sendToolListChanged(),
    promptsChanged: () => server.sendPromptListChanged(),
    resourcesChanged: () => server.sendResourceListChanged(),
    resourceUpdated: (uri) => void server.server.sendResourceUpdated({ uri }),
  }
}

/** The parsed body, or its text where it is no JSON, or undefined where there is none. */
async function jsonBody(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const piece of request) text += String(piece)
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
