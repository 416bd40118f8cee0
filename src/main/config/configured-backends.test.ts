import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configurationProblem } from '../../shared/config/problem'
import { NO_SECRETS } from '../../shared/config/secrets'
import { ConfigurationError } from './configuration-error'
import { ConfiguredBackends } from './configured-backends'

let folder = ''
let file = ''
let backends: ConfiguredBackends
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-configured-'))
  file = join(folder, 'sluice.json')
  backends = new ConfiguredBackends({
    file,
    env: { SET: 'x' },
    secrets: NO_SECRETS,
    spellings: () => [],
    refuse: async ({ mcpServers }) =>
      Object.hasOwn(mcpServers, 'recording')
        ? [configurationProblem(['mcpServers', 'recording', 'file'], 'is the file that this run records to', 'another')]
        : [],
  })
})
afterEach(async () => {
  await chmod(folder, 0o700)
  await rm(folder, { recursive: true })
})

const FILE = `{
  // everything of the office
  "gateway": { "port": 0 },
  "mcpServers": {
    // the weather
    "weather": { "url": "http://127.0.0.1:1/mcp" }, // fast
    "files": {
      "command": "npx",
      // as root
      "args": ["-y", "server", "--token", "hunter2"],
      "env": { "KEY": "sesame!", "HOME": "\${SET}" }, // a key
      "include": ["a*"],
    },
    /* last */ "other": { "type": "replay", "file": "a.ndjson", "speed": 1.50 }
  },
}
`
const put = (text = FILE): Promise<void> => writeFile(file, text)
const text = (): Promise<string> => readFile(file, 'utf8')

/** Changes the entry as a desk does: reads it, and gives it back with a change. */
async function edit(name: string, change: (entry: Record<string, unknown>) => object, newName = name): Promise<string> {
  const { entry, version } = await backends.read(name)
  await backends.edit({ name, newName, entry: JSON.stringify({ ...entry, ...change(entry) }), version })
  return text()
}

async function problemsOf(work: Promise<unknown>): Promise<string[]> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ConfigurationError)) throw new Error(`was not refused: ${String(error)}`)
  return error.problems.map(({ path, message }) => `${path} ${message}`)
}

describe('reading', () => {
  it('shows the entry as it is written, with marks for what is secret', async () => {
    await put()
    expect(await backends.read('files')).toEqual({
      name: 'files',
      file,
      entry: {
        command: 'npx',
        args: ['-y', 'server', '--token', '«kept 1»'],
        env: { KEY: '«kept 2»', HOME: '${SET}' },
        include: ['a*'],
      },
      off: false,
      version: expect.any(String) as string,
    })
  })

  it.each([
    ['is not there', '{}', 'mcpServers.files is not in the file any more'],
    ['is no object', '{ "servers": { "files": 5 } }', 'servers.files is no object'],
    ['is in a file that is broken', '{ "mcpServers": ', '(the whole file) is not valid JSON: value expected'],
  ])('says of an entry that it %s', async (_what, content, problem) => {
    await put(content)
    expect(await problemsOf(backends.read('files'))).toEqual([problem])
  })
})

describe('adding', () => {
  it('writes it at the end', async () => {
    await put('{ "servers": {} }')
    const headers = { Authorization: 'Bearer ${SET}' }
    expect(await backends.add('new', JSON.stringify({ url: 'http://x/mcp', headers }))).toEqual({ held: null })
    expect(JSON.parse(await text())).toEqual({ servers: { new: { url: 'http://x/mcp', headers } } })
  })

  it.each<[string, string, object, string[]]>([
    ['a URL that is none', 'new', { url: 'ftp://x' }, ['mcpServers.new.url is not an http or https URL']],
    ['a name that is taken', 'weather', { url: 'http://x/mcp' }, ['mcpServers.weather exists already']],
    [
      'header fields that HTTP does not allow',
      'new',
      { url: 'http://x/mcp', headers: { 'a b': 'c', Host: 'x' } },
      [
        'mcpServers.new.headers["a b"] is not a header field name',
        'mcpServers.new.headers.Host is a header field that the gateway writes itself',
      ],
    ],
    [
      'a variable that is not set, which would keep the whole file from being used',
      'new',
      { command: 'x', env: { A: '${UNSET}' } },
      ['mcpServers.new.env.A needs the environment variable UNSET, which is not set'],
    ],
  ])('refuses %s', async (_what, name, backend, problems) => {
    await put()
    expect(await problemsOf(backends.add(name, JSON.stringify(backend)))).toEqual(problems)
    expect(await text()).toBe(FILE)
  })
})

