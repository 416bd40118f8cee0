import { setTimeout as pause } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type DemoBackend, startDemoBackend, textResult } from './demo-backend'

/** Longer than the demo's deferral window, with room for a few pings after it. */
const DEFAULT_SILENCE_MS = 9_000

/** Shows silence: the tool says nothing until it is done, so the gateway must decide by itself when to stream. */
export function startArchive(): Promise<DemoBackend> {
  return startDemoBackend(() => {
    const server = new McpServer({ name: 'demo-archive', version: '1.0.0' })

    server.registerTool(
      'restore',
      {
        title: 'Restore from tape',
        description: 'Works in silence: no progress, no log, then the result.',
        inputSchema: z.object({ file: z.string(), silenceMs: z.int().min(0).max(60_000).default(DEFAULT_SILENCE_MS) }),
      },
      async ({ file, silenceMs }, { mcpReq }) => {
        await pause(silenceMs, undefined, { signal: mcpReq.signal })
        return textResult(`${file} restored`)
      },
    )

    server.registerResource(
      'index',
      'archive://index',
      { title: 'Index of the archive', mimeType: 'application/json' },
      (uri) => ({
        contents: [{ uri: uri.href, mimeType: 'application/json', text: '{"files":["report.pdf","photos.zip"]}' }],
      }),
    )
    return server
  })
}
