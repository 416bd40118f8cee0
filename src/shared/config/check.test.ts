import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../protocol/json-rpc'
import { checkConfiguration } from './check'
import { NO_SECRETS, type SecretSource } from './secrets'

const url = 'http://127.0.0.1:3000/mcp'
const problems = (root: JsonValue, environment = {}): string[] => {
  const checked = checkConfiguration(root, environment)
  return checked.ok ? [] : checked.problems.map(({ path, message, fix }) => `${path} | ${message} | ${fix}`)
}
const backend = (entry: JsonValue): JsonValue => ({ mcpServers: { one: entry } })

const source = (values: Record<string, string>, settable = false): SecretSource => ({
  ...NO_SECRETS,
  value: (name) => values[name],
  settable,
})

describe('secrets', () => {
  const entry: JsonValue = { url, headers: { Authorization: 'Bearer ${secret:TOKEN}' } }

  it('are put into headers, env and args, and named with their backends', () => {
    const root: JsonValue = {
      mcpServers: {
        one: entry,
        two: { command: 'x', args: ['--key=${secret:TOKEN}'], env: { KEY: '${secret:b.key-2}', HOME: '${HOME}' } },
      },
    }
    const checked = checkConfiguration(root, { HOME: '/h' }, source({ TOKEN: 'hunter2!', 'b.key-2': 'k2k2' }))
    expect(checked).toMatchObject({
      ok: true,
      configuration: {
        mcpServers: {
          one: { headers: { Authorization: 'Bearer hunter2!' } },
          two: { args: ['--key=hunter2!'], env: { KEY: 'k2k2', HOME: '/h' } },
        },
      },
      secrets: {
        names: [
          { name: 'TOKEN', backends: ['one', 'two'] },
          { name: 'b.key-2', backends: ['two'] },
        ],
        values: ['hunter2!', 'k2k2'],
        waiting: [],
      },
    })
  })

  it('leave a backend out while they are missing, where they can be given', () => {
    const root: JsonValue = { mcpServers: { one: entry, two: { url } } }
    const checked = checkConfiguration(root, {}, source({}, true))
    if (!checked.ok) throw new Error('was refused')
    expect(Object.keys(checked.configuration.mcpServers)).toEqual(['two'])
    expect(checked.secrets.waiting).toEqual([{ backend: 'one', secrets: ['TOKEN'] }])
  })

  it('are a problem where they cannot be given, and in places that are shown', () => {
    expect(problems(backend(entry))).toEqual([
      'mcpServers.one.headers.Authorization | needs the secret TOKEN, and there are none here | use an environment variable: ${TOKEN}',
    ])
    expect(problems(backend({ url: 'http://${secret:HOST}/mcp' }))).toEqual([
      'mcpServers.one.url | has the secret HOST, which would be shown here | secrets have their place in "headers", "env" and "args"',
    ])
    expect(problems(backend({ url, headers: { A: '${secret:}' } }))).toEqual([
      expect.stringContaining('has "${secret:}", which is not understood'),
    ])
  })
})

