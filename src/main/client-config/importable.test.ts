import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { importableFiles } from './importable'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sluice-import-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

async function put(path: string, content: string | object): Promise<void> {
  const file = join(home, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
}
const look = () => importableFiles({ platform: 'linux', env: { TOKEN: 'x' }, home, project: join(home, 'project') })

describe('importableFiles', () => {
  it('finds nothing where no client is', async () => {
    expect(await look()).toEqual([])
  })

  it('reads the shapes of the clients, and says where they stand', async () => {
    await put('.cursor/mcp.json', {
      mcpServers: { files: { command: 'npx', args: ['-y', 'x'], env: { A: '${TOKEN}' } } },
    })
    await put('.codeium/windsurf/mcp_config.json', { mcpServers: { w: { serverUrl: 'http://127.0.0.1:1/mcp' } } })
    await put('.gemini/settings.json', { mcpServers: { g: { httpUrl: 'http://h/mcp' }, old: { url: 'http://h/sse' } } })
    await put('project/.vscode/mcp.json', '{ // mine\n "servers": { "v": { "type": "http", "url": "http://h/v" }, } }')
    const files = await look()
    expect(files.map(({ client, scope }) => `${client} ${scope}`)).toEqual([
      'Cursor user',
      'VS Code project',
      'Windsurf user',
      'Gemini CLI user',
    ])
    expect(files.flatMap(({ entries }) => entries)).toEqual([
      {
        name: 'files',
        as: 'files',
        entry: { type: 'stdio', command: 'npx', args: ['-y', 'x'], env: { A: '${TOKEN}' } },
        problem: null,
      },
      { name: 'v', as: 'v', entry: { type: 'http', url: 'http://h/v' }, problem: null },
      { name: 'w', as: 'w', entry: { type: 'http', url: 'http://127.0.0.1:1/mcp' }, problem: null },
      { name: 'g', as: 'g', entry: { type: 'http', url: 'http://h/mcp' }, problem: null },
      { name: 'old', as: 'old', entry: { type: 'sse', url: 'http://h/sse' }, problem: null },
    ])
  })

  it('makes names that a backend may have, and leaves disabled servers out', async () => {
    const command = { command: 'x' }
    const mcpServers = {
      'My Server!': command,
      '@a/b__c_': command,
      '42': command,
      off: { ...command, disabled: true },
    }
    await put('.cursor/mcp.json', { mcpServers })
    const [file] = await look()
    expect(file?.entries.map(({ as }) => as)).toEqual(['server-42', 'My-Server', 'a-b_c'])
    expect(file?.entries.every(({ problem }) => problem === null)).toBe(true)
  })

  it('says of a server why it cannot be taken over, and of a file why it cannot be read', async () => {
    await put('.cursor/mcp.json', {
      mcpServers: { a: { url: 'file:///etc/passwd' }, b: { command: 'x', env: { A: '${UNSET}' } }, c: 7 },
    })
    await put('.gemini/settings.json', '{ "mcpServers": {')
    const [cursor, gemini] = await look()
    expect(cursor?.entries.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('url'),
      expect.stringContaining('UNSET'),
      expect.any(String),
    ])
    expect(gemini?.entries).toEqual([])
    expect(gemini?.problem).not.toBeNull()
  })
})
