import type { Commands } from '../../src/shared/api/contract'

/** What other tools have configured. */
export const IMPORTABLE: Commands['config.importable']['response']['files'] = [
  {
    client: 'Claude Desktop',
    scope: 'user',
    file: '/home/ada/.config/Claude/claude_desktop_config.json',
    problem: null,
    servers: [
      {
        name: 'filesystem',
        as: 'filesystem',
        kind: 'command',
        target: 'npx -y @modelcontextprotocol/server-filesystem /home/ada/code /home/ada/notes',
        variables: [],
        problem: null,
      },
      {
        name: 'Git Hub!',
        as: 'Git-Hub',
        kind: 'command',
        target: 'docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server',
        variables: ['GITHUB_TOKEN', 'GITHUB_HOST'],
        problem: null,
      },
      {
        name: 'sluice',
        as: 'sluice',
        kind: 'command',
        target: 'sluice connect --url http://127.0.0.1:7420/mcp',
        variables: [],
        problem: 'it is Sluice itself',
      },
    ],
  },
  {
    client: 'VS Code',
    scope: 'project',
    file: '/home/ada/code/weather/.vscode/mcp.json',
    problem: null,
    servers: [
      {
        name: 'search',
        as: 'search',
        kind: 'url',
        target: 'https://mcp.example.com/search/mcp',
        variables: ['Authorization'],
        problem: 'headers.Authorization has "${input:key}", which is not understood',
      },
    ],
  },
  {
    client: 'Gemini CLI',
    scope: 'user',
    file: '/home/ada/.gemini/settings.json',
    problem: 'line 4: a comma is missing',
    servers: [],
  },
]
