import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { META } from '../../src/shared/protocol/meta'
import { MODERN_VERSION } from '../../src/shared/protocol/revisions'
import { plainCall } from '../capture/call-script'
import { captureText } from '../capture/capture-text'

const root = fileURLToPath(new URL('../../', import.meta.url))
const script = join(root, 'src', 'main', 'cli', 'sluice.ts')

let folder: string
const started: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-cli-'))
})
afterEach(async () => {
  for (const child of started.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

interface Run {
  child: ChildProcess
  /** The next line on stdout; rejects when the process ended instead. */
  line(): Promise<string>
  stderr(): string
  /** Resolves with the exit code. */
  exit: Promise<number | null>
}

function sluice(...arguments_: string[]): Run {
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...arguments_], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    line: async () => {
      const { value, done } = await lines.next()
      if (done === true) throw new Error(`no line on stdout; stderr: ${stderr}`)
      return value
    },
    stderr: () => stderr,
    exit: once(child, 'close').then(([code]) => code as number | null),
  }
}

async function configure(configuration: object): Promise<string> {
  const file = join(folder, 'sluice.json')
  await writeFile(file, JSON.stringify(configuration))
  return file
}

const data = () => ['--data', join(folder, 'data')]

/** Calls a tool and leaves its stream open; answers with the response. */
function call(endpoint: string, name: string, args: object): Promise<Response> {
  const _meta = { [META.protocolVersion]: MODERN_VERSION, [META.clientCapabilities]: {}, progressToken: 1 }
  return fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN_VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name, arguments: args, _meta } }),
  })
}

