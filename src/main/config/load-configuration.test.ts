import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigurationError } from './configuration-error'
import { loadConfiguration, parseConfiguration } from './load-configuration'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-config-'))
})
afterEach(() => rm(folder, { recursive: true }))

const failure = (text: string, env = {}): ConfigurationError => {
  try {
    parseConfiguration(text, '/x/sluice.json', env)
  } catch (error) {
    if (error instanceof ConfigurationError) return error
    throw error
  }
  throw new Error('was accepted')
}

describe('loadConfiguration', () => {
  it('reads comments, trailing commas and a byte order mark', async () => {
    const file = join(folder, 'sluice.json')
    await writeFile(
      file,
      '\uFEFF{\n  // the gateway\n  "gateway": { "port": 0, },\n  /* backends */ "mcpServers": { "a": { "url": "http://${H}/mcp" }, },\n}\n',
    )
    const loaded = await loadConfiguration(file, { H: 'localhost:1' })
    expect(loaded.file).toBe(file)
    expect(loaded.configuration.gateway.port).toBe(0)
    expect(loaded.configuration.mcpServers.a).toMatchObject({ url: 'http://localhost:1/mcp' })
  })

  it.each([
    ['absent.json', 'does not exist'],
    ['folder', 'is a folder'],
  ])('%s', async (name, message) => {
    await mkdir(join(folder, 'folder'))
    const error = await loadConfiguration(join(folder, name), {}).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error).toMatchObject({ problems: [{ path: '(the whole file)', message }] })
  })
})

describe('syntax errors', () => {
  it.each([
    ['', 'is empty', undefined],
    ['{\n  "gateway": {}\n  "mcpServers": {}\n}', 'is not valid JSON: comma expected', [3, 3]],
    ['{\n  gateway: {}\n}', 'is not valid JSON: invalid symbol', [2, 3]],
    ['{ "a": ', 'is not valid JSON: value expected', [1, 8]],
    ['{}\n}', 'is not valid JSON: end of file expected', [2, 1]],
    ['{ "gateway": {}, "gateway": {} }', 'stands twice in the same object', [1, 18]],
    [`${'['.repeat(200_000)}`, 'is nested too deeply', undefined],
  ])('%#', (text, message, position) => {
    const [problem] = failure(text).problems
    expect(problem?.message).toBe(message)
    expect(problem?.fix).not.toBe('')
    expect(problem?.line === undefined ? undefined : [problem.line, problem.column]).toEqual(position)
  })
})

it('prints every problem with its place in the file and what to do', () => {
  const error = failure('{\n  "gateway": { "pot": 1 },\n  "mcpServers": {\n    "a": { "url": "x" }\n  }\n}')
  expect(error.message).toBe(
    [
      '/x/sluice.json: 2 problems',
      '  gateway.pot (sluice.json:2:16)',
      '    is not a known key',
      '    → did you mean "port"?',
      '  mcpServers.a.url (sluice.json:4:12)',
      '    is not an http or https URL',
      '    → write a whole URL, such as "http://127.0.0.1:3000/mcp"',
    ].join('\n'),
  )
})

it('points at the object that lacks a key', () => {
  expect(failure('{ "mcpServers": {\n "a": {} } }').problems).toMatchObject([
    { path: 'mcpServers.a.url', line: 2, column: 2 },
  ])
})

describe('problems', () => {
  const messageOf = (entry: object): string => failure(JSON.stringify({ servers: { one: entry } })).message

  it.each<[string, object, string]>([
    [
      'a reference that is not understood',
      { command: 'x', env: { A: '${hunter2 !}' } },
      'servers.one.env.A (sluice.json',
    ],
    ['one in an argument', { command: 'x', args: ['-k', '${hunter2 !}'] }, 'servers.one.args[1]'],
    ['one in a header field', { url: 'http://h/', headers: { A: 'Bearer ${hunter2 !}' } }, 'which is not understood'],
  ])('say nothing of kept values: %s', (_what, entry, words) => {
    expect(messageOf(entry)).toContain(words)
    expect(messageOf(entry)).not.toContain('hunter2')
  })

  it('say what they can of others', () => {
    expect(messageOf({ command: 'x', era: 'old', env: { A: 'hunter2' } })).toContain('is "old", which is none of')
    expect(messageOf({ url: 'http://${no name}/' })).toContain('has "${no name}", which is not understood')
  })
})
