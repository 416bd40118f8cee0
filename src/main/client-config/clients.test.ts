import { describe, expect, it } from 'vitest'
import { CLIENT_NAMES, CLIENTS, clientFile, type McpClient, type Places } from './clients'

const linux: Places = { platform: 'linux', env: {}, home: '/home/me', project: '/project' }
const mac: Places = { ...linux, platform: 'darwin', home: '/Users/me' }

describe('the files of the clients', () => {
  it.each([
    ['claude-code', '/home/me/.claude.json', '/Users/me/.claude.json', '/project/.mcp.json'],
    [
      'claude-desktop',
      '/home/me/.config/Claude/claude_desktop_config.json',
      '/Users/me/Library/Application Support/Claude/claude_desktop_config.json',
      undefined,
    ],
    ['cursor', '/home/me/.cursor/mcp.json', '/Users/me/.cursor/mcp.json', '/project/.cursor/mcp.json'],
    [
      'vscode',
      '/home/me/.config/Code/User/mcp.json',
      '/Users/me/Library/Application Support/Code/User/mcp.json',
      '/project/.vscode/mcp.json',
    ],
    [
      'windsurf',
      '/home/me/.codeium/windsurf/mcp_config.json',
      '/Users/me/.codeium/windsurf/mcp_config.json',
      undefined,
    ],
    ['gemini', '/home/me/.gemini/settings.json', '/Users/me/.gemini/settings.json', '/project/.gemini/settings.json'],
    ['zed', '/home/me/.config/zed/settings.json', '/Users/me/.config/zed/settings.json', undefined],
  ] as const)('%s', (name, onLinux, onMac, project) => {
    expect(clientFile(CLIENTS[name], 'user', linux)).toBe(onLinux)
    expect(clientFile(CLIENTS[name], 'user', mac)).toBe(onMac)
    expect(clientFile(CLIENTS[name], 'project', linux)).toBe(project)
  })

  it.each([
    ['claude-code', '/home/me/.claude.json'],
    ['claude-desktop', '/roaming/Claude/claude_desktop_config.json'],
    ['cursor', '/home/me/.cursor/mcp.json'],
    ['vscode', '/roaming/Code/User/mcp.json'],
    ['windsurf', '/home/me/.codeium/windsurf/mcp_config.json'],
    ['gemini', '/home/me/.gemini/settings.json'],
    ['zed', '/roaming/Zed/settings.json'],
  ] as const)('%s on Windows', (name, file) => {
    const windows: Places = { ...linux, platform: 'win32', env: { APPDATA: '/roaming' } }
    expect(clientFile(CLIENTS[name], 'user', windows)).toBe(file)
  })

  it('follow the folders that the environment names', () => {
    const places = { ...linux, env: { XDG_CONFIG_HOME: '/etc/me' } }
    expect(clientFile(CLIENTS.vscode, 'user', places)).toBe('/etc/me/Code/User/mcp.json')
    expect(clientFile(CLIENTS.zed, 'user', places)).toBe('/etc/me/zed/settings.json')
  })
})

it('every client gets the URL, or the command where it knows commands only', () => {
  const endpoint = { url: 'http://127.0.0.1:7420/mcp', command: '/bin/node', args: ['sluice.js', 'connect'] }
  for (const name of CLIENT_NAMES) {
    const client: McpClient = CLIENTS[name]
    const values = Object.values(client.entry(endpoint))
    expect(values.includes(endpoint.url)).toBe(name !== 'claude-desktop')
    expect(values.includes(endpoint.command)).toBe(name === 'claude-desktop')
  }
})