describe('sluice serve', () => {
  it('says where it listens, as one line of JSON', async () => {
    const file = await configure({ gateway: { port: 0 }, mcpServers: { one: { url: 'http://127.0.0.1:9/mcp' } } })
    const run = sluice('serve', '--config', file, '--json', ...data())
    const event = JSON.parse(await run.line()) as { endpoint: string }
    expect(event).toEqual({
      event: 'listening',
      endpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/) as unknown,
      endpoints: { one: `${event.endpoint}/one` },
      ui: null,
      capture: expect.stringContaining(join(folder, 'data', 'captures')) as unknown,
    })
    run.child.kill('SIGINT')
    expect(await run.exit).toBe(0)
  })

  it('tells a person the same in words', async () => {
    const file = await configure({ gateway: { port: 0 }, mcpServers: {} })
    const run = sluice('serve', '--config', file, ...data())
    expect(await run.line()).toMatch(/^Sluice \d+\.\d+\.\d+ is listening/)
    expect(await run.line()).toMatch(/^ {2}endpoint +http:\/\/127\.0\.0\.1:\d+\/mcp$/)
    run.child.kill('SIGTERM')
    expect(await run.exit).toBe(0)
  })

  it('ends an open stream with an error frame, writes the capture and exits within three seconds', async () => {
    const capture = join(folder, 'run.ndjson')
    const run = sluice('serve', '--demo', '--port', '0', '--capture', capture, '--json', ...data())
    const { endpoints } = JSON.parse(await run.line()) as { endpoints: Record<string, string> }
    const response = await call(endpoints.weather ?? '', 'forecast', { city: 'Bergen' })
    expect(response.headers.get('content-type')).toBe('text/event-stream')

    const signalled = performance.now()
    run.child.kill('SIGTERM')
    const frames = (await response.text()).split(/\r?\n\r?\n/).filter((frame) => frame.includes('data:'))
    expect(frames.at(-1)).toContain('"error"')
    expect(frames.at(-1)).toContain('"id":"c"')
    expect(await run.exit).toBe(0)
    expect(performance.now() - signalled).toBeLessThan(3_000)

    const lines = (await readFile(capture, 'utf8')).trimEnd().split('\n')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ format: 'sluice-capture' })
    expect(lines.map((line) => JSON.parse(line) as { kind?: string }).at(-1)?.kind).toBeDefined()
    expect(lines.some((line) => line.includes('"call.ended"') && line.includes('"by":"gateway"'))).toBe(true)
  })

  it('refuses to record into what a backend plays, at the start and when the configuration changes', async () => {
    const gateway = { port: 0 }
    const played = join(folder, 'played.ndjson')
    const plays = (file: string): object => ({ gateway, mcpServers: { weather: { type: 'replay', file } } })
    const file = await configure(plays('played.ndjson'))
    const refused = sluice('serve', '--config', file, '--capture', played, ...data())
    expect(await refused.exit).toBe(2)
    expect(refused.stderr()).toContain('mcpServers.weather.file')
    expect(refused.stderr()).toContain('is the file that this run records to')
    // It was not even made.
    await expect(readFile(played)).rejects.toThrow('ENOENT')

    await configure({ gateway, mcpServers: {} })
    const run = sluice('serve', '--config', file, '--capture', played, '--json', ...data())
    await run.line()
    await configure(plays('played.ndjson'))
    await expect.poll(run.stderr, { timeout: 10_000 }).toContain('is the file that this run records to')
    expect(run.stderr()).toContain('the configuration in force stays')
    run.child.kill('SIGTERM')
    expect(await run.exit).toBe(0)
  })

  it('says which backend is down and why, and when it is there again', async () => {
    const played = join(folder, 'played.ndjson')
    const mcpServers = { weather: { type: 'replay', file: 'played.ndjson' } }
    const run = sluice('serve', '--config', await configure({ gateway: { port: 0 }, mcpServers }), ...data())
    await run.line()
    await expect.poll(run.stderr).toContain(`warning: backend "weather" is down: ${played} does not exist`)
    await writeFile(played, captureText(plainCall()))
    await expect.poll(run.stderr, { timeout: 20_000 }).toContain('sluice: backend "weather" is there again')
    run.child.kill('SIGTERM')
    expect(await run.exit).toBe(0)
  })

  it('says what a backend gives as its reason in one plain line, without secrets', async () => {
    const message = '\u001b]0;owned\u0007\nAuthorization: Bearer abcdefghijklmnop1234567890'
    const server = join(folder, 'odd.mjs')
    await writeFile(
      server,
      `import { createInterface } from 'node:readline'
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: ${JSON.stringify({ code: -32000, message })} }))
})`,
    )
    const mcpServers = { odd: { type: 'stdio', command: process.execPath, args: [server] } }
    const run = sluice('serve', '--config', await configure({ gateway: { port: 0 }, mcpServers }), ...data())
    await run.line()
    await expect
      .poll(run.stderr, { timeout: 10_000 })
      .toContain('warning: backend "odd" is down: it answers server/discover with error -32000: \ufffd]0;owned')
    expect([...run.stderr()].filter((character) => character < ' ' && character !== '\n')).toEqual([])
    expect(run.stderr()).not.toContain('abcdefghijklmnop')
    run.child.kill('SIGTERM')
    expect(await run.exit).toBe(0)
  })

  it('names what is wrong in a configuration, and how to mend it', async () => {
    const file = await configure({ gateway: { port: 'seven' }, mcpServers: {} })
    const run = sluice('serve', '--config', file, ...data())
    expect(await run.exit).toBe(2)
    expect(run.stderr()).toContain('gateway.port')
    expect(run.stderr()).toContain('→')
  })

  it.each([
    ['a host that is not this machine', ['--host', '0.0.0.0']],
    ['a port that is none', ['--port', '70000']],
    ['an unknown option', ['--prot', '1']],
    ['a file that does not exist', ['--config', '/nowhere/sluice.json']],
  ])('refuses %s with status 2', async (_what, options) => {
    const run = sluice('serve', ...options, ...data())
    expect(await run.exit).toBe(2)
    expect(run.stderr()).not.toBe('')
  })

  it('relays without a capture when the file is not its own to write, and says so', async () => {
    const file = await configure({ gateway: { port: 0 }, mcpServers: {} })
    const foreign = join(folder, 'notes.txt')
    await writeFile(foreign, 'mine\n')
    const run = sluice('serve', '--config', file, '--capture', foreign, '--json', ...data())
    await run.line()
    expect(run.stderr()).toContain(`warning: the capture is not written: ${foreign}`)
    run.child.kill('SIGTERM')
    expect(await run.exit).toBe(0)
    expect(await readFile(foreign, 'utf8')).toBe('mine\n')
  })

  it('serves the desk to a browser, with a token of this run', async () => {
    const file = await configure({ gateway: { port: 0 }, mcpServers: {} })
    const run = sluice('serve', '--config', file, '--ui', '--json', ...data())
    const { ui } = JSON.parse(await run.line()) as { ui: string }
    expect(ui).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}$/)
    run.child.kill('SIGTERM')
    expect(await run.exit).toBe(0)
  })

  it('takes the next port when the wanted one is taken, and says so', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const file = await configure({ mcpServers: {} })
    const run = sluice('serve', '--config', file, '--port', String(port), '--json', ...data())
    const { endpoint } = JSON.parse(await run.line()) as { endpoint: string }
    expect(Number(new URL(endpoint).port)).not.toBe(port)
    expect(run.stderr()).toContain(`warning: port ${port} is taken`)
    run.child.kill('SIGTERM')
    await run.exit
    other.close()
  })

  it('applies a changed configuration, and keeps the old one when the new one is wrong', async () => {
    const file = await configure({ gateway: { port: 0 }, mcpServers: {} })
    const run = sluice('serve', '--config', file, '--json', ...data())
    const { endpoint } = JSON.parse(await run.line()) as { endpoint: string }
    const statusOf = async (name: string) => (await call(`${endpoint}/${name}`, 'x', {})).status
    expect(await statusOf('late')).toBe(404)

    await configure({ gateway: { port: 0 }, mcpServers: { late: { url: 'http://127.0.0.1:9/mcp' } } })
    await expect.poll(() => run.stderr()).toContain('was applied')
    expect(await statusOf('late')).toBe(200)

    await writeFile(file, '{ "mcpServers": 7 }')
    await expect.poll(() => run.stderr()).toContain('the configuration in force stays')
    expect(await statusOf('late')).toBe(200)
    run.child.kill('SIGTERM')
    expect(await run.exit).toBe(0)
  })

  it('goes on when nobody reads its output any more', async () => {
    const file = await configure({ gateway: { port: 0 }, mcpServers: {} })
    const run = sluice('serve', '--config', file, '--json', ...data())
    const { endpoint } = JSON.parse(await run.line()) as { endpoint: string }
    run.child.stdout?.destroy()
    run.child.stderr?.destroy()
    await configure({ gateway: { port: 0 }, mcpServers: { late: { url: 'http://127.0.0.1:9/mcp' } } })
    await expect.poll(async () => (await call(`${endpoint}/late`, 'x', {})).status).toBe(200)
    run.child.kill('SIGTERM')
    expect(await run.exit).toBe(0)
  })
})
