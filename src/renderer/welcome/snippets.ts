export interface Snippet {
  client: string
  /** What to do with the text. */
  how: string
  text: string
}

/** How known clients are pointed at an endpoint. */
export function snippetsFor(endpoint: string): Snippet[] {
  return [
    {
      client: 'Claude Code',
      how: 'Run in a terminal, in the folder of your project.',
      text: `claude mcp add --transport http sluice ${endpoint}`,
    },
    {
      client: 'VS Code',
      how: 'Put into .vscode/mcp.json.',
      text: json({ servers: { sluice: { type: 'http', url: endpoint } } }),
    },
    {
      client: 'Cursor',
      how: 'Put into .cursor/mcp.json.',
      text: json({ mcpServers: { sluice: { url: endpoint } } }),
    },
    {
      client: 'MCP Inspector',
      how: 'Run in a terminal.',
      text: `npx @modelcontextprotocol/inspector --transport http --server-url ${endpoint}`,
    },
    {
      client: 'TypeScript SDK',
      how: 'A client pinned to revision 2026-07-28 (package @modelcontextprotocol/client).',
      text: [
        "import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'",
        '',
        'const client = new Client(',
        "  { name: 'my-client', version: '1.0.0' },",
        "  { versionNegotiation: { mode: { pin: '2026-07-28' } } },",
        ')',
        `await client.connect(new StreamableHTTPClientTransport(new URL('${endpoint}')))`,
        'console.log(await client.listTools())',
      ].join('\n'),
    },
  ]
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
