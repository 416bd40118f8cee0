import { describe, expect, it } from 'vitest'
import type { ControlSources, OfferedServer, ServerImports } from './control-sources'
import { importCommands } from './imports'

const gateway = {
  base: 'http://127.0.0.1:7420',
  backends: () => [{ name: 'taken' }],
} as unknown as ControlSources['gateway']

const server = (name: string, entry: OfferedServer['entry'], problem: string | null = null): OfferedServer => ({
  name,
  as: name.replace(' ', '-'),
  entry,
  problem,
})

function offering(...entries: OfferedServer[]) {
  const added: OfferedServer[] = []
  const imports: ServerImports = {
    files: () =>
      Promise.resolve([{ client: 'Cursor', scope: 'user', file: '/home/me/mcp.json', entries, problem: null }]),
    add: (one) => {
      added.push(one)
      return Promise.resolve()
    },
  }
  return { added, commands: importCommands({ imports, gateway }) }
}

describe('servers of other tools', () => {
  it('are listed with their command lines and names of variables, without secrets, and nothing is added', async () => {
    const { added, commands } = offering(
      server('my files', { command: 'npx', args: ['-y', 'x', '--token', 'abc'], env: { KEY: 'value' } }),
      server('web', { type: 'http', url: 'http://h/mcp', headers: { Authorization: 'Bearer x' } }),
    )
    const { files } = await commands.list()
    expect(files[0]?.servers).toEqual([
      {
        name: 'my files',
        as: 'my-files',
        kind: 'command',
        target: 'npx -y x --token «secret»',
        variables: ['KEY'],
        problem: null,
      },
      { name: 'web', as: 'web', kind: 'url', target: 'http://h/mcp', variables: ['Authorization'], problem: null },
    ])
    expect(JSON.stringify(files)).not.toMatch(/abc|value|Bearer/)
    expect(added).toEqual([])
  })

  it('say why they cannot be added: a name that is taken, Sluice itself, what the reader found', async () => {
    const { commands } = offering(
      server('taken', { command: 'x' }),
      server('sluice', { url: 'http://127.0.0.1:7420/mcp' }),
      server('carried', { command: 'node', args: ['sluice.js', 'connect', '--url', 'http://127.0.0.1:7420/mcp'] }),
      server('broken', {}, 'url is missing'),
    )
    const [file] = (await commands.list()).files
    expect(file?.servers.map(({ problem }) => problem)).toEqual([
      'there is a backend "taken" already',
      'it is Sluice itself',
      'it is Sluice itself',
      'url is missing',
    ])
  })

  it('are added by name, out of known files only, and a refusal tells what was added before it', async () => {
    const { added, commands } = offering(server('a', { command: 'x' }), server('taken', { command: 'x' }))
    await expect(commands.add({ file: '/etc/passwd', names: ['a'] })).rejects.toThrow('no configuration of a known')
    await expect(commands.add({ file: '/home/me/mcp.json', names: ['a', 'taken'] })).rejects.toThrow(
      'added before it: a',
    )
    await expect(commands.add({ file: '/home/me/mcp.json', names: ['gone'] })).rejects.toThrow(
      'not in the file any more',
    )
    expect(added.map(({ as }) => as)).toEqual(['a'])
  })

  it('need a configuration to be added to', async () => {
    await expect(importCommands({ imports: null, gateway }).list()).rejects.toThrow('no configuration file')
  })
})
