import { describe, expect, it } from 'vitest'
import { randomFrom } from '../../../test/capture/random'
import type { JsonObject, JsonValue } from '../../shared/protocol/json-rpc'
import { maskEntry } from './kept-values'
import { unmaskEntry } from './unmask-entry'

const masked = (entry: JsonObject, spellings: readonly string[] = []): JsonObject => maskEntry(entry, spellings).entry

describe('maskEntry', () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'values of header fields, whatever their names, but not their scheme',
      { headers: { Authorization: 'Bearer abcdef', 'X-Tenant': 'acme' } },
      { headers: { Authorization: 'Bearer «kept 1»', 'X-Tenant': '«kept 2»' } },
    ],
    [
      'values of environment variables, but not what can be no secret',
      { env: { KEY: 'hunter2', LEVEL: 'debug', ON: 'true', N: '12', EMPTY: '' } },
      { env: { KEY: '«kept 1»', LEVEL: '«kept 2»', ON: 'true', N: '12', EMPTY: '' } },
    ],
    [
      'no references, but their defaults and what stands around them',
      { env: { A: '${A}', B: '${secret:B.c}', C: '${env:C:-hunter2}', D: 'abcd${D}:${E}', F: '${F:-}' } },
      { env: { A: '${A}', B: '${secret:B.c}', C: '${env:C:-«kept 1»}', D: '«kept 2»${D}:${E}', F: '${F:-}' } },
    ],
    [
      'arguments whose names say it',
      { args: ['-y', 'srv', '--api-key', 'abcd', '--token=efgh', 'TOKEN=ijkl', '--root', '/srv', '-e', 'API_KEY'] },
      {
        args: [
          '-y',
          'srv',
          '--api-key',
          '«kept 1»',
          '--token=«kept 2»',
          'TOKEN=«kept 3»',
          '--root',
          '/srv',
          '-e',
          'API_KEY',
        ],
      },
    ],
    [
      'header fields within arguments',
      { args: ['mcp-remote', 'https://h/mcp', '--header', 'Authorization: Bearer abcdef', 'Authorization:${A}'] },
      { args: ['mcp-remote', 'https://h/mcp', '--header', 'Authorization: Bearer «kept 1»', 'Authorization:${A}'] },
    ],
    [
      'credentials in URLs',
      { url: 'https://ada:pw@h/mcp?token=abcd&q=1' },
      { url: 'https://«kept 1»@h/mcp?token=«kept 2»&q=1' },
    ],
    [
      'members whose names say it',
      { auth: { client: 'abcdef' }, mine: { clientSecret: 'abcdef', scope: 'read' }, description: 'plain' },
      { auth: { client: '«kept 1»' }, mine: { clientSecret: '«kept 2»', scope: 'read' }, description: 'plain' },
    ],
    [
      'options, variables and parameters of URLs by the words of their names',
      {
        args: [
          '--pass',
          'abcd',
          '-p',
          'efgh',
          '--key=ijkl',
          '--access-key',
          'mnop',
          '--bearer',
          'qrst',
          '--pat',
          'uvwx',
        ],
        url: 'http://h/mcp?key=abcd&page=2&api%5Fkey=efgh&sig=ijkl',
        cwd: 'PGPASS=abcd --monitor all',
      },
      {
        args: [
          ...['--pass', '«kept 1»', '-p', '«kept 2»', '--key=«kept 3»', '--access-key', '«kept 4»'],
          ...['--bearer', '«kept 5»', '--pat', '«kept 6»'],
        ],
        url: 'http://h/mcp?key=«kept 7»&page=2&api%5Fkey=«kept 8»&sig=«kept 9»',
        cwd: 'PGPASS=«kept 10» --monitor all',
      },
    ],
    [
      'options in the line of a shell, and members of JSON in an argument',
      { args: ['-c', 'srv --pass "ab cd" --port 8080', '{"key":"abcd","port":1234}', '--header', 'X-Mine: abcd'] },
      {
        args: [
          '-c',
          'srv --pass "«kept 1»" --port 8080',
          '{"key":"«kept 2»","port":1234}',
          '--header',
          'X-Mine: «kept 3»',
        ],
      },
    ],
    [
      'no package and no port behind -p, but what comes later',
      { command: 'npx', args: ['-p', '@scope/server', '-p', 'other', 'server', '-p', '8080', '-p', 'hunter2'] },
      { command: 'npx', args: ['-p', '@scope/server', '-p', 'other', 'server', '-p', '8080', '-p', '«kept 1»'] },
    ],
    [
      'numbers as well',
      { env: { PIN: 123456789, N: 12 }, args: ['--pin', 123456], auth: { id: 98765 }, speed: 1000 },
      { env: { PIN: '«kept 1»', N: 12 }, args: ['--pin', '«kept 2»'], auth: { id: '«kept 3»' }, speed: 1000 },
    ],
    [
      'no names of tools',
      { rename: { get_key: 'fetch_key', token: 'get_token' }, include: ['auth=x'], passHeaders: ['X-Api-Key'] },
      { rename: { get_key: 'fetch_key', token: 'get_token' }, include: ['auth=x'], passHeaders: ['X-Api-Key'] },
    ],
    [
      'values of short options, and what looks like a token, but no paths and no names of packages',
      {
        args: [
          '-y',
          '@scope/server@1.2.3',
          '-k',
          'abcdef',
          '-H',
          'X-Mine: ${A} abcdef',
          'Zx81Qm2LpT9aB7vK3nR5',
          '-t',
          'stdio',
        ],
        url: 'https://h/s/Zx81Qm2LpT9aB7vK3nR5/mcp',
        cwd: '/srv/Zx81Qm2LpT9aB7vK3nR5',
        include: ['Zx81Qm2LpT9aB7vK3nR5'],
      },
      {
        args: ['-y', '@scope/server@1.2.3', '-k', '«kept 1»', '-H', 'X-Mine: ${A}«kept 2»', '«kept 3»', '-t', 'stdio'],
        url: 'https://h/s/«kept 4»/mcp',
        cwd: '/srv/Zx81Qm2LpT9aB7vK3nR5',
        include: ['Zx81Qm2LpT9aB7vK3nR5'],
      },
    ],
    ['what looks like a mark', { cwd: '/srv/«kept 7»' }, { cwd: '/srv/«kept 1»' }],
    [
      'nothing of an entry without secrets',
      { type: 'replay', file: 'x.ndjson', speed: 2, ignore: ['/a'], disabled: true },
      { type: 'replay', file: 'x.ndjson', speed: 2, ignore: ['/a'], disabled: true },
    ],
  ])('marks %s', (_what, entry, expected) => {
    expect(masked(entry)).toEqual(expected)
  })

  it('marks values of kept secrets wherever they stand', () => {
    expect(masked({ cwd: '/srv/hunter2/x' }, ['hunter2'])).toEqual({ cwd: '/srv/«kept 1»/x' })
  })
})

