import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NO_SECRETS } from '../../shared/config/secrets'
import { ConfiguredBackends } from '../config/configured-backends'
import { toCommandError } from './command-failure'
import { configuredCommands } from './configured-commands'

let folder = ''
let file = ''
let commands: ReturnType<typeof configuredCommands>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-commands-'))
  file = join(folder, 'sluice.json')
  await writeFile(file, '{ "mcpServers": { "one": { "url": "http://x/mcp", "headers": { "A": "hunter2" } } } }')
  const configured = new ConfiguredBackends({
    file,
    env: {},
    secrets: NO_SECRETS,
    spellings: () => [],
    refuse: async () => [],
  })
  commands = configuredCommands({ configured, isOfDemo: (name) => name === 'weather' })
})
afterEach(() => rm(folder, { recursive: true }))

const errorOf = async (work: Promise<unknown>) =>
  toCommandError(
    await work.then(
      () => undefined,
      (error: unknown) => error,
    ),
  )

describe('the entries of backends', () => {
  it('are read, edited, turned off, removed and put back', async () => {
    const { entry, version } = await commands['config.backend']({ name: 'one' })
    expect(entry).toEqual({ url: 'http://x/mcp', headers: { A: '«kept 1»' } })
    const change = { name: 'one', newName: 'two', entry: JSON.stringify({ ...entry, type: 'sse' }), version }
    expect(await commands['config.editBackend'](change)).toEqual({ name: 'two', held: null })
    expect(await commands['config.turnBackend']({ name: 'two', on: false })).toEqual({ held: null })
    const { undo } = await commands['config.removeBackend']({ name: 'two' })
    expect(await readFile(file, 'utf8')).toBe('{ "mcpServers": {} }')
    expect(await commands['config.restoreBackend']({ undo })).toEqual({ name: 'two', held: null })
    const { two } = (JSON.parse(await readFile(file, 'utf8')) as { mcpServers: { two: unknown } }).mcpServers
    expect(two).toEqual({ url: 'http://x/mcp', headers: { A: 'hunter2' }, type: 'sse', disabled: true })
  })

  it('say of each member what is wrong with it', async () => {
    const { version } = await commands['config.backend']({ name: 'one' })
    const entry = '{ "url": "x", "heders": {} }'
    expect(await errorOf(commands['config.editBackend']({ name: 'one', newName: 'one', entry, version }))).toEqual({
      code: 'failed',
      message: 'mcpServers.one.url is not an http or https URL',
      hint: 'write a whole URL, such as "http://127.0.0.1:3000/mcp"',
      problems: [
        {
          at: ['mcpServers', 'one', 'url'],
          message: 'is not an http or https URL',
          fix: 'write a whole URL, such as "http://127.0.0.1:3000/mcp"',
        },
        { at: ['mcpServers', 'one', 'heders'], message: 'is not a known key', fix: 'did you mean "headers"?' },
      ],
    })
  })

  it('name the file that cannot be written', async () => {
    await chmod(file, 0o444)
    expect(await errorOf(commands['config.turnBackend']({ name: 'one', on: false }))).toMatchObject({
      message: `${file} is read-only, so that nothing was changed`,
    })
  })

  it('of the demo stand in no file, and without a file there are none', async () => {
    expect(await errorOf(commands['config.backend']({ name: 'weather' }))).toMatchObject({
      message: '"weather" is part of the demo and stands in no file',
    })
    const none = configuredCommands({ configured: null, isOfDemo: () => false })
    expect(await errorOf(none['config.turnBackend']({ name: 'one', on: false }))).toMatchObject({
      message: 'this run has no configuration file',
    })
  })
})
