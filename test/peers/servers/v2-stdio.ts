import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const text = (value: string): { content: { type: 'text'; text: string }[] } => ({
  content: [{ type: 'text', text: value }],
})

/** A server made with the 2.x SDK. `legacy` as argument: it serves both eras; else 2026-07-28 alone. */
serveStdio(
  () => {
    const server = new McpServer(
      { name: 'v2', version: '2.0.0' },
      { capabilities: { logging: {}, tools: { listChanged: true } } },
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
      await new Promise<void>((resolve) => mcpReq.signal.addEventListener('abort', () => resolve()))
      console.error('wait was cancelled')
      return text('never seen')
    })
    server.registerTool('bump', { inputSchema: z.object({}) }, () => {
      server.sendToolListChanged()
      return text('bumped')
    })
    return server
  },
  { legacy: process.argv.includes('legacy') ? 'serve' : 'reject' },
)