describe('editing', () => {
  it.each<[string, string, (entry: Record<string, unknown>) => object, [from: string, to: string][]]>([
    ['a value', 'weather', () => ({ url: 'http://127.0.0.1:2/mcp' }), [['127.0.0.1:1', '127.0.0.1:2']]],
    [
      'an item, and keeps the secret beside it',
      'files',
      () => ({ args: ['-y', 'server@2', '--token', '«kept 1»'] }),
      [['"server"', '"server@2"']],
    ],
    [
      'a list that grows',
      'files',
      () => ({ args: ['-y', 'server', '-v', '--token', '«kept 1»'] }),
      [['["-y", "server", "--token", "hunter2"]', '["-y", "server", "-v", "--token", "hunter2"]']],
    ],
    ['a secret that is replaced', 'files', () => ({ env: { KEY: 'open', HOME: '${SET}' } }), [['"sesame!"', '"open"']]],
    [
      'a variable that is renamed with its secret',
      'files',
      () => ({ env: { HOME: '${SET}', PASS: '«kept 2»' } }),
      [['{ "KEY": "sesame!", "HOME": "${SET}" }', '{ "HOME": "${SET}", "PASS": "sesame!" }']],
    ],
    [
      'a member that is new',
      'files',
      () => ({ cwd: '/srv' }),
      [['"include": ["a*"],\n', '"include": ["a*"],\n      "cwd": "/srv"\n']],
    ],
    ['a member that is taken out', 'files', () => ({ include: undefined }), [['      "include": ["a*"],\n', '']]],
    ['a number', 'other', () => ({ speed: 2 }), [['1.50', '2']]],
    ['nothing', 'other', () => ({}), []],
  ])('writes %s, and nothing else', async (_what, name, change, edits) => {
    await put()
    const expected = edits.reduce((whole, [from, to]) => whole.replace(from, () => to), FILE)
    if (edits.length > 0) expect(expected).not.toBe(FILE)
    expect(await edit(name, change)).toBe(expected)
  })

  it('renames, and keeps the place', async () => {
    await put()
    expect(await edit('weather', () => ({}), 'sky')).toBe(FILE.replace('"weather":', '"sky":'))
  })

  it('edits a file of VS Code, with its line ends', async () => {
    await put('\uFEFF{\r\n\t"servers": {\r\n\t\t"a": { "type": "http", "url": "http://x/mcp" }\r\n\t}\r\n}\r\n')
    expect(await edit('a', () => ({ type: 'sse' }))).toBe(
      '\uFEFF{\r\n\t"servers": {\r\n\t\t"a": { "type": "sse", "url": "http://x/mcp" }\r\n\t}\r\n}\r\n',
    )
  })

  it.each<[string, (entry: Record<string, unknown>) => object, string, string[]]>([
    ['a name that is taken', () => ({}), 'weather', ['mcpServers.weather exists already']],
    [
      'a name that is none',
      () => ({}),
      'a__b',
      [
        'mcpServers.a__b is no backend name: use letters, digits, ".", "-" and single "_" between them, and not digits alone',
      ],
    ],
    ['a member that is none', () => ({ arg: 1 }), 'files', ['mcpServers.files.arg is not a known key']],
    [
      'all that is wrong',
      () => ({ args: 'x', env: { A: '${UNSET}' } }),
      'files',
      [
        'mcpServers.files.args is a string, not an array',
        'mcpServers.files.env.A needs the environment variable UNSET, which is not set',
      ],
    ],
    [
      'a mark that stands for nothing',
      () => ({ cwd: '«kept 1»' }),
      'files',
      ['mcpServers.files.cwd has «kept 1», which stands for a value of "args"'],
    ],
    [
      'what this run cannot do',
      () => ({}),
      'recording',
      ['mcpServers.recording.file is the file that this run records to'],
    ],
  ])('refuses %s and leaves the file alone', async (_what, change, newName, problems) => {
    await put()
    expect(await problemsOf(edit('files', change, newName))).toEqual(problems)
    expect(await text()).toBe(FILE)
  })

  it.each([
    ['{ "url": ', 'mcpServers.files is not valid JSON: value expected, in line 1 of it'],
    ['{ "a": 1,\n"a": 2 }', 'mcpServers.files.a stands twice in the same object, in line 2 of it'],
    ['[]', 'mcpServers.files is no object'],
  ])('refuses %s', async (entry, problem) => {
    await put()
    const { version } = await backends.read('files')
    expect(await problemsOf(backends.edit({ name: 'files', newName: 'files', entry, version }))).toEqual([problem])
    expect(await text()).toBe(FILE)
  })

  it('says of what is wrong nothing that it does not show', async () => {
    const server = (entry: object): Promise<void> => put(JSON.stringify({ mcpServers: { a: entry } }))
    const keep = { headers: { A: 'SEKRETAUTH1234' }, url: 'http://x/mcp' }
    await server(keep)
    expect(await problemsOf(edit('a', () => ({ headers: { A: '${«kept 1»}' } })))).toEqual([
      'mcpServers.a.headers.A has «kept 1» where its value would be shown',
    ])
    await server({ ...keep, headers: { A: 'SEKRET1${1BAD}SEKRET2' } })
    const hidden = 'has a value that is not shown here, and that cannot be used there'
    expect(await problemsOf(edit('a', () => ({})))).toEqual([`mcpServers.a.headers.A ${hidden}`])
    await server({ ...keep, headers: { A: 'SEKRET1${1BAD}SEKRET2' }, disabled: true })
    expect(await problemsOf(backends.turn('a', true))).toEqual([`mcpServers.a.headers.A ${hidden}`])
    await server({ ...keep, headers: { A: '${1BAD}' } })
    expect(await problemsOf(edit('a', () => ({ era: 'old' })))).toEqual([
      'mcpServers.a.headers.A has "«kept 1»", which is not understood',
      'mcpServers.a.era is "old", which is none of the known values',
    ])
  })

  it('says of what is wrong with other entries nothing that it does not show either', async () => {
    const bad = { url: 'http://x/mcp', headers: { A: 'SEKRET1${1BAD}SEKRET2' } }
    await put(JSON.stringify({ mcpServers: { weather: { url: 'http://x/mcp' }, bad } }))
    expect(await backends.turn('weather', false)).toEqual({
      held: 'mcpServers.bad.headers.A has a value that is not shown here, and that cannot be used there (line 1)',
    })
  })

  it('lets one that is turned off wait for its variables, but not be wrong', async () => {
    await put('{ "mcpServers": { "files": { "command": "x", "disabled": true } } }')
    expect(await edit('files', () => ({ command: '${UNSET}' }))).toContain('"${UNSET}", "disabled": true')
    expect(await problemsOf(edit('files', () => ({ command: 5 })))).toEqual([
      'mcpServers.files.command is a number, not a string',
    ])
  })

  it('refuses when the entry is another one by now, and takes what changed beside it', async () => {
    await put()
    const { entry, version } = await backends.read('weather')
    const change = { name: 'weather', newName: 'weather', entry: JSON.stringify({ ...entry, era: 'modern' }), version }
    const changed = FILE.replace('http://127.0.0.1:1', 'http://127.0.0.1:7')
    await put(changed)
    expect(await problemsOf(backends.edit(change))).toEqual([
      'mcpServers.weather was changed in the file since it was read here; nothing was written',
    ])
    expect(await text()).toBe(changed)
    const beside = FILE.replace('"npx"', '"bunx"')
    await put(beside)
    await backends.edit(change)
    expect(await text()).toBe(beside.replace(':1/mcp" }', ':1/mcp", "era": "modern" }'))
  })

  it('says what else keeps the file from being used', async () => {
    await put('{ "gateway": { "port": "many" }, "mcpServers": { "a": { "url": "http://x/mcp" } } }')
    const { version } = await backends.read('a')
    const entry = '{ "url": "http://y/mcp" }'
    expect(await backends.edit({ name: 'a', newName: 'a', entry, version })).toEqual({
      held: 'gateway.port is a string, not a number (line 1)',
    })
    expect(await text()).toContain('http://y/mcp')
  })
})

