import type { Pool } from 'undici'
import { TOOLS, type Tool } from './scenarios'

let lastId = 0

/** Calls a tool of the stub through the merged endpoint, as a modern client, and reads the answer to its end. */
export async function postCall(pool: Pool, tool: Tool): Promise<void> {
  const id = ++lastId
  const { body } = await pool.request({
    path: '/mcp',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': `stub__${TOOLS[tool]}`,
    },
    body: `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"stub__${TOOLS[tool]}","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"progressToken":${id}}}}`,
  })
  await body.dump({ limit: Number.MAX_SAFE_INTEGER })
}
