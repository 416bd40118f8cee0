import { join } from 'node:path'

export type Scope = 'user' | 'project'

/** Where this user's and this project's files are looked for. */
export interface Places {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  home: string
  project: string
}

/** How a client reaches the gateway. */
export interface Endpoint {
  url: string
  /** The command that carries to it, for clients that only launch commands; an absolute path, since such clients have a bare PATH. */
  command: string
  args: readonly string[]
}

export interface McpClient {
  /** For people. */
  title: string
  /** The member of the file's root that holds the servers by name. */
  key: 'mcpServers' | 'servers' | 'context_servers'
  user: (places: Places) => string
  /** Within the project's folder; absent where the client has no such file. */
  project?: string
  entry: (endpoint: Endpoint) => Record<string, unknown>
  /** What makes the client read the file again. */
  then: string
}

/** The folder in which an application of this user keeps its settings. */
function applicationData({ platform, env, home }: Places): string {
  if (platform === 'win32') return env.APPDATA ?? join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  return xdgConfig({ env, home })
}

function xdgConfig({ env, home }: Pick<Places, 'env' | 'home'>): string {
  return env.XDG_CONFIG_HOME?.startsWith('/') === true ? env.XDG_CONFIG_HOME : join(home, '.config')
}

/** Files and shapes of the clients, as their documentation has them. */
export const CLIENTS = {
  // code.claude.com/docs/en/mcp
  'claude-code': {
    title: 'Claude Code',
    key: 'mcpServers',
    user: ({ env, home }) => join(env.CLAUDE_CONFIG_DIR ?? home, '.claude.json'),
    project: '.mcp.json',
    entry: ({ url }) => ({ type: 'http', url }),
    then: 'start Claude Code anew',
  },
  // modelcontextprotocol.io/docs/develop/connect-local-servers; its file knows commands only
  'claude-desktop': {
    title: 'Claude Desktop',
    key: 'mcpServers',
    user: (places) => join(applicationData(places), 'Claude', 'claude_desktop_config.json'),
    entry: ({ command, args }) => ({ command, args }),
    then: 'quit Claude Desktop and start it anew',
  },
  // cursor.com/docs/mcp
  cursor: {
    title: 'Cursor',
    key: 'mcpServers',
    user: ({ home }) => join(home, '.cursor', 'mcp.json'),
    project: '.cursor/mcp.json',
    entry: ({ url }) => ({ url }),
    then: 'switch the server on in Cursor’s MCP settings',
  },
  // code.visualstudio.com/docs/copilot/reference/mcp-configuration
  vscode: {
    title: 'VS Code',
    key: 'servers',
    user: (places) => join(applicationData(places), 'Code', 'User', 'mcp.json'),
    project: '.vscode/mcp.json',
    entry: ({ url }) => ({ type: 'http', url }),
    then: 'start the server with “MCP: List Servers”',
  },
  // docs.windsurf.com/windsurf/cascade/mcp
  windsurf: {
    title: 'Windsurf',
    key: 'mcpServers',
    user: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    entry: ({ url }) => ({ serverUrl: url }),
    then: 'refresh the servers in Cascade',
  },
  // geminicli.com/docs/tools/mcp-server
  gemini: {
    title: 'Gemini CLI',
    key: 'mcpServers',
    user: ({ home }) => join(home, '.gemini', 'settings.json'),
    project: '.gemini/settings.json',
    entry: ({ url }) => ({ httpUrl: url }),
    then: 'start Gemini CLI anew',
  },
  // zed.dev/docs/ai/mcp
  zed: {
    title: 'Zed',
    key: 'context_servers',
    user: (places) =>
      places.platform === 'win32'
        ? join(applicationData(places), 'Zed', 'settings.json')
        : join(xdgConfig(places), 'zed', 'settings.json'),
    entry: ({ url }) => ({ url }),
    then: 'Zed reads it by itself',
  },
} as const satisfies Record<string, McpClient>
export type ClientName = keyof typeof CLIENTS

export const CLIENT_NAMES = Object.keys(CLIENTS) as ClientName[]

/** The client's configuration file, or undefined when it has none of that scope. */
export function clientFile(client: McpClient, scope: Scope, places: Places): string | undefined {
  if (scope === 'user') return client.user(places)
  return client.project === undefined ? undefined : join(places.project, client.project)
}