describe('turning off and on', () => {
  it('writes one member, and takes it out again', async () => {
    await put()
    await backends.turn('weather', false)
    const off = FILE.replace(':1/mcp" }', ':1/mcp", "disabled": true }')
    expect(await text()).toBe(off)
    expect(await backends.read('weather')).toMatchObject({ off: true })
    await backends.turn('weather', false)
    await backends.turn('weather', true)
    expect(await text()).toBe(FILE)
    await backends.turn('weather', true)
    expect(await text()).toBe(FILE)
  })

  it.each(['weather', 'files', 'other'])('leaves no trace in the entry of %s, commas included', async (name) => {
    await put()
    await backends.turn(name, false)
    expect(await text()).not.toBe(FILE)
    await backends.turn(name, true)
    expect(await text()).toBe(FILE)
  })

  it('turns on only what was read, where that is said', async () => {
    const off = (word: string) =>
      `{ "servers": { "a": { "command": "x", "env": { "A": "${word}" }, "disabled": true } } }`
    await put(off('hunter2'))
    const { version } = await backends.read('a')
    await put(off('hunter3'))
    expect((await problemsOf(backends.turn('a', true, version)))[0]).toContain('was changed in the file since')
    await backends.turn('a', true, (await backends.read('a')).version)
  })

  it('changes a member that is there', async () => {
    await put('{ "servers": { "a": { "disabled": false, "url": "http://x/mcp" } } }')
    await backends.turn('a', false)
    expect(await text()).toBe('{ "servers": { "a": { "disabled": true, "url": "http://x/mcp" } } }')
  })

  it('does not turn on what would keep the whole file from being used', async () => {
    const off = '{ "mcpServers": { "a": { "url": "${UNSET}/mcp", "disabled": true } } }'
    await put(off)
    expect(await problemsOf(backends.turn('a', true))).toEqual([
      'mcpServers.a.url needs the environment variable UNSET, which is not set',
    ])
    expect(await text()).toBe(off)
  })
})