describe('checkConfiguration', () => {
  it.each([
    [
      'x'.repeat(65),
      'is too long for a backend name, which is part of the names of its tools: use at most 64 characters',
    ],
    ['a b', 'is no backend name: use letters, digits, ".", "-" and single "_" between them, and not digits alone'],
  ])('says what a backend can be called: %j', (name, message) => {
    const checked = checkConfiguration({ mcpServers: { [name]: { url } } }, {})
    expect(checked.ok ? [] : checked.problems).toMatchObject([{ message, fix: 'rename the backend' }])
  })

  it('fills in the defaults', () => {
    const checked = checkConfiguration({}, {})
    expect(checked).toMatchObject({
      ok: true,
      configuration: {
        gateway: {
          host: '127.0.0.1',
          port: 7420,
          deferralWindowMs: 15_000,
          pushLingerMs: 60_000,
          listTimeoutMs: 5_000,
          names: { policy: 'prefix' },
        },
        mcpServers: {},
      },
    })
  })

  it('takes stdio and sse backends, by type or by what they have', () => {
    const checked = checkConfiguration(
      {
        mcpServers: {
          a: { command: 'npx', args: ['${KEY}'], env: { A: '${KEY}' }, cwd: '/${KEY}' },
          b: { type: 'sse', url },
        },
      },
      { KEY: 'k' },
    )
    const offered = { exclude: [], rename: {} }
    expect(checked.ok && checked.configuration.mcpServers).toEqual({
      a: {
        type: 'stdio',
        command: 'npx',
        args: ['k'],
        env: { A: 'k' },
        cwd: '/k',
        instances: 'shared',
        era: 'auto',
        ...offered,
      },
      b: { type: 'sse', url, headers: {}, passHeaders: [], ...offered },
    })
  })

  it('replaces variables in url and headers, and nowhere else', () => {
    const checked = checkConfiguration(
      backend({
        url: 'http://${HOST:-localhost}/mcp',
        headers: { Authorization: 'Bearer ${TOKEN}' },
        include: ['${TOKEN}'],
      }),
      { TOKEN: 't0p' },
    )
    expect(checked).toMatchObject({
      configuration: {
        mcpServers: {
          one: { url: 'http://localhost/mcp', headers: { Authorization: 'Bearer t0p' }, include: ['${TOKEN}'] },
        },
      },
    })
  })

  it('keeps the order of backends', () => {
    const checked = checkConfiguration({ mcpServers: { z: { url }, a: { url }, m1: { url } } }, {})
    expect(checked.ok && Object.keys(checked.configuration.mcpServers)).toEqual(['z', 'a', 'm1'])
  })

  const rows: [JsonValue, string[]][] = [
    [[], ['(the whole file) | is an array, not an object']],
    [null, ['(the whole file) | is null, not an object']],
    [{ gatway: {} }, ['gatway | is not a known key | did you mean "gateway"?']],
    [
      { gateway: { deferralWindow: 1 } },
      ['gateway.deferralWindow | is not a known key | did you mean "deferralWindowMs"?'],
    ],
    [{ gateway: { names: { plicy: 1 } } }, ['gateway.names.plicy | is not a known key | did you mean "policy"?']],
    [{ gateway: { port: '7420' } }, ['gateway.port | is a string, not a number | write it without quotes: 7420']],
    [
      { gateway: { port: 1.5 } },
      ['gateway.port | is a fraction, not a whole number | write a whole number, such as 7420'],
    ],
    [{ gateway: { port: 70_000 } }, ['gateway.port | is 70000: too large | use at most 65535']],
    [{ gateway: { pingIntervalMs: 1 } }, ['gateway.pingIntervalMs | is 1: too small | use at least 10']],
    [
      { gateway: { host: '0.0.0.0' } },
      ['gateway.host | is "0.0.0.0", which is none of the known values | use one of "127.0.0.1", "::1", "localhost"'],
    ],
    [backend({}), ['mcpServers.one.url | is missing | add "url": "http://127.0.0.1:3000/mcp"']],
    [backend({ url: 7 }), ['mcpServers.one.url | is a number, not a string | write it in double quotes: "7"']],
    [backend({ url, include: 'a' }), ['mcpServers.one.include | is a string, not an array | write a list: ["a"]']],
    [
      backend({ url, include: {} }),
      ['mcpServers.one.include | is an object, not an array | write a list, such as ["get_*"]'],
    ],
    [
      backend({ url, headers: { url: [] } }),
      ['mcpServers.one.headers.url | is an array, not a string | write a text in double quotes'],
    ],
    [
      backend({ url, rename: [] }),
      ['mcpServers.one.rename | is an array, not an object | write an object, such as { "search": "find" }'],
    ],
    [
      { gateway: { names: 'prefix' } },
      ['gateway.names | is a string, not an object | write an object, such as { "policy": "prefix" }'],
    ],
    [
      { gateway: { deferralWindowMs: true } },
      ['gateway.deferralWindowMs | is a boolean, not a number | write a whole number'],
    ],
    [{ mcpServers: { one: 7 } }, ['mcpServers.one | is a number, not an object | write an object, such as { "url": ']],
    [
      JSON.parse('{ "mcpServers": { "__proto__": { "url": "http://a" } } }') as JsonValue,
      ['mcpServers.__proto__ | is a name that cannot be used | rename'],
    ],
    [
      JSON.parse(`{ "mcpServers": { "a": { "url": "${url}", "headers": { "__proto__": "x" } } } }`) as JsonValue,
      ['mcpServers.a.headers.__proto__ | is a name that cannot be used | rename'],
    ],
    [backend({ url: 'ftp://x' }), ['mcpServers.one.url | is not an http or https URL | write a whole URL']],
    [backend({ url: 'http://user:pass@host/' }), ['mcpServers.one.url | carries a user name or password']],
    [backend({ url, header: {} }), ['mcpServers.one.header | is not a known key | did you mean "headers"?']],
    [backend({ url, serverUrl: url }), ['mcpServers.one.serverUrl | is not a known key | use "url"']],
    [
      backend({ url, enabled: true }),
      ['mcpServers.one.enabled | is not a known key | remove it; known keys here are type, url'],
    ],
    [backend({ url, type: 'ws' }), ['mcpServers.one.type | is "ws", which is none of the known values']],
    [backend({ url, headers: { 'X Y': '1' } }), ['mcpServers.one.headers["X Y"] | is not a header field name']],
    [
      backend({ url, headers: { 'Mcp-Method': '1' } }),
      ['mcpServers.one.headers.Mcp-Method | is a header field that the gateway'],
    ],
    [
      backend({ url, headers: { A: 'x\r\nB: y' } }),
      ['mcpServers.one.headers.A | has characters that a header field cannot'],
    ],
    [
      backend({ url, passHeaders: ['cookie', 'host'] }),
      ['mcpServers.one.passHeaders[1] | is a header field that the gateway'],
    ],
    [backend({ url, rename: { a: '' } }), ['mcpServers.one.rename.a | is empty']],
    [backend({ url: 'http://${UNSET_HOST}' }), ['mcpServers.one.url | needs the environment variable UNSET_HOST']],
    [
      backend({ url, headers: { A: '${input:key}' } }),
      ['mcpServers.one.headers.A | has "${input:key}", which is not understood'],
    ],
    [{ servers: { one: { type: 'http' } } }, ['servers.one.url | is missing']],
    [
      { mcpServers: { a__b: { url }, '12': { url }, a_: { url } } },
      [
        'mcpServers.12 | is no backend name',
        'mcpServers.a__b | is no backend name',
        'mcpServers.a_ | is no backend name',
      ],
    ],
    [backend({ url, command: 'npx' }), ['mcpServers.one | has both "command" and "url"']],
    [backend({ type: 'stdio' }), ['mcpServers.one.command | is missing | add "command": "npx"']],
    [backend({ type: 'sse' }), ['mcpServers.one.url | is missing | add "url": "http']],
    [backend({ type: 'sse', url, era: 'legacy' }), ['mcpServers.one.era | is not a known key']],
    [backend({ command: '' }), ['mcpServers.one.command | is empty']],
    [backend({ command: 'npx', args: '-y' }), ['mcpServers.one.args | is a string, not an array']],
    [backend({ command: 'npx', args: [5] }), ['mcpServers.one.args[0] | is a number, not a string']],
    [backend({ command: 'a\0b' }), ['mcpServers.one.command | has a NUL character']],
    [backend({ command: 'npx', env: { PORT: 80 } }), ['mcpServers.one.env.PORT | is a number, not a string']],
    [
      backend({ command: 'npx', env: { 'A=B': '' } }),
      ['mcpServers.one.env["A=B"] | is not the name of an environment'],
    ],
    [backend({ command: 'npx', headers: {} }), ['mcpServers.one.headers | is not a known key']],
    [
      backend({ command: 'npx', workingDirectory: '/' }),
      ['mcpServers.one.workingDirectory | is not a known key | use "cwd"'],
    ],
    [
      backend({ command: 'npx', instances: 'many' }),
      ['mcpServers.one.instances | is "many", which is none of the known'],
    ],
    [backend({ command: 'npx', args: ['${GONE}'] }), ['mcpServers.one.args[0] | needs the environment variable GONE']],
  ]
  it.each(rows)('%j', (root, expected) => {
    const found = problems(root)
    expect(found).toHaveLength(expected.length)
    expected.forEach((start, index) => expect(found[index]).toContain(start))
  })

  it('never prints the value of a header', () => {
    const found = problems(backend({ url, headers: { A: 'hunter2\n', B: 5 } }), {})
    expect(found).toHaveLength(2)
    expect(found.join()).not.toContain('hunter2')
  })
})

describe('a backend that is turned off', () => {
  it('is told beside the others, and not looked at', () => {
    const checked = checkConfiguration(
      {
        mcpServers: { one: { url, disabled: false }, two: { url: '${UNSET}', nonsense: 1, disabled: true } },
      },
      {},
    )
    if (!checked.ok) throw new Error('was refused')
    expect(Object.keys(checked.configuration.mcpServers)).toEqual(['one'])
    expect(checked.configuration.off).toEqual([{ name: 'two', type: 'http', place: 1 }])
  })

  it('says so with true', () => {
    expect(problems(backend({ url, disabled: 'yes' }))).toEqual([
      'mcpServers.one.disabled | is a string, not a boolean | write true or false',
    ])
  })
})
