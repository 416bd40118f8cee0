import { describe, expect, it } from 'vitest'
import { parseConfiguration } from './load-configuration'

const TOKEN = 'Zx81Qm2LpT9aB7vK3nR5'
const secretsOf = (entry: object, env: NodeJS.ProcessEnv = {}): string[] =>
  parseConfiguration(JSON.stringify({ mcpServers: { one: entry } }), '/x.json', env).secrets.values

describe('secrets that a configuration hands to its backends', () => {
  it.each<[string, object, string[]]>([
    ['a variable by its name', { command: 'x', env: { API_KEY: '${SET}' } }, ['p@ssw0rd!']],
    ['a variable by its value', { command: 'x', env: { A: TOKEN, B: 'p@ssw0rd!' } }, [TOKEN]],
    [
      'an argument by its name',
      { command: 'x', args: ['--token', '${SET}', '-k', 'abc-1!de'] },
      ['p@ssw0rd!', 'abc-1!de'],
    ],
    ['an argument by its look', { command: 'x', args: [TOKEN] }, [TOKEN]],
    ['a header field, without its scheme', { url: 'http://h/', headers: { 'X-A': `Bearer ${TOKEN}` } }, [TOKEN]],
    ['a part of a URL', { url: `http://h/s/${TOKEN}/mcp?key=p%40ssw0rd` }, [TOKEN, 'p%40ssw0rd']],
    [
      'no word, number, path or address',
      {
        command: 'x',
        args: ['--token', 'development', '--pin', '1234567890'],
        env: { AUTH_MODE: 'oauth2', TOKEN_FILE: '/run/secrets/t0ken', AUTH_URL: 'https://auth.example.com/a1b2c3' },
      },
      [],
    ],
    [
      'no sentence, list, path or address in a variable of any name',
      {
        command: 'x',
        env: {
          ROOT: '/home/dev/projects',
          WINDOWS: 'C:\\Users\\dev\\things',
          API: 'http://localhost:8080/api/v1/things',
          GREETING: 'Hello world, this is it',
          PEOPLE: 'alice@example.com,bob@example.com',
          GIT_AUTHOR_NAME: 'Jean-Luc Müller 2nd',
        },
      },
      [],
    ],
    [
      'the secret part of a variable',
      { command: 'x', env: { DATABASE: 'postgres://h/?password=p%40ssw0rd', JSON: '{"apiKey":"p@ssw0rd!"}' } },
      ['p%40ssw0rd', 'p@ssw0rd!'],
    ],
    [
      'a secret by its name that begins as a path does',
      { command: 'x', env: { API_KEY: '/Zx81Qm2LpT/9aB7vK3nR5+xY', KEY_FILE: '/srv/app2/data3/key1' } },
      ['/Zx81Qm2LpT/9aB7vK3nR5+xY'],
    ],
    [
      'no header field that says who asks for what',
      { url: 'http://h/', headers: { 'User-Agent': 'me/1.0 (x; y)', 'Accept-Language': 'de-DE,de;q=0.9' } },
      [],
    ],
    ['none of an entry without any', { url: 'http://127.0.0.1:3000/mcp', headers: { 'X-Tenant': 'acme' } }, []],
  ])('are %s', (_what, entry, expected) => {
    expect(secretsOf(entry, { SET: 'p@ssw0rd!' })).toEqual(expected)
  })

  it('are known once each, and as many as can be looked for', () => {
    const env = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`TOKEN_${at}`, `${TOKEN}${at % 2_000}`]))
    expect(secretsOf({ command: 'x', env })).toHaveLength(1_000)
  })
})