describe('unmaskEntry', () => {
  const at = ['mcpServers', 'one']
  const { kept } = maskEntry({ env: { KEY: 'hunter2' }, args: ['--token', 'abcdef'] }, [])

  it('puts the values back, also where their variable has another name or their argument another place', () => {
    const entry = { env: { OTHER: 'x-«kept 1»' }, args: ['-v', '--token', '«kept 2»'], url: '${A}' }
    expect(unmaskEntry(entry, kept, at, [])).toEqual({
      entry: { env: { OTHER: 'x-hunter2' }, args: ['-v', '--token', 'abcdef'], url: '${A}' },
      problems: [],
    })
  })

  it('says which marks stand for nothing, and puts no value where it would be seen', () => {
    const { entry, problems } = unmaskEntry({ env: { A: '«kept 9»' }, command: 'echo «kept 1»' }, kept, at, [])
    expect(JSON.stringify(entry)).not.toContain('hunter2')
    expect(problems.map(({ path, message }) => `${path} ${message}`)).toEqual([
      'mcpServers.one.env.A has «kept 9», which stands for no kept value',
      'mcpServers.one.command has «kept 1», which stands for a value of "env"',
    ])
  })

  it.each<[string, JsonObject, JsonObject, (string | number)[][]]>([
    [
      'behind an option of another name',
      { args: ['--token', 'abcdef'] },
      { args: ['--label', '«kept 1»'] },
      [['args', 1]],
    ],
    ['as a word of its own', { args: ['--token=abcdef'] }, { args: ['x«kept 1»'] }, [['args', 0]]],
    ['as the name of a variable', { env: { A: 'SEKRET_1' } }, { env: { A: '${«kept 1»}' } }, [['env', 'A']]],
    ['as a variable with its braces', { env: { A: '{SEKRET_1' } }, { env: { A: '$«kept 1»}' } }, [['env', 'A']]],
    ['in a path', { url: 'http://h/?key=abcd' }, { url: 'http://h/«kept 1»/?key=«kept 1»' }, [['url']]],
    ['in part', { args: ['--token', 'a:token=bcde'] }, { args: ['--label', '«kept 1»'] }, [['args', 1]]],
  ])('refuses a mark whose value would be shown the next time: %s', (_what, entry, given, places) => {
    const { problems } = unmaskEntry(given, maskEntry(entry, []).kept, [], [])
    expect(problems.map(({ at }) => at)).toEqual(places)
    for (const { message } of problems) expect(message).toBe('has «kept 1» where its value would be shown')
  })

  it('gives a number back as one, also under another name', () => {
    const { kept } = maskEntry({ env: { PIN: 123456789 } }, [])
    expect(unmaskEntry({ env: { CODE: '«kept 1»', B: 'x-«kept 1»' } }, kept, [], [])).toEqual({
      entry: { env: { CODE: 123456789, B: 'x-123456789' } },
      problems: [],
    })
  })

  it('undoes maskEntry, whatever the entry is', () => {
    const random = randomFrom(12)
    const words = [
      '${A}',
      '${A:-hunter2}',
      'Bearer ',
      '«kept 1»',
      '--token',
      'TOKEN=',
      '://a:b@',
      'x',
      '?key=',
      '"',
      '--pass ',
      '-k',
      'Zx81Qm2LpT9aB7vK3nR5',
      ' ',
      '«',
      '${',
      '}',
    ]
    const text = (): string => Array.from({ length: random.below(5) }, () => random.pick(words)).join('')
    const value = (depth: number): JsonValue => {
      const kind = depth > 2 ? 0 : random.below(4)
      if (kind === 1) return [value(depth + 1), text(), value(depth + 1)]
      if (kind === 2) return { token: value(depth + 1), other: value(depth + 1) }
      return kind === 3 ? random.pick([1, 123456]) : text()
    }
    for (let round = 0; round < 2_000; round++) {
      const entry = { args: [text(), text(), text()], env: { A: text(), B: text() }, url: text(), more: value(0) }
      const { entry: shown, kept } = maskEntry(entry, ['hunter2'])
      expect(unmaskEntry(shown, kept, [], ['hunter2'])).toEqual({ entry, problems: [] })
      expect(JSON.stringify(shown)).not.toContain('hunter2')
    }
  })
})
