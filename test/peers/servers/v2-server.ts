import { inputRequired, acceptedContent, McpServer, type ServerNotifier } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Waits } from './waits'

const text = (value: string): { content: { type: 'text'; text: string }[] } => ({
  content: [{ type: 'text', text: value }],
})

/** A server made with the 2.x SDK: one tool for each thing that a connector has to carry, as in `v1-server.ts`. */
export function createV2Server(
  waits: Waits = {},
  /** Over HTTP every request has a server of its own, and subscriptions hear of the handler's notifier. */
  notifier?: () => ServerNotifier,
): McpServer {
  const server = new McpServer(
    { name: 'v2', version: '2.0.0' },
    { capabilities: { logging: {}, tools: { listChanged: true }, resources: { subscribe: true } } },
  )
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text: given }) => text(given))
  server.registerTool('progress', { inputSchema: z.object({}) }, async (_, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (let progress = 1; progress <= 3 && progressToken !== undefined; progress++)
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } })
    return text('done')
  })
  server.registerTool('log', { inputSchema: z.object({}) }, async (_, { mcpReq }) => {
    await mcpReq.log('info', 'logged')
    return text('done')
  })
  server.registerTool('wait', { inputSchema: z.object({}) }, async (_, { mcpReq }) => {
    const cancelled = new Promise<void>((resolve) => mcpReq.signal.addEventListener('abort', () => resolve()))
    waits.began?.('wait')
    await cancelled
    waits.cancelled?.('wait')
    return text('never seen')
  })
  server.registerTool('bump', { inputSchema: z.object({}) }, () => {
    if (notifier === undefined) server.sendToolListChanged()
    else notifier().toolsChanged()
    return text('bumped')
  })
  for (const uri of ['test://one', 'test://two'])
    server.registerResource(uri, uri, {}, () => ({ contents: [{ uri, text: uri }] }))
  server.registerTool('touch', { inputSchema: z.object({ uri: z.string() }) }, async ({ uri }) => {
    if (notifier === undefined) await server.server.sendResourceUpdated({ uri })
    else notifier().resourceUpdated(uri)
    return text('touched')
  })
  server.registerTool('big', { inputSchema: z.object({ size: z.number() }) }, ({ size }) => text('x'.repeat(size)))
  const answer = z.object({ name: z.string() })
  server.registerTool('elicit', { inputSchema: z.object({}) }, (_, { mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, 'name', answer)
    if (given !== undefined) return text(`accept ${JSON.stringify(given)}`)
    const question = inputRequired.elicit({ message: 'Your name?', requestedSchema: answer })
    return inputRequired({ inputRequests: { name: question } })
  })
  const wish = z.object({ rounds: z.number() })
  server.registerTool('ask-on', { inputSchema: wish }, ({ rounds }, { mcpReq }) => {
    // The state is the number of the round.
    const round = Number(mcpReq.requestState() ?? 0)
    if (round >= rounds) return text(`after ${round} rounds`)
    const question = inputRequired.elicit({ message: `Round ${round + 1}`, requestedSchema: answer })
    return inputRequired({ inputRequests: { name: question }, requestState: String(round + 1) })
  })
  server.registerTool('die', { inputSchema: z.object({}) }, () => process.exit(7))
  return server
}