describe('removing', () => {
  it.each(['weather', 'files', 'other'])('takes %s out and puts it back where it was', async (name) => {
    await put()
    const { version } = await backends.read(name)
    const { undo } = await backends.remove(name, version)
    const without = await text()
    expect(without).not.toContain(`"${name}"`)
    for (const comment of ['// everything', '// the weather', '// fast', '/* last */'])
      expect(without).toContain(comment)
    expect(await backends.restore(undo)).toEqual({ name, held: null })
    expect(await text()).toBe(FILE)
    expect(await problemsOf(backends.restore(undo))).toEqual([
      '(the whole file) has nothing to be put back: this was undone before, or is too long ago',
    ])
  })

  it('puts it at the end, as it was written, when the file is another one by then', async () => {
    await put()
    const { undo } = await backends.remove('files')
    await put('{\n  "mcpServers": {\n    "new": { "url": "http://x/mcp" }\n  }\n}\n')
    await backends.restore(undo)
    const restored = await text()
    expect(restored).toContain('// as root\n      "args": ["-y", "server", "--token", "hunter2"]')
    expect(restored.indexOf('"files"')).toBeGreaterThan(restored.indexOf('"new"'))
    expect(await backends.read('files')).toMatchObject({ entry: { command: 'npx' } })
  })

  it('does not put it over another one', async () => {
    await put()
    const { undo } = await backends.remove('weather')
    await put()
    expect(await problemsOf(backends.restore(undo))).toEqual(['mcpServers.weather exists already'])
    expect(await text()).toBe(FILE)
  })

  it('refuses when the entry is another one by now', async () => {
    await put()
    const { version } = await backends.read('weather')
    await put(FILE.replace('127.0.0.1:1', '127.0.0.1:7'))
    expect(await problemsOf(backends.remove('weather', version))).toHaveLength(1)
    expect(await text()).toContain('"weather"')
  })

  it('takes out what is no object, too', async () => {
    await put('{ "mcpServers": { "a": 5 } }')
    await backends.remove('a')
    expect(await text()).toBe('{ "mcpServers": {} }')
  })
})

it('says that a read-only file cannot be written, and leaves nothing behind', async () => {
  await put()
  await chmod(file, 0o444)
  expect(await problemsOf(backends.turn('weather', false))).toEqual([
    '(the whole file) is read-only, so that nothing was changed',
  ])
  expect(await text()).toBe(FILE)
  expect(await readdir(folder)).toEqual(['sluice.json'])
})

it('does not lose one of many edits at once', async () => {
  await put()
  await Promise.all(['weather', 'files', 'other'].map((name) => backends.turn(name, false)))
  expect((await text()).match(/"disabled": ?true/g)).toHaveLength(3)
})
